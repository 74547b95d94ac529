//! An example of each bench, which `--help` shows.

pub(crate) const EXAMPLES: &[&str] = &[
    "isobar-bench ega --rays 660 --gases 3 --device cpu --threads 1 --json",
    "isobar-bench adding --shape 10000x60x6 --precision f32",
    "isobar-bench scattering --shape 1000x60x4",
    "isobar-bench azimuth --columns 32 --device cpu --threads 1",
    "isobar-bench retrieval --cases 100 --jacobians",
    "isobar-bench pbl --columns 12990 --precision f32",
    "isobar-bench surface --columns 12990 --precision f32",
    "isobar-bench longwave --columns 1000 --cloudy",
    "isobar-bench radiation --columns 1000 --cloudy --solver tripleclouds",
    "isobar-bench chem data/mechanisms/chapman_nox.kpp --cells 10000",
    "isobar-bench spectra --pressures 1000",
    "isobar-bench machine --precision f32",
    "isobar-bench model-file --columns 1000000 -o columns.nc",
    "isobar-bench draw chart.json -o chart.svg",
];
