//! The table of docs/validation.md that says what checks every output: the tests that it names have to be there.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The table's heading.
const HEADING: &str = "## Every output, and what checks it";

/// What is wrong with the tests named in the last column: `crate::program::test`, also without test or program.
pub(crate) fn missing(root: &Path) -> Result<Vec<String>, String> {
    let document = root.join("docs/validation.md");
    let text = fs::read_to_string(&document).map_err(|error| format!("{}: {error}", document.display()))?;
    let (_, section) = text.split_once(HEADING).ok_or_else(|| format!("docs/validation.md has no '{HEADING}'"))?;
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let mut sources = HashMap::new();
    let mut wrong = Vec::new();
    for row in section.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---")) {
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        let tests: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        if tests.is_empty() && last.trim() != "test" {
            wrong.push(format!("docs/validation.md: no test in {row}"));
        }
        for test in tests {
            let mut parts = test.split("::");
            let name = parts.next().unwrap_or_default();
            if !sources.contains_key(name) {
                let mut source = String::new();
                collect(&root.join("crates").join(name), &mut source);
                sources.insert(name.to_owned(), source);
            }
            let there =
                |part: &str| ["fn", "def", "mod"].iter().any(|kind| has(&sources[name], &format!("{kind} {part}")));
            if !parts.all(|part| part == "lib" || there(part)) {
                wrong.push(format!("docs/validation.md: there is no test {test}"));
            }
        }
    }
    Ok(wrong)
}

/// Does the text have these words, and no longer ones?
fn has(text: &str, words: &str) -> bool {
    text.match_indices(words)
        .any(|(place, _)| !text[place + words.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// The sources below a folder, with the names of files and folders as modules. A folder that is not there has none.
fn collect(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.is_dir() && stem != "target" {
            into.push_str(&format!("mod {stem};\n"));
            collect(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "py") {
            into.push_str(&format!("mod {stem};\n"));
            into.push_str(&fs::read_to_string(&path).unwrap_or_default());
        }
    }
}
