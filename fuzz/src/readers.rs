//! Readers of NetCDF columns as the commands call them. What they accept comes back as text, digit by digit.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use isobar::io::radiation::{Outside, RadiationRequest, SunAt};
use isobar::io::{
    AddingOptions, ChemistryRequest, Error, SurfaceKind, has_directions, read_adding, read_boundary_layer,
    read_chemistry, read_directions, read_radiation,
};
use isobar::kpp::Mechanism;
use isobar::radiation::{Options, Spectra, rrtmg};

use crate::{data, folder, wrf};

/// A reader: a file and an option in, what it accepts out.
pub type Reader = fn(&Path, u8) -> Result<String, Error>;

/// The readers.
pub const READERS: [Reader; 6] = [adding, boundary_layer, longwave, chemistry, boundary_layer, longwave];

/// Files that they accept; the last two are as WRF writes them.
pub static FILES: LazyLock<[PathBuf; 6]> = LazyLock::new(|| {
    let own = ["adding/profiles.nc", "pbl/columns.nc", "radiation/columns.nc", "chemistry/cells.nc"];
    let [adding, boundary_layer, longwave, chemistry] = own.map(|file| data().join(file));
    let wrf = folder().join("wrf.nc");
    fs::write(&wrf, wrf::content().bytes().expect("it can be written")).expect("the folder can be written");
    [adding, boundary_layer, longwave, chemistry, wrf.clone(), wrf]
});

/// Profiles of `isobar adding`.
///
/// # Errors
/// Those of the reader.
pub fn adding(path: &Path, option: u8) -> Result<String, Error> {
    if has_directions(path)? {
        return read_directions(path, option % 2 == 1).map(|input| format!("{input:?}"));
    }
    let surface = [SurfaceKind::Specular, SurfaceKind::Black, SurfaceKind::Lambertian][usize::from(option % 3)];
    let options = AddingOptions { surface, linear_source: option % 2 == 1 };
    read_adding(path, &options).map(|input| format!("{input:?}"))
}

/// Columns of `isobar pbl`.
///
/// # Errors
/// Those of the reader.
pub fn boundary_layer(path: &Path, option: u8) -> Result<String, Error> {
    let options = isobar::ysu::Options::new(60.0);
    read_boundary_layer(path, &options, option % 2 == 1).map(|mut input| {
        // Where results have their layers follows the order in the file, which may be any.
        input.air.vertical_position = 0;
        format!("{input:?}")
    })
}

/// Columns of `isobar longwave`.
///
/// # Errors
/// Those of the reader.
pub fn longwave(path: &Path, option: u8) -> Result<String, Error> {
    static SPECTRA: LazyLock<Spectra<f64>> = LazyLock::new(|| {
        Spectra::default().with_rrtmg(&rrtmg::analytic::k_distribution()).expect("it is the only one")
    });
    let request = RadiationRequest {
        names: &[],
        vertical: None,
        sun: SunAt::Time,
        part: None,
        spectra: &SPECTRA,
        options: &Options::of_rrtmg(),
        constants: &[],
        aerosols: &[],
        rain_and_snow: false,
        rain_as_liquid: false,
        snow_as_ice: false,
        assume_zero: option & 1 == 1,
        cloud_fraction: 1.0,
        clouds: option & 2 == 0,
        outside: [Outside::Extrapolate, Outside::Clamp, Outside::Error][usize::from(option % 3)],
        keep_going: option & 4 == 4,
    };
    read_radiation(&[path], &request).map(|mut input| {
        // As above.
        input.vertical_position = 0;
        format!("{input:?}")
    })
}

/// Cells of `isobar chem`.
///
/// # Errors
/// Those of the reader.
pub fn chemistry(path: &Path, _: u8) -> Result<String, Error> {
    static MECHANISM: LazyLock<Mechanism> =
        LazyLock::new(|| Mechanism::from_file(data().join("mechanisms/chapman_nox.kpp")).expect("a mechanism"));
    let species = MECHANISM.species().iter().zip(MECHANISM.initial());
    let species: Vec<_> = species.map(|(species, &initial)| (species.name.as_str(), initial)).collect();
    let inputs: Vec<_> = MECHANISM.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect();
    let (cfactor, part_of_air) = (MECHANISM.cfactor(), MECHANISM.part_of_air());
    let reactions: Vec<_> = MECHANISM.reactions().iter().map(|reaction| reaction.label.as_deref()).collect();
    let radians = MECHANISM.radians();
    let orders = MECHANISM.orders();
    let (inputs, radians, orders, reactions) = (&inputs[..], &radians[..], &orders[..], &reactions[..]);
    let (species, variable) = (&species[..], MECHANISM.variable());
    let request =
        ChemistryRequest { species, variable, cfactor, part_of_air, inputs, radians, orders, reactions, given: &[] };
    read_chemistry(path, &request).map(|input| format!("{input:?}"))
}
