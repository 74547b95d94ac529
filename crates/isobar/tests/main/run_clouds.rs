//! The clouds of a file that `isobar run` starts from, and of a case.

use std::fs;

use netcdf_reader::NcFile;

use crate::common::classic::Classic;
use crate::common::data;
use crate::common::run_case::{CASE, Case};
use crate::masked_columns::demonstration;

const FRACTION: &str = "cloud_area_fraction_in_atmosphere_layer";
/// What NetCDF marks missing values with.
const FILL: f64 = 9.969_209_968_386_869e36;
const COLUMNS: usize = 4;

/// Half an hour from a file, with more sections.
fn start(file: &Classic, more: &str) -> Case {
    let text = CASE.replacen("columns = 3\n", "", 1).replacen("hours = 1.5", "hours = 0.5", 1);
    let text = text.replacen("kind = \"us76\"", "kind = \"netcdf\"\nfile = \"columns.nc\"", 1);
    let text = text.replacen("[grid]\nlayers = 10\ntop_m = 16_000.0\n", "", 1);
    let text = text.replacen("restart_hours = 0.5\n", "", 1).replacen("[site]\nlatitude_deg = [20.0, 50.0]\n", "", 1);
    let case = Case::new(&(text + more));
    fs::write(case.path("columns.nc"), file.bytes()).unwrap();
    case
}

fn values(case: &Case, name: &str) -> Vec<f64> {
    NcFile::open(case.path("out.nc")).unwrap().read_variable_as_f64(name).unwrap().iter().copied().collect()
}

/// The columns of a file on a grid of two latitudes and two longitudes.
fn on_grid(mut file: Classic) -> Classic {
    file.dimensions.retain(|(name, _)| *name != "column");
    file.dimensions.extend([("lat", 2), ("lon", 2)]);
    for variable in &mut file.variables {
        if let Some(place) = variable.dimensions.iter().position(|name| *name == "column") {
            variable.dimensions.splice(place..=place, ["lat", "lon"]);
        }
    }
    file.with("lat", &["lat"], "degrees_north", &[10.0, 20.0]).with("lon", &["lon"], "degrees_east", &[5.0, 15.0])
}

fn with_fraction(name: &'static str, units: &'static str, part: impl Fn(usize) -> f64) -> Classic {
    let mut file = demonstration(&[]);
    let (dimensions, size) = {
        let water = file.variable("qc");
        (water.dimensions.clone(), water.values.len())
    };
    file.with(name, &dimensions, units, &(0..size).map(part).collect::<Vec<_>>())
}

/// Sizes of particles and a cloudy part that neither the file nor the case has are said.
#[test]
fn what_is_made_up_of_clouds_is_said() {
    let line = "columns.nc: neither this nor the case says: ";
    let whole = "cloud fraction = 1 where there is cloud water or ice\n";
    let mut file = demonstration(&[]);
    file.variable("qc").values[40..44].fill(1e-4);
    let told = start(&file, "").told();
    assert!(told.contains(&format!("{line}liquid_radius_um = 10 of [clouds], {whole}")), "{told}");
    let told = start(&file, "[clouds]\nliquid_radius_um = 12.0\n").told();
    assert!(told.contains(&format!("{line}{whole}")) && !told.contains("liquid_radius_um"), "{told}");
    let part = |i: usize| if (40..44).contains(&i) { 0.5 } else { 1.0 };
    let told = start(&with_fraction("cloud_fraction", "1", part), "[clouds]\nliquid_radius_um = 12.0\n").told();
    assert!(!told.contains("cloud fraction = 1"), "{told}");
}

/// The names that models have for the cloudy part of layers, and their units, on columns and on a grid.
#[test]
fn the_cloudy_part_of_layers_is_the_files_on_every_grid() {
    let part = |i: usize| 0.2 + 0.01 * (i % 50) as f64;
    for (name, units, whole, grid) in [
        ("cl", "%", 100.0, true),
        ("cloud_fraction", "1", 1.0, true),
        ("CLDFRA", "1", 1.0, true),
        ("cc", "1", 1.0, true),
        ("cldfra", "1", 1.0, false),
    ] {
        let file = with_fraction(name, units, |i| whole * part(i));
        let case = start(&if grid { on_grid(file) } else { file }, "");
        let told = case.told();
        let left = told.lines().find_map(|line| line.split_once("not read: ")).map_or("", |(_, names)| names);
        assert!(!left.split(", ").any(|other| other == name), "{name}: {told}");
        for (i, got) in values(&case, FRACTION).into_iter().enumerate() {
            assert!((got - part(i)).abs() < 1e-14, "{name} {i}: {got} {}", part(i));
        }
    }
}

/// Water where there is no cloudy part is no cloud, and a line counts it: the demonstration's is in its last column.
#[test]
fn water_without_a_cloudy_part_is_said() {
    let mut file = with_fraction("cloud_fraction", "1", |_| 0.0);
    let water = file.variable("qc").values.iter().filter(|&&water| water > 0.0).count();
    let all = file.variable("qc").values.len();
    let case = start(&file, "");
    let told = case.told();
    let line =
        format!("columns.nc: cloud water or ice of {water} of {all} layers is left out: their cloud fraction is 0");
    assert!(water > 0 && told.contains(&line), "{told}");
    assert!(values(&case, "liquid_water_path").iter().all(|&path| path == 0.0));
}

/// A column without values has no cloudy part either, and nothing is seen or said of it.
#[test]
fn masked_columns_may_lack_their_cloudy_part() {
    let control = data().join("nadir/nadir.ctl").display().to_string();
    let satellite = format!("[satellite]\ncontrol = {control:?}\nhours = [0.5]\n");
    let [whole, masked] = [&[][..], &[0, 2]].map(|without: &[usize]| {
        let file = demonstration(without);
        let size = file.variables.iter().find(|variable| variable.name == "qc").unwrap().values.len();
        let part = |i: usize| if without.contains(&(i % COLUMNS)) { FILL } else { 0.5 };
        let part: Vec<f64> = (0..size).map(part).collect();
        start(&file.with("cloud_fraction", &["layer", "column"], "1", &part), &satellite)
    });
    whole.done("out.nc", &[]);
    let told = masked.told();
    assert!(!told.contains("no radiances") && !told.contains("cloud water or ice"), "{told}");
    for name in [FRACTION, "liquid_water_path", "upwelling_longwave_flux_in_air", "radiance"] {
        let [whole, masked] = [&whole, &masked].map(|case| values(case, name));
        for (i, (whole, masked)) in whole.iter().zip(&masked).enumerate() {
            let as_expected = if [0, 2].contains(&(i % COLUMNS)) { *masked > 9e36 } else { masked == whole };
            assert!(as_expected, "{name} {i}: {masked} {whole}");
        }
    }
}
