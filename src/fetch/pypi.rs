//! A source distribution through the simple index that pip would ask: `PIP_INDEX_URL`, pip's configuration, else
//! pypi.org. (PyPI's JSON interface is not on every mirror.)

use super::web::Web;
use super::{LARGEST_DOWNLOAD, SdistMember};
use std::path::PathBuf;

/// The bytes of the distribution; whether they are the right ones is for the caller to see.
pub(super) fn download(sdist: &SdistMember, index: &str, web: &Web) -> Result<Vec<u8>, String> {
    let page = format!("{}/{}/", index.trim_end_matches('/'), normalized(&sdist.package));
    let html = String::from_utf8_lossy(&web.get(&page, LARGEST_DOWNLOAD)?).into_owned();
    let link = links(&html)
        .map(|link| join(&page, link.split('#').next().unwrap_or(&link)))
        .find(|link| link.rsplit('/').next() == Some(sdist.file.as_str()))
        .ok_or_else(|| format!("{page} has no {}", sdist.file))?;
    web.get(&link, LARGEST_DOWNLOAD)
}

/// A package's name as the index spells it: lower case, runs of `-`, `_` and `.` become one `-`.
fn normalized(package: &str) -> String {
    let words: Vec<String> =
        package.split(['-', '_', '.']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join("-")
}

/// The targets of the page's links.
fn links(html: &str) -> impl Iterator<Item = String> {
    html.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split(quote).next().map(|link| link.replace("&amp;", "&"))
    })
}

/// A link of a page as an address of its own.
fn join(page: &str, link: &str) -> String {
    if link.contains("://") {
        return link.to_string();
    }
    let host_end = page.find("://").map_or(0, |at| at + 3);
    let path_start = page[host_end..].find('/').map_or(page.len(), |at| host_end + at);
    let (host, path) = page.split_at(path_start);
    let base = if link.starts_with('/') { "" } else { path.rsplit_once('/').map_or("", |(folder, _)| folder) };
    let mut folders: Vec<&str> = base.split('/').filter(|folder| !folder.is_empty()).collect();
    for step in link.split('/').filter(|step| !step.is_empty() && *step != ".") {
        if step == ".." {
            folders.pop();
        } else {
            folders.push(step);
        }
    }
    format!("{host}/{}", folders.join("/"))
}

pub(super) fn index_url() -> String {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(url) = variable("PIP_INDEX_URL") {
        return url;
    }
    let home = variable("HOME").map(PathBuf::from);
    let config = variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".config")));
    let files = [
        variable("PIP_CONFIG_FILE").map(PathBuf::from),
        config.map(|config| config.join("pip/pip.conf")),
        home.map(|home| home.join(".pip/pip.conf")),
        Some(PathBuf::from("/etc/pip.conf")),
    ];
    let configured = files.into_iter().flatten().find_map(|file| index_in(&std::fs::read_to_string(file).ok()?));
    configured.unwrap_or_else(|| "https://pypi.org/simple".to_string())
}

/// `index-url` of the section `[global]`.
fn index_in(configuration: &str) -> Option<String> {
    let mut section = "";
    for line in configuration.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if section == "global"
            && let Some((key, value)) = line.split_once('=')
            && matches!(key.trim(), "index-url" | "index_url")
        {
            return Some(value.trim().to_string());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_an_index_become_addresses() {
        let page = "https://mirror.example/simple/pkg/";
        for (link, address) in [
            ("https://files.example/a/x.tar.gz", "https://files.example/a/x.tar.gz"),
            ("/packages/x.tar.gz", "https://mirror.example/packages/x.tar.gz"),
            ("../../packages/x.tar.gz", "https://mirror.example/packages/x.tar.gz"),
            ("x.tar.gz", "https://mirror.example/simple/pkg/x.tar.gz"),
        ] {
            assert_eq!(join(page, link), address);
        }
        let html = "<a href=\"x.tar.gz#sha256=1\">x</a> <a data-y='1' href='y?a=1&amp;b=2'>y</a>";
        assert_eq!(links(html).collect::<Vec<_>>(), ["x.tar.gz#sha256=1", "y?a=1&b=2"]);
        assert_eq!(normalized("Black_Box.-Auditing"), "black-box-auditing");
    }

    #[test]
    fn the_index_of_pip_is_asked() {
        let configuration = "[install]\nindex-url = http://no\n[global]\ntimeout = 1\nindex-url = http://yes/simple\n";
        assert_eq!(index_in(configuration).as_deref(), Some("http://yes/simple"));
        assert_eq!(index_in("[global]\ncert = x\n"), None);
    }
}
