//! Names and constants that a user gave and nothing was read by.

/// Names or constants that nothing was read by: of those that were given by our names, with what was read by these.
pub fn not_read<'a, T>(
    given: &'a [(String, T)],
    read: &'a [(&'static str, String)],
) -> impl Iterator<Item = &'a (String, T)> {
    given.iter().filter(|(ours, _)| read.iter().all(|(name, _)| name != ours))
}
