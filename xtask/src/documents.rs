//! What a document can have wrong that its reader sees first: links to headings that are not there, formulas that
//! Markdown changes before they are formulas.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Where documents are, from the root: files, and folders with those in them.
const PLACES: [&str; 5] = ["README.md", "CHANGELOG.md", "docs", "crates", "data"];

/// Checks all documents, and says all that is wrong.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    if let [option, ..] = options {
        return Err(format!("documents: there is no option '{option}'"));
    }
    let root = crate::root();
    let mut files = Vec::new();
    for place in PLACES {
        find(&root.join(place), &mut files)?;
    }
    let mut headings = HashMap::new();
    let mut wrong = crate::oracles::missing(&root)?;
    for file in &files {
        let text = read(file)?;
        let name = file.strip_prefix(&root).unwrap_or(file).display().to_string();
        for link in links(&text) {
            if let Some(problem) = problem_of(file, &link, &mut headings)? {
                wrong.push(format!("{name}: {problem}"));
            }
        }
        wrong.extend(changed_formulas(&text).into_iter().map(|(line, why)| format!("{name}:{line}: {why}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The documents of a place: `README.md` and its like of each folder, everything of `docs`.
fn find(place: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if place.is_file() {
        if place.extension().is_some_and(|ending| ending == "md") {
            files.push(place.to_owned());
        }
        return Ok(());
    }
    let entries = fs::read_dir(place).map_err(|error| format!("{}: {error}", place.display()))?;
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries.iter().try_for_each(|entry| find(entry, files))
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The lines of a document without those of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        (!code && !fence).then_some((index + 1, line))
    })
}

/// What links of a document lead to, but for other sites.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    for (_, line) in prose(text) {
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')')
                && !target.starts_with("http")
            {
                links.push(target.to_owned());
            }
        }
    }
    links
}

/// What is wrong with a link to a heading.
fn problem_of(
    file: &Path,
    link: &str,
    headings: &mut HashMap<PathBuf, HashSet<String>>,
) -> Result<Option<String>, String> {
    let Some((path, anchor)) = link.split_once('#') else { return Ok(None) };
    let target = if path.is_empty() { file.to_owned() } else { joined(file, path) };
    if target.extension().is_none_or(|ending| ending != "md") {
        return Ok(None);
    }
    if !target.is_file() {
        return Ok(Some(format!("there is no {path}")));
    }
    if !headings.contains_key(&target) {
        headings.insert(target.clone(), anchors(&read(&target)?));
    }
    let known = headings[&target].contains(anchor);
    Ok((!known).then(|| format!("{link}: there is no such heading")))
}

/// A path as a link of a file has it, without `..`.
fn joined(file: &Path, path: &str) -> PathBuf {
    let mut joined = file.parent().unwrap_or(file).to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(joined.pop()),
            Component::CurDir => {}
            part => joined.push(part),
        }
    }
    joined
}

/// The anchors of headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().to_lowercase().replace(' ', "-");
        let name: String = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let mut unique = name.clone();
        let mut count = 0;
        while !anchors.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}-{count}");
        }
    }
    anchors
}

/// Formulas between `$$` that Markdown changes: a backslash before punctuation is taken away, and a line that begins as
/// an item of a list becomes one.
fn changed_formulas(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut within = false;
    for (number, line) in prose(text) {
        let begins_within = within;
        for (index, part) in line.split("$$").enumerate() {
            within ^= index > 0;
            if within {
                let escaped =
                    part.split('\\').skip(1).find(|rest| rest.starts_with(|c: char| c.is_ascii_punctuation()));
                if let Some(rest) = escaped {
                    let mark = rest.chars().next().unwrap_or_default();
                    found.push((number, format!("Markdown makes `{mark}` of `\\{mark}` in a formula")));
                }
            }
        }
        if begins_within && ["+ ", "- ", "* "].iter().any(|item| line.trim_start().starts_with(item)) {
            found.push((number, "this line of a formula begins as an item of a list".to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn anchors_are_those_of_github() {
        let anchors =
            super::anchors("# YSU and WRF\n## `--plot`, and more\n## Speed\n```\n# no heading\n```\n## Speed\n");
        let mut anchors: Vec<_> = anchors.into_iter().collect();
        anchors.sort();
        assert_eq!(anchors, ["--plot-and-more", "speed", "speed-1", "ysu-and-wrf"]);
    }

    #[test]
    fn formulas_that_markdown_changes_are_found() {
        let lines = |text| super::changed_formulas(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(lines("a \\, b\n$$ a \\, b $$\n$$\na\n+ b\n$$\n+ c\n"), [2, 5]);
        assert!(lines("$$ \\frac{a}{b} \\quad c $$\n").is_empty());
    }
}
