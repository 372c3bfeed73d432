//! A drawing as data: shapes with attributes, and words. A card has its thumbnails so, since it lies in a folder where others can
//! write: what a page shows is written anew from it, of known shapes and attributes alone, so that nothing in it can run, load or lead
//! anywhere.

use crate::report::plot::svg::escape;
use serde::{Deserialize, Serialize};

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

/// An element with what is in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SvgElement {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inside: Vec<Inside>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Inside {
    Words(String),
    Shape(SvgElement),
}

impl SvgElement {
    /// Reads the markup of one of our own drawings; None for anything that these do not consist of.
    pub fn read(markup: &str) -> Option<Self> {
        // The elements that are open, the outermost first.
        let mut open: Vec<Self> = Vec::new();
        let mut pieces = markup.strip_prefix('<')?.split('<').peekable();
        while let Some(piece) = pieces.next() {
            let (tag, words) = piece.split_once('>')?;
            if let Some(name) = tag.strip_prefix('/') {
                let closed = open.pop().filter(|shape| shape.name == name)?;
                match open.last_mut() {
                    Some(around) => around.inside.push(Inside::Shape(closed)),
                    None => return (pieces.peek().is_none() && words.is_empty()).then_some(closed),
                }
            } else {
                let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
                let shape = Self::of_tag(tag)?;
                match open.last_mut() {
                    Some(around) if is_empty => around.inside.push(Inside::Shape(shape)),
                    _ => open.push(shape),
                }
            }
            if !words.is_empty() {
                open.last_mut()?.inside.push(Inside::Words(unescaped(words)));
            }
        }
        None
    }

    /// `name attribute="value" attribute="value"`
    fn of_tag(tag: &str) -> Option<Self> {
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while !rest.trim().is_empty() {
            let (attribute, behind) = rest.trim_start().split_once("=\"")?;
            let (value, behind) = behind.split_once('"')?;
            attributes.push((attribute.to_string(), unescaped(value)));
            rest = behind;
        }
        Some(Self { name: name.to_string(), attributes, inside: Vec::new() })
    }

    /// As an element of a page; empty for whatever is no `svg`.
    pub fn svg(&self) -> String {
        let mut markup = String::new();
        if self.name == "svg" {
            self.write(&mut markup);
        }
        markup
    }

    /// What is in an `svg`, for an element of a page; empty for whatever is none.
    pub fn inside_svg(&self) -> String {
        let mut markup = String::new();
        if self.name == "svg" {
            self.write_inside(&mut markup);
        }
        markup
    }

    fn write(&self, markup: &mut String) {
        let Some(name) = ELEMENTS.into_iter().find(|known| *known == self.name) else { return };
        markup.push('<');
        markup.push_str(name);
        for (attribute, value) in self.attributes.iter().filter(|(name, value)| is_plain(name, value)) {
            markup.push_str(&format!(" {attribute}=\"{}\"", escape(value)));
        }
        if self.inside.is_empty() {
            markup.push_str("/>");
            return;
        }
        markup.push('>');
        self.write_inside(markup);
        markup.push_str(&format!("</{name}>"));
    }

    fn write_inside(&self, markup: &mut String) {
        for inside in &self.inside {
            match inside {
                Inside::Words(words) => markup.push_str(&escape(words)),
                Inside::Shape(shape) => shape.write(markup),
            }
        }
    }
}

/// A known attribute with a value that loads nothing.
fn is_plain(name: &str, value: &str) -> bool {
    let is_data =
        name.strip_prefix("data-").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
    let leads_elsewhere = value.replace("url(#", "").contains("url(");
    (ATTRIBUTES.contains(&name) || ENDS.contains(&name) || is_data) && !leads_elsewhere
}

/// What [`escape`] writes, read again.
fn unescaped(text: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")];
    marks.iter().fold(text.to_string(), |text, (mark, character)| text.replace(mark, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for text in [
            "<svg class=\"plot\" viewBox=\"0 0 380 260\" aria-hidden=\"true\"><g/></svg>",
            "<svg class=\"plot\"><g><path d=\"M0 0\" stroke=\"#123\"/><text x=\"1\" y=\"2\">a &lt; b &amp;amp; c</text></g></svg>",
            "<svg id=\"a\">x<g data-points=\"1 2\">y</g>z</svg>",
        ] {
            let drawing = SvgElement::read(text).unwrap();
            assert_eq!(drawing.svg(), text);
            let stored = serde_json::to_string(&drawing).unwrap();
            assert_eq!(serde_json::from_str::<SvgElement>(&stored).unwrap(), drawing);
        }
        for text in ["", "words", "<svg class=\"x\">", "<svg></svg><p></p>", "<svg></g>", "<svg></svg></svg>"] {
            assert_eq!(SvgElement::read(text), None, "{text}");
        }
    }

    #[test]
    fn whatever_runs_loads_or_leads_elsewhere_is_left_out() {
        for (stored, shown) in [
            (r#"{"name": "script", "inside": ["alert(1)"]}"#, ""),
            (r#"{"name": "p"}"#, ""),
            (r#"{"name": "svg", "inside": [{"name": "script", "inside": ["alert(1)"]}]}"#, "<svg></svg>"),
            (
                r#"{"name": "svg", "inside": ["<script>alert(1)</script>"]}"#,
                "<svg>&lt;script&gt;alert(1)&lt;/script&gt;</svg>",
            ),
            (r#"{"name": "svg", "attributes": [["onload", "alert(1)"]]}"#, "<svg/>"),
            (r#"{"name": "svg", "attributes": [["x onload", "alert(1)"], ["data-x onload", "1"]]}"#, "<svg/>"),
            (
                r#"{"name": "svg", "attributes": [["class", "\"><script>"]]}"#,
                "<svg class=\"&quot;&gt;&lt;script&gt;\"/>",
            ),
            (r#"{"name": "svg", "attributes": [["fill", "url(https://example.org/x)"], ["style", "x"]]}"#, "<svg/>"),
            (
                r#"{"name": "svg", "inside": [{"name": "a", "attributes": [["href", "javascript:alert(1)"]], "inside": ["x"]}]}"#,
                "<svg></svg>",
            ),
            (r#"{"name": "svg", "inside": [{"name": "image"}, {"name": "foreignObject"}]}"#, "<svg></svg>"),
        ] {
            assert_eq!(serde_json::from_str::<SvgElement>(stored).unwrap().svg(), shown);
        }
        let deep = "{\"name\":\"g\",\"inside\":[".repeat(100_000);
        assert!(
            serde_json::from_str::<SvgElement>(&deep).is_err(),
            "as deep as that nothing is read, and the stack is not overrun"
        );
    }
}
