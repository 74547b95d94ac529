//! Performance directives of single entries.

/// Every entry is launched with blocks of 128 threads (`isobar-launch/src/cuda/stream.rs`): knowing it, the assembler may use
/// more registers a thread.
const ALL: &str = ".maxntid 128, 1, 1";

/// Further directives, found by measurement: the name of the entry, and what follows its parameters.
///
/// `.minnctapersm 4` asks for at least 4 resident blocks a multiprocessor, `.maxnreg 128` for at most 128 registers a thread.
const TUNED: &[(&str, &str)] =
    &[("grow_ega_f64", ".minnctapersm 5"), ("integrate_f32", ".minnctapersm 8"), ("integrate_f64", ".minnctapersm 8")];

/// The directives of an entry, a line each.
pub(super) fn of(entry: &str) -> Vec<&'static str> {
    let tuned = TUNED.iter().filter(|(name, _)| *name == entry).map(|(_, directive)| *directive);
    std::iter::once(ALL).chain(tuned).collect()
}
