//! Names and constants that a user gave and nothing was read by.

use super::reading::GIVEN;

/// What was given by our names and has no effect, each with why, in words: of names of a file's variables, with what
/// was read by our names, and from where.
pub fn names_not_read<'a>(
    given: &'a [(String, String)],
    read: &'a [(&'static str, String)],
) -> impl Iterator<Item = (&'a (String, String), String)> {
    given.iter().filter_map(|name| why(&name.0, |found| is_named(found, &name.1), read).map(|why| (name, why)))
}

/// Likewise of constants.
pub fn constants_not_read<'a>(
    given: &'a [(String, f64)],
    read: &'a [(&'static str, String)],
) -> impl Iterator<Item = (&'a (String, f64), String)> {
    given.iter().filter_map(|constant| why(&constant.0, |found| found == GIVEN, read).map(|why| (constant, why)))
}

/// Whether a variable that was found, perhaps in a group, is the one of this name.
fn is_named(found: &str, name: &str) -> bool {
    found == name || found.strip_suffix(name).is_some_and(|group| group.ends_with('/'))
}

/// Why what was given by our name has no effect, if nothing that was read by it is it.
fn why(ours: &str, is_it: impl Fn(&str) -> bool, read: &[(&'static str, String)]) -> Option<String> {
    let mut found = read.iter().filter(|(name, _)| *name == ours).map(|(_, found)| found.as_str()).peekable();
    match found.peek().copied() {
        None => Some(format!("nothing is read as {ours}")),
        Some(_) if found.any(is_it) => None,
        Some(GIVEN) => Some(format!("{ours} is given as a constant, which wins")),
        Some(other) => Some(format!("{ours} is {other}")),
    }
}
