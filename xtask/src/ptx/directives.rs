//! Performance directives of single entries.

/// Entries are launched with blocks of 128 threads (`isobar-launch/src/cuda/stream.rs`): knowing it, the assembler may
/// use more registers a thread.
const USUAL: &str = ".maxntid 128, 1, 1";
/// Entries of kernels whose team is a block begin so, and have as many threads as its warps.
const BLOCKS: &[(&str, &str)] = &[
    ("block_", ".maxntid 256, 1, 1"),
    ("deep_", ".maxntid 256, 1, 1"),
    ("rrtmg_any", ".maxntid 160, 1, 1"),
    ("rosenbrock_by_warps", ".maxntid 32, 1, 1"),
    ("shin_hong", ".maxntid 32, 1, 1"),
    ("ysu_f", ".maxntid 32, 1, 1"),
    ("ysu_options", ".maxntid 32, 1, 1"),
];

/// Further directives, found by measurement: the name of the entry, and what follows its parameters.
///
/// `.minnctapersm 4` asks for at least 4 resident blocks a multiprocessor, `.maxnreg 255` allows 255 registers a
/// thread.
const TUNED: &[(&str, &str)] = &[
    ("block_emission_f32", ".minnctapersm 4"),
    ("block_reflection_f32", ".minnctapersm 4"),
    ("grow_ega_f32", ".minnctapersm 8"),
    ("grow_ega_f64", ".minnctapersm 6"),
    ("integrate_f32", ".minnctapersm 12"),
    ("integrate_f64", ".minnctapersm 8"),
    ("jacobian_pull_growth_f64", ".minnctapersm 3"),
    ("jacobian_steps_f64", ".minnctapersm 3"),
    ("radiation_longwave_adjoint_f32", ".minnctapersm 6"),
    ("radiation_longwave_adjoint_f64", ".minnctapersm 6"),
    ("radiation_longwave_any_f32", ".minnctapersm 6"),
    ("radiation_longwave_clear_f32", ".minnctapersm 7"),
    ("radiation_longwave_cloudy_f32", ".minnctapersm 6"),
    ("radiation_longwave_rescaled_f32", ".minnctapersm 6"),
    ("radiation_longwave_two_stream_f32", ".minnctapersm 6"),
    ("radiation_shortwave_adjoint_f32", ".minnctapersm 6"),
    ("radiation_shortwave_adjoint_f64", ".minnctapersm 6"),
    ("radiation_shortwave_any_f32", ".minnctapersm 6"),
    ("radiation_shortwave_clear_f32", ".minnctapersm 7"),
    ("radiation_shortwave_cloudy_f32", ".minnctapersm 6"),
    ("rosenbrock_by_warps_f64", ".maxnreg 255"),
    ("sequential_emission_pair_f32", ".minnctapersm 6"),
    ("sequential_reflection_pair_f32", ".minnctapersm 6"),
    ("shin_hong_f32", ".minnctapersm 12"),
    ("surface_f32", ".minnctapersm 8"),
    ("surface_f64", ".minnctapersm 4"),
    ("ysu_f32", ".minnctapersm 8"),
    ("ysu_f64", ".minnctapersm 8"),
];

/// The directives of an entry, a line each.
pub(super) fn of(entry: &str) -> Vec<&'static str> {
    let tuned = TUNED.iter().filter(|(name, _)| *name == entry).map(|(_, directive)| *directive);
    let block = BLOCKS.iter().find(|(begin, _)| entry.starts_with(begin)).map(|(_, size)| *size);
    std::iter::once(block.unwrap_or(USUAL)).chain(tuned).collect()
}
