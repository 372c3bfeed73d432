//! Drawings as PDF and PNG, from the same SVG, with a font of the program's own: the same bytes on every machine.

use crate::report::ReportError;
use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{self, Pixmap};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};
use std::sync::{Arc, LazyLock};

/// What `sans-serif` is in a picture. It has the Greek letters, signs and small digits of our labels.
const FAMILY: &str = "DejaVu Sans";

/// A point is 1/72 of an inch, a pixel of SVG 1/96.
const POINTS: f32 = 0.75;

/// Pixels for each of the drawing's: sharp on screens of 192 dots an inch and in print at column width.
const DENSITY: f32 = 2.0;

/// Our own faces alone: what is installed here must not change a picture.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for face in [dejavu::sans::regular(), dejavu::sans::bold(), dejavu::sans::oblique()] {
        fonts.load_font_source(Source::Binary(Arc::new(face)));
    }
    fonts.set_sans_serif_family(FAMILY);
    Arc::new(fonts)
});

fn parsed(svg: &str, what: &'static str) -> Result<Tree, ReportError> {
    let options = Options { font_family: FAMILY.to_string(), fontdb: FONTS.clone(), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| failed(what, error))
}

fn failed(what: &'static str, error: impl ToString) -> ReportError {
    ReportError::Render { template: what, message: error.to_string() }
}

/// One page as large as the drawing. Text stays text, in fonts that are inside.
pub fn pdf(svg: &str, title: &str) -> Result<Vec<u8>, ReportError> {
    const WHAT: &str = "a PDF";
    let tree = parsed(svg, WHAT)?;
    let size = Size::from_wh(tree.size().width() * POINTS, tree.size().height() * POINTS);
    let size = size.ok_or_else(|| failed(WHAT, "the drawing has no size"))?;
    let mut document = Document::new();
    // No date: the same results give the same bytes.
    document.set_metadata(Metadata::new().title(title.to_string()).creator("anonlab".to_string()));
    let mut page = document.start_page_with(PageSettings::new(size));
    let mut surface = page.surface();
    let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    drawn.ok_or_else(|| failed(WHAT, "the drawing cannot be drawn"))?;
    document.finish().map_err(|error| failed(WHAT, format!("{error:?}")))
}

/// Two pixels for each of the drawing's.
pub fn png(svg: &str) -> Result<Vec<u8>, ReportError> {
    const WHAT: &str = "a PNG";
    let tree = parsed(svg, WHAT)?;
    let size = tree.size().to_int_size().scale_by(DENSITY);
    let mut pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
    let pixels = pixels.as_mut().ok_or_else(|| failed(WHAT, "the drawing has no size"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(DENSITY, DENSITY), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(WHAT, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" font-family="sans-serif"><rect width="200" height="100" fill="#FFFFFF"/><text x="10" y="40" font-size="11">ℓ ≥ 10⁻⁶</text><text x="10" y="80" font-weight="600">bold</text></svg>"##;

    #[test]
    fn a_pdf_has_its_fonts_inside_and_the_same_bytes_each_time() {
        let bytes = pdf(DRAWING, "ℓ").unwrap();
        assert!(bytes.starts_with(b"%PDF-"));
        assert_eq!(bytes, pdf(DRAWING, "ℓ").unwrap());
        let contains = |what: &str| bytes.windows(what.len()).any(|window| window == what.as_bytes());
        // A face inside, what its glyphs mean, and the size in points.
        assert!(contains("DejaVuSans") && contains("/FontFile") && contains("/ToUnicode"));
        assert!(contains("/MediaBox[0 0 150 75]") || contains("/MediaBox [0 0 150 75]"));
        assert!(!contains("CreationDate"), "no time of day in it");
    }

    #[test]
    fn a_png_has_two_pixels_for_each_and_the_same_bytes_each_time() {
        let bytes = png(DRAWING).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
        assert_eq!((&bytes[16..20], &bytes[20..24]), (&400u32.to_be_bytes()[..], &200u32.to_be_bytes()[..]));
        assert_eq!(bytes, png(DRAWING).unwrap());
        let blank = DRAWING.replace("ℓ ≥ 10⁻⁶", "").replace("bold", "");
        assert_ne!(bytes, png(&blank).unwrap(), "the text is drawn");
    }

    #[test]
    fn what_is_no_drawing_is_an_error() {
        assert!(pdf("<p>", "").is_err() && png("").is_err());
    }
}
