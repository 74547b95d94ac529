//! Single bits of the demonstration's inputs flipped: how many files are refused, read as before, read with a warning,
//! or read as others without a word. What a number of the data means nobody can check.
//!
//! Some of each file; `ISOBAR_FLIPS=2000 cargo test -p isobar --test main flips -- --nocapture` prints a table of more.

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use isobar::io::{
    AddingOptions, ChemistryRequest, Control, Outside, RadiationRequest, SunAt, SurfaceKind, read_adding,
    read_atmosphere, read_boundary_layer, read_chemistry, read_cloud_tables, read_directions, read_k_distribution,
    read_observation, read_radiation, read_shape, read_table,
};
use isobar::kpp::Mechanism;
use isobar::radiation::Spectra;

/// Flips a file, unless `ISOBAR_FLIPS` says how many.
const FLIPS: usize = 20;

fn flips() -> usize {
    let Ok(text) = std::env::var("ISOBAR_FLIPS") else { return FLIPS };
    text.parse().unwrap_or_else(|error| panic!("ISOBAR_FLIPS = {text:?}: {error}"))
}

/// What is read, digit by digit, and what is said of it; or the error.
type Reading = Result<(String, String), String>;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

fn reading<T: Debug, W: Debug, E: ToString>(read: Result<(T, W), E>) -> Reading {
    let said = |(read, warnings): (T, W)| (format!("{read:?}"), format!("{warnings:?}"));
    read.map(said).map_err(|error| error.to_string())
}

#[derive(Default)]
struct Counts {
    refused: usize,
    same: usize,
    warned: usize,
    changed: usize,
}

/// Reads a file with each of its flips.
fn count(file: &str, read: &dyn Fn(&Path) -> Reading) -> Counts {
    let good = fs::read(data(file)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Path::new(file).file_name().unwrap());
    fs::write(&path, &good).unwrap();
    let (whole, quiet) = read(&path).unwrap();
    let (flips, mut counts) = (flips(), Counts::default());
    for flip in 0..flips as u64 {
        // Knuth's multiplier spreads them.
        let bit = (flip.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16) as usize % (8 * good.len());
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, bytes).unwrap();
        match read(&path) {
            Err(error) => {
                assert!(!error.is_empty(), "{file}: bit {bit} is refused without a word");
                counts.refused += 1;
            }
            Ok((_, said)) if said != quiet => counts.warned += 1,
            Ok((content, _)) if content == whole => counts.same += 1,
            Ok(_) => counts.changed += 1,
        }
    }
    println!("| `{file}` | {flips} | {} | {} | {} | {} |", counts.refused, counts.same, counts.warned, counts.changed);
    counts
}

#[test]
fn bits_of_inputs() {
    println!("| file | flips | refused | same | warned | changed |\n|---|---|---|---|---|---|");
    let (control, _) = Control::read(&data("limb/limb.ctl"), &[]).unwrap();
    count("limb/limb.ctl", &|path| {
        // Its place in the file system is none of what it says.
        let strip = |text: String| text.replace(&path.parent().unwrap().display().to_string(), "");
        reading(Control::read(path, &[])).map(|(read, said)| (strip(read), said))
    });
    count("limb/atm.tab", &|path| reading(read_atmosphere(path, &control).map(|read| (read, ()))));
    count("limb/obs.tab", &|path| reading(read_observation(path, &control).map(|read| (read, ()))));
    count("tables/demo_792.0000.filt", &|path| reading(read_shape(path).map(|read| (read, ()))));
    count("tables/demo_792.0000_CO2.bin", &|path| reading(read_table(path)));
    count("mechanisms/chapman_nox.kpp", &|path| {
        reading(Mechanism::from_file(path).map(|read| {
            let said = format!("{:?} {:?}", read.notes(), read.imbalances());
            let content = (read.species().to_vec(), format!("{:?}", read.compiled()), read.initial().to_vec());
            ((content, format!("{:?}", read.program())), said)
        }))
    });
    let options = AddingOptions { surface: SurfaceKind::Specular, linear_source: false };
    count("adding/profiles.nc", &|path| reading(read_adding(path, &options).map(|read| (read, ()))));
    count("adding/ocean.nc", &|path| {
        reading(read_directions(path, false).map(|read| {
            let said = read.derived.clone();
            (read, said)
        }))
    });
    let options = isobar::ysu::Options::new(60.0);
    count("pbl/columns.nc", &|path| {
        reading(read_boundary_layer(path, &options, false).map(|read| {
            let said = read.air.derived.clone();
            (read, said)
        }))
    });
    for file in ["radiation/ecckd-longwave-32.nc", "radiation/ecckd-shortwave-32.nc"] {
        count(file, &|path| reading(read_k_distribution(path).map(|read| (read, ()))));
    }
    for file in ["radiation/ecckd-longwave-32-clouds.nc", "radiation/ecckd-shortwave-32-clouds.nc"] {
        count(file, &|path| reading(read_cloud_tables(path).map(|read| (read, ()))));
    }
    let spectra = ["long", "short"].iter().fold(Spectra::default(), |spectra: Spectra<f64>, wave| {
        let path = data(&format!("radiation/ecckd-{wave}wave-32.nc"));
        spectra.with(&read_k_distribution(&path).unwrap().gas_optics().unwrap(), None).unwrap()
    });
    let request = RadiationRequest {
        names: &[],
        vertical: None,
        sun: SunAt::Time,
        part: None,
        spectra: &spectra,
        options: &isobar::radiation::Options::default(),
        constants: &[],
        assume_zero: false,
        aerosols: &[],
        cloud_fraction: 1.0,
        clouds: true,
        rain_and_snow: false,
        rain_as_liquid: false,
        snow_as_ice: false,
        outside: Outside::Extrapolate,
        keep_going: false,
    };
    count("radiation/columns.nc", &|path| {
        reading(read_radiation(&[path], &request).map(|read| {
            let said = (read.derived.clone(), read.outside.clone());
            (read, said)
        }))
    });
    let mechanism = Mechanism::from_file(data("mechanisms/chapman_nox.kpp")).unwrap();
    let species = mechanism.species().iter().zip(mechanism.initial());
    let species: Vec<_> = species.map(|(species, &initial)| (species.name.as_str(), initial)).collect();
    let inputs: Vec<_> = mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect();
    let (cfactor, part_of_air) = (mechanism.cfactor(), mechanism.part_of_air());
    let reactions: Vec<_> = mechanism.reactions().iter().map(|reaction| reaction.label.as_deref()).collect();
    let radians = mechanism.radians();
    let orders = mechanism.orders();
    let (inputs, radians, orders, reactions) = (&inputs[..], &radians[..], &orders[..], &reactions[..]);
    let (species, variable) = (&species[..], mechanism.variable());
    let request =
        ChemistryRequest { species, variable, cfactor, part_of_air, inputs, radians, orders, reactions, given: &[] };
    count("chemistry/cells.nc", &|path| {
        reading(read_chemistry(path, &request).map(|read| {
            let said = (read.derived.clone(), read.unused.clone());
            (read, said)
        }))
    });
}
