//! Whether a text that lies in a folder, where others can write, is a drawing as ours are: shapes and words, nothing that
//! runs, loads or leads anywhere.

/// What drawings consist of.
const ELEMENTS: [&str; 12] =
    ["circle", "clipPath", "defs", "g", "line", "path", "polygon", "polyline", "rect", "svg", "text", "title"];
const ATTRIBUTES: [&str; 37] = [
    "aria-hidden",
    "class",
    "clip-path",
    "color",
    "cx",
    "cy",
    "d",
    "dominant-baseline",
    "dx",
    "dy",
    "fill",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "id",
    "opacity",
    "points",
    "r",
    "role",
    "rx",
    "ry",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "transform",
    "viewBox",
    "width",
    "x",
    "y",
    "xmlns",
];
const ENDS: [&str; 4] = ["x1", "x2", "y1", "y2"];

/// Whether `text` is one such drawing, and nothing besides.
pub fn is_drawing(text: &str) -> bool {
    let Some(inside) = text.strip_prefix("<svg ").and_then(|rest| rest.strip_suffix("</svg>")) else { return false };
    // The first piece is the rest of `<svg …>`; each of the others is one tag and the words behind it.
    let mut pieces = inside.split('<');
    let first = pieces.next().unwrap_or_default();
    let mut depth = 1usize;
    let mut is_sound = |tag: &str| {
        let Some((tag, words)) = tag.split_once('>') else { return false };
        if words.contains('>') || depth == 0 {
            return false;
        }
        if let Some(name) = tag.strip_prefix('/') {
            depth -= 1;
            return ELEMENTS.contains(&name);
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        depth += usize::from(!is_empty);
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        ELEMENTS.contains(&name) && are_plain(attributes)
    };
    first.split_once('>').is_some_and(|(attributes, words)| are_plain(attributes) && !words.contains('>'))
        && pieces.all(&mut is_sound)
        && depth == 1
}

/// `name="value" name="value"`, of known names and with values that load nothing.
fn are_plain(attributes: &str) -> bool {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let Some((name, behind)) = rest.split_once("=\"") else { return false };
        let Some((value, behind)) = behind.split_once('"') else { return false };
        let known = ATTRIBUTES.contains(&name) || ENDS.contains(&name) || name.starts_with("data-");
        let leads_elsewhere = value.replace("url(#", "").contains("url(");
        if !known || leads_elsewhere || name.contains(char::is_whitespace) {
            return false;
        }
        rest = behind.trim_start();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_a_drawing() {
        for text in [
            "<svg class=\"plot\" viewBox=\"0 0 380 260\" aria-hidden=\"true\"></svg>",
            "<svg class=\"plot\"><g><path d=\"M0 0\" stroke=\"#123\"/><text x=\"1\" y=\"2\">a &lt; b</text></g></svg>",
            "<svg a=\"\"></svg>".replace("a=", "id=").as_str(),
        ] {
            assert!(is_drawing(text), "{text}");
        }
    }

    #[test]
    fn whatever_runs_loads_or_leads_elsewhere_is_none() {
        for text in [
            "",
            "words",
            "<svg class=\"x\">",
            "<svg class=\"x\"></svg><script>alert(1)</script>",
            "<svg class=\"x\"></svg><p></svg>",
            "<svg class=\"x\"><script>alert(1)</script></svg>",
            "<svg onload=\"alert(1)\"></svg>",
            "<svg class=\"x\"><a href=\"javascript:alert(1)\"><text x=\"1\">x</text></a></svg>",
            "<svg class=\"x\"><image href=\"https://example.org/x\"/></svg>",
            "<svg class=\"x\"><rect fill=\"url(https://example.org/x)\"/></svg>",
            "<svg class=\"x\"><rect style=\"background: url(x)\"/></svg>",
            "<svg class=\"x\"><foreignObject><p>x</p></foreignObject></svg>",
            "<svg class=\"x\"><rect x='1'/></svg>",
            "<svg class=\"x\"><rect x=\"1\" onclick=\"x\"/></svg>",
            "<svg class=\"x\"></svg></svg>",
            "<svg class=\"x\"><!-- x --></svg>",
        ] {
            assert!(!is_drawing(text), "{text}");
        }
    }
}
