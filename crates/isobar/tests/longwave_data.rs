//! `isobar longwave` on the demonstration data, whose numbers mean something though they are not for science.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::process::Command;

use common::data;
use common::flux_file::FluxFile;

/// Copies columns and coefficients to a folder of their own, and runs the command there.
struct Demonstration(tempfile::TempDir);

impl Demonstration {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["columns.nc", "demonstration.kd"] {
            fs::copy(data().join("longwave").join(name), folder.path().join(name)).unwrap();
        }
        Self(folder)
    }

    fn run(&self, out: &str, more: &[&str]) -> FluxFile {
        let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(["longwave", "columns.nc", "-o", out, "--kdist", "demonstration.kd", "--device", "cpu"])
            .args(more)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", common::said(&output));
        FluxFile::read(&self.0.path().join(out))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }
}

/// The first command of `data/longwave/README.md`: whole files are equal.
#[test]
fn the_committed_fluxes_are_what_the_command_says() {
    let case = Demonstration::new();
    case.run("fluxes.nc", &[]);
    let committed = data().join("longwave/fluxes.nc");
    assert!(fs::read(case.path("fluxes.nc")).unwrap() == fs::read(committed).unwrap());
}

#[test]
fn the_outgoing_radiation_is_that_of_an_earth() {
    let case = Demonstration::new();
    let now = case.run("now.nc", &[]);
    let doubled = case.run("doubled.nc", &["--gas", "co2=840e-6"]);
    let top = |file: &FluxFile, name: &str, column: usize| *file.column(name, column).last().unwrap();
    // Tropical: warm and moist below, cold above.
    let tropical = top(&now, "upward_flux_clear", 0);
    assert!((270.0..300.0).contains(&tropical), "{tropical}");
    assert!((380.0..430.0).contains(&now.column("downward_flux", 0)[0]));
    // Twice the carbon dioxide keeps some watts.
    for column in 0..3 {
        let forcing = top(&now, "upward_flux_clear", column) - top(&doubled, "upward_flux_clear", column);
        assert!((2.0..5.0).contains(&forcing), "column {column}: {forcing}");
    }
    // Cirrus keeps more than low clouds, and both warm the ground.
    let kept = |column| top(&now, "upward_flux_clear", column) - top(&now, "upward_flux", column);
    assert!(kept(0) == 0.0 && kept(1) > 2.0 && kept(2) > kept(1), "{} {}", kept(1), kept(2));
    assert!(now.column("downward_flux", 1)[0] > now.column("downward_flux_clear", 1)[0] + 20.0);
    // The troposphere cools by a degree or two a day.
    let cooling = now.column("heating_rate_clear", 0);
    assert!(cooling[2..20].iter().all(|rate| (-4.0..0.0).contains(rate)), "{cooling:?}");
}

/// Half a degree more at the ground is the derivative times it.
#[test]
fn the_derivative_is_that_of_the_surface() {
    let case = Demonstration::new();
    let file = case.run("now.nc", &["--derivative", "--bands", "--no-clouds"]);
    for column in 0..4 {
        let (total, upward) = (file.column("upward_flux_derivative", column), file.column("upward_flux", column));
        // 4 sigma T^3 at most, less on the way up.
        assert!(total[0] > 3.0 && total[0] < 6.5 && total.windows(2).all(|pair| pair[1] <= pair[0]), "{total:?}");
        let bands = file.bands("band_upward_flux", column);
        for (level, upward) in upward.iter().enumerate() {
            let sum: f64 = bands[level].iter().sum();
            assert!((sum - upward).abs() < 1e-9 * upward, "{sum} {upward}");
        }
    }
    assert_eq!(file.column("upward_flux", 1), file.column("upward_flux_clear", 1));
}
