//! The guide as a book. Its documents are written for a reader of the repository as well: links to sources become
//! addresses, and formulas are kept from Markdown, which takes `_` and `*` in them for emphasis.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Writes the book's sources to `target/book-source` and, by mdBook, the book to `target/book`.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    if let [option, ..] = options {
        return Err(format!("book: there is no option '{option}'"));
    }
    let root = crate::root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let (source, book) = (target.join("book-source"), target.join("book"));
    let manifest = read(&root.join("Cargo.toml"))?;
    let repository = manifest.lines().find_map(|line| line.strip_prefix("repository = \"")?.strip_suffix('"'));
    let repository = repository.ok_or("Cargo.toml: no repository")?;
    if source.exists() {
        fs::remove_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    }
    copy(&root, Path::new("docs"), &source, repository)?;
    let status = Command::new(std::env::var_os("MDBOOK").unwrap_or_else(|| "mdbook".into()))
        .arg("build")
        .arg(&source)
        .arg("--dest-dir")
        .arg(&book)
        .status()
        .map_err(|error| format!("mdbook (0.4; or MDBOOK names it): {error}"))?;
    if !status.success() {
        return Err("mdbook failed".to_owned());
    }
    println!("{}", book.join("index.html").display());
    Ok(())
}

/// Copies a folder of the repository, its documents made ready for the book.
fn copy(root: &Path, folder: &Path, to: &Path, repository: &str) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    let entries = fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        let (from, into) = (folder.join(&name), to.join(&name));
        if root.join(&from).is_dir() {
            copy(root, &from, &into, repository)?;
        } else if from.extension().is_some_and(|ending| ending == "md") {
            let text = read(&root.join(&from))?;
            let text = ready(&text, |link| address(root, folder, link, repository));
            fs::write(&into, text).map_err(|error| format!("{}: {error}", into.display()))?;
        } else {
            fs::copy(root.join(&from), &into).map_err(|error| format!("{}: {error}", into.display()))?;
        }
    }
    Ok(())
}

/// The address of what a document links to, if that is not part of the book.
fn address(root: &Path, folder: &Path, link: &str, repository: &str) -> Option<String> {
    if link.starts_with("http") || link.starts_with('#') {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, String::new()), |(path, at)| (path, format!("#{at}")));
    let mut parts: Vec<String> = Vec::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    let path = parts.join("/");
    if path.starts_with("docs/") {
        return None;
    }
    let kind = if root.join(&path).is_dir() { "tree" } else { "blob" };
    Some(format!("{repository}/{kind}/main/{path}{anchor}"))
}

/// A document for the book: `address` gives those of links that leave it.
fn ready(text: &str, address: impl Fn(&str) -> Option<String>) -> String {
    let mut ready = String::new();
    let (mut code, mut formula) = (false, false);
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        if code || fence {
            ready += line;
        } else {
            for (index, part) in line.split("$$").enumerate() {
                if index > 0 {
                    formula = !formula;
                    ready += "$$";
                }
                ready += &if formula { escaped(part) } else { inline(&linked(part, &address)) };
            }
        }
        ready.push('\n');
    }
    ready
}

/// A formula in which Markdown finds nothing.
fn escaped(formula: &str) -> String {
    formula.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c])).collect()
}

/// Formulas within a line, between `$` as GitHub has them, between `\\(` and `\\)`, as the book has them.
fn inline(line: &str) -> String {
    let mut ready = String::new();
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            ready.push('`');
        }
        let dollars: Vec<&str> = part.split('$').collect();
        if index % 2 == 1 || dollars.len().is_multiple_of(2) {
            ready += part;
            continue;
        }
        for (index, part) in dollars.into_iter().enumerate() {
            ready += &if index % 2 == 1 { format!("\\\\({}\\\\)", escaped(part)) } else { part.to_owned() };
        }
    }
    ready
}

/// A line with the addresses of its links.
fn linked(line: &str, address: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = line.split("](");
    let mut ready = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        ready += "](";
        match part.split_once(')') {
            Some((link, rest)) => {
                ready += &address(link).unwrap_or_else(|| link.to_owned());
                ready += ")";
                ready += rest;
            }
            None => ready += part,
        }
    }
    ready
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_leave_the_book_become_addresses() {
        let of = |link: &str| address(&crate::root(), Path::new("docs/crates"), link, "R");
        assert_eq!(of("../../crates/isobar/src/lib.rs#L1").unwrap(), "R/blob/main/crates/isobar/src/lib.rs#L1");
        assert_eq!(of("../../data/limb").unwrap(), "R/tree/main/data/limb");
        assert_eq!((of("ega.md"), of("../gpu.md#x"), of("https://a.b"), of("#y")), (None, None, None, None));
        assert_eq!(ready("a [b](c) `$` [d](e)", |link| (link == "c").then(|| "f".into())), "a [b](f) `$` [d](e)\n");
    }

    #[test]
    fn formulas_are_kept_from_markdown() {
        assert_eq!(ready("$$ a_* $$\n", |_| None), "$$ a\\_\\* $$\n");
        assert_eq!(ready("$$\n+ b\n$$\n+ c\n", |_| None), "$$\n\\+ b\n$$\n+ c\n");
        assert_eq!(ready("of $x_0$ or `$x$`", |_| None), "of \\\\(x\\_0\\\\) or `$x$`\n");
        assert_eq!(ready("```\n$$ a_* $$\n```", |_| None), "```\n$$ a_* $$\n```\n");
    }
}
