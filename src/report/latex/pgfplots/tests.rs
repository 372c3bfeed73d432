use super::*;
use crate::report::figure::tests::figure;
use crate::report::palette::Palette;

fn files(draw: &str, reference: &str, table: &str, caveats: &[String]) -> PictureFiles {
    let figure = figure(draw, reference, table);
    let styles = Palette::assign([&figure].into_iter()).styles(&figure);
    let title = "A title\n\\input{x}";
    plotted(&Plotted { experiment: "e", id: "f", title, caveats, figure: &figure, styles: &styles }).unwrap()
}

fn tex(draw: &str, reference: &str, table: &str) -> String {
    files(draw, reference, table, &[]).tex
}

/// Every line break and group that a picture opens is closed.
fn closes(tex: &str) -> bool {
    let plain = tex.lines().filter(|line| !line.starts_with('%')).collect::<String>();
    let plain = plain.replace("\\{", "").replace("\\}", "");
    let count = |of: &str| plain.matches(of).count();
    count("{") == count("}") && count("\\begin{") == count("\\end{")
}

#[test]
fn a_line_plot() {
    let made = files(
        "{x: x, y: m}",
        "[{metric: m, where: {algorithm: a}, x: [1, 2], value: [4, 6]}]",
        "d a - 1 -: m 4 5 6\nd a - 2 -: m 7\nd b_1 - 2 -: m 5",
        &["adult (stand-in)".to_string()],
    );
    insta::assert_snapshot!(made.csv, @r"
    x,a,a-low,a-high,a-printed,b-1
    1,5,4,6,4,nan
    2,7,7,7,6,5
    ");
    for line in [
        "% A title \\input{x} (e, f)",
        "\\definecolor{anonlab0}{HTML}{0072B2}",
        "  xlabel={x},",
        "  ylabel={m (\\%)},",
        "  xtick={1,2}, xticklabels={{1},{2}},",
        "  table[col sep=comma, x=x, y=a, y error plus expr={\\thisrow{a-high}-\\thisrow{a}}, y error minus expr={\\thisrow{a}-\\thisrow{a-low}}] {\\anonlabhere f.csv};",
        "\\addlegendentry{b\\_1}",
        "\\addlegendentry{printed in the paper}",
    ] {
        assert!(made.tex.lines().any(|known| known == line), "{line}\n{}", made.tex);
    }
    assert!(made.tex.contains("y=a-printed] {\\anonlabhere f.csv};"), "{}", made.tex);
    assert!(made.tex.contains("{Data: adult (stand-in)};\n\\end{tikzpicture}}%\n"), "{}", made.tex);
    assert!(made.standalone.starts_with("% A title \\input{x} (e, f)\n"), "{}", made.standalone);
    assert!(made.standalone.contains("\\input{f.tex}%"));
}

#[test]
fn each_kind_is_drawn_as_what_it_is() {
    let rows = "d a - 1 -: m 4 5 6\nd a - 2 -: m 7\nd b - 1 -: m 5\nd b - 2 -: m 9";
    let bars = tex("{kind: bar, x: x, y: m, y_scale: log}", "", rows);
    assert!(bars.contains("ybar, bar width=0.3"), "{bars}");
    assert!(bars.contains("x expr={\\thisrow{x}+(-0.15)}") && bars.contains("x expr={\\thisrow{x}+(0.15)}"), "{bars}");
    assert!(bars.contains("ymode=log, log origin=infty"), "{bars}");
    assert!(bars.contains("y error minus expr={\\thisrow{a}-max(\\thisrow{a-low},"), "{bars}");
    let scatter = tex("{kind: scatter, x: size, y: m}", "", "d a - 1 -: size 10\nd a - 1 -: m 5");
    assert!(scatter.contains("only marks, color=anonlab0"), "{scatter}");
    let band = tex("{x: x, y: m, spread: band}", "", rows);
    assert!(band.contains("fill between[of=p0s0low and p0s0high]"), "{band}");
    let panels = tex("{x: x, y: [m, seconds]}", "", "d a - 1 -: m 4\nd a - 1 -: seconds 0.004");
    assert!(panels.contains("group size=2 by 1") && panels.matches("\\nextgroupplot").count() == 2, "{panels}");
    assert!(panels.contains("ylabel={time (ms)}"), "{panels}");
    assert!(panels.contains("horizontal sep=5.5em"), "{panels}");
    let large = tex("{x: x, y: [m, big]}", "", "d a - 1 -: m 4\nd a - 1 -: big 90000000\nd a - 2 -: big 10000000");
    assert!(large.contains("pt, vertical sep"), "room for 100,000,000: {large}");
    let everywhere = tex("{x: x, y: m}", "", "d a - - -: m 7\nd b - 1 -: m 1\nd b - 2 -: m 2");
    assert!(everywhere.contains("mark=none] coordinates {(0.96,7) (2.04,7)}"), "{everywhere}");
    for tex in [bars, scatter, band, panels, everywhere] {
        assert!(closes(&tex), "{tex}");
    }
}

#[test]
fn what_has_no_value_is_shown() {
    let rows = "d a - 1 -: seconds 30\nd a - 2 -: - timeout\nd a - 3 -: seconds 50\nd b - 1 -: - failed";
    let made = tex("{x: x, y: seconds}", "[{metric: seconds, x: [3], more_than: 40}]", rows);
    assert!(made.contains("unbounded coords=jump"), "no line across the place of a timeout: {made}");
    assert!(
        made.contains("text mark={\\ensuremath{\\uparrow}}, color=anonlab0, forget plot") && made.contains("(2,60)"),
        "{made}"
    );
    assert!(made.contains("{limit 60 s}") && made.contains("\\addlegendentry{stopped at the limit}"), "{made}");
    assert!(
        made.contains("mark=x, mark size=3pt, very thick, color=anonlab1") && made.contains("{no value}"),
        "{made}"
    );
    assert!(made.contains("\\addlegendentry{printed in the paper}") && made.contains("yshift=8pt"), "{made}");
}

#[test]
fn hostile_names_stay_text() {
    let hostile = r#"\\input{/etc/passwd} #1 $x$ % & _ ~ ^ } { [a] \"q\""#;
    let draw = format!(
        r#"{{x: x, y: m, x_label: "{hostile}", y_label: "{hostile}", labels: {{a: "{hostile}", b: "{hostile}"}}}}"#
    );
    let rows = "d a - one -: m 4\nd a - two,{ -: m 7\nd b - one -: m 5\nd b - two,{ -: - failed";
    let made = files(&draw, "", rows, &[r"adult \x{ (stand-in)".to_string()]);
    assert!(!made.tex.contains("\\input{/") && closes(&made.tex), "{}", made.tex);
    assert!(made.tex.contains("{Data: adult \\textbackslash{}x\\{ (stand-in)}"), "{}", made.tex);
    assert!(made.tex.contains("xticklabels={{one},{two,\\{}}"), "{}", made.tex);
    let numbers = made.csv.lines().skip(1).flat_map(|line| line.split(','));
    assert!(numbers.into_iter().all(|field| field.parse::<f64>().is_ok()), "{}", made.csv);
}
