//! `isobar radiation --gradient`: radiative kernels are what fluxes change by where the file changes.

use std::process::{Command, Output};

use isobar_core::Real;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::{data, said};

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];
const LAYERS_ALONE: &[&str] = &["layer"];
const LAYERS: usize = 6;

/// Which temperatures a file has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Has {
    Both,
    Layers,
    Levels,
}

/// Two columns of six layers, from the top down, with a cloud.
fn columns(has: Has) -> Classic {
    let rows = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    let file =
        Classic { dimensions: vec![("column", 2), ("layer", LAYERS), ("level", LAYERS + 1)], ..Classic::default() }
            .with("plev", LEVEL, "Pa", &rows(&[1e3, 1e4, 3e4, 5e4, 7e4, 9e4, 1e5]))
            .with("tsfc", COLUMN, "K", &[290.3, 285.4])
            .with("emis", COLUMN, "1", &[0.98, 0.96])
            .with("mu0", COLUMN, "1", &[0.7, 0.3])
            .with("albedo", COLUMN, "1", &[0.1, 0.3])
            .with("h2o", LAYER, "mol mol-1", &rows(&[4e-6, 3e-5, 3e-4, 2e-3, 6e-3, 0.01]))
            .with("o3", LAYER, "mol mol-1", &rows(&[4e-6, 6e-7, 8e-8, 5e-8, 4e-8, 3e-8]))
            .with("co2", &[], "1e-6", &[420.0])
            .with("ch4", &[], "1e-9", &[1900.0])
            .with("n2o", &[], "1e-9", &[335.0])
            .with("o2", &[], "1", &[0.209])
            // Of the whole layer: which g-points see a part is drawn by pressures and temperatures.
            .with("cloud_fraction", LAYER, "1", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
            .with("liquid_water_path", LAYER, "g m-2", &rows(&[0.0, 0.0, 0.0, 20.0, 0.0, 0.0]))
            .with("liquid_radius", LAYER, "um", &rows(&[8.3; LAYERS]));
    // Not so near to whole kelvins, the nodes of the Planck functions' tables, that differences cross them.
    let file = match has {
        Has::Levels => file,
        _ => file.with("tlay", LAYER, "K", &rows(&[221.7, 218.4, 232.6, 250.7, 268.3, 281.4])),
    };
    match has {
        Has::Layers => file,
        _ => file.with("tlev", LEVEL, "K", &rows(&[223.3, 217.4, 224.6, 242.3, 260.7, 275.4, 287.3])),
    }
}

fn solve(file: &Classic, more: &[&str]) -> (Case, Output) {
    let case = Case::of("radiation", &file.bytes());
    let output = case.command(&[&["--precision", "f64"], more].concat());
    (case, output)
}

/// The fluxes of the file, by column.
fn flux(file: &Classic, of: &str) -> [f64; 2] {
    let (case, output) = solve(file, &[]);
    assert!(output.status.success(), "{}", said(&output));
    let fluxes = Numbers::open(&case.out());
    let part = |name: &str, level: usize| {
        let values = fluxes.all(name);
        [values[2 * level], values[2 * level + 1]]
    };
    let net = |level: usize| {
        let [down, up] = ["down", "up"].map(|way| {
            let [long, short] = ["long", "short"].map(|wave| part(&format!("{wave}wave_{way}ward_flux"), level));
            [long[0] + short[0], long[1] + short[1]]
        });
        [down[0] - up[0], down[1] - up[1]]
    };
    match of {
        "toa_net" => net(0),
        "surface_net" => net(LAYERS),
        "toa_longwave_up" => part("longwave_upward_flux", 0),
        "toa_shortwave_up" => part("shortwave_upward_flux", 0),
        "surface_longwave_down" => part("longwave_downward_flux", LAYERS),
        "surface_shortwave_down" => part("shortwave_downward_flux", LAYERS),
        _ => unreachable!("{of}"),
    }
}

/// Kernels of a flux by an input against differences, row by row.
fn agree(has: Has, of: &str, (variable, by): (&str, &str)) {
    let file = columns(has);
    let (case, output) = solve(&file, &["--gradient", of, "--by", by]);
    assert!(output.status.success(), "{has:?} {of} {by}: {}", said(&output));
    let name = format!("{of}_by_{by}");
    let kernel = Numbers::open(&case.out()).all(&name);
    let rows = kernel.len() / 2;
    let largest = kernel.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    assert!(largest > 0.0, "{of} {by}");
    // The first, the last, and one in the cloud.
    for row in [0, rows / 2, rows - 1] {
        let step = 1e-4;
        let moved = |sign: f64| {
            let mut file = file.clone();
            let values = &mut file.variable(variable).values;
            let widths = [values[2 * row], values[2 * row + 1]].map(|value| value.abs() * step);
            values[2 * row] += sign * widths[0];
            values[2 * row + 1] += sign * widths[1];
            (flux(&file, of), widths)
        };
        let ((more, widths), (less, _)) = (moved(1.0), moved(-1.0));
        for column in 0..2 {
            let (exact, width) = (kernel[2 * row + column], widths[column]);
            if width == 0.0 {
                continue;
            }
            let difference = (more[column] - less[column]) / (2.0 * width);
            // Third derivatives times the square of the step, and roundings of 1000 W/m^2 over it.
            let accepted = 1e-5 * largest + 1e3 * 10.0 * f64::EPSILON / width;
            assert!((exact - difference).abs() < accepted, "{has:?} {name} {row} {column}: {exact} {difference}");
        }
    }
}

/// The same where all rows change at once, each by another part of it: kernels times changes are what the flux changes
/// by.
fn agree_along(file: &Classic, of: &str, (variable, by): (&str, &str)) {
    let (case, output) = solve(file, &["--gradient", of, "--by", by]);
    assert!(output.status.success(), "{of} {by}: {}", said(&output));
    let mut kernel = Numbers::open(&case.out()).all(&format!("{of}_by_{by}"));
    // Below the ground there is none.
    kernel.iter_mut().filter(|kernel| **kernel > 9e36).for_each(|kernel| *kernel = 0.0);
    let part = |(at, value): (usize, &f64)| 1e-4 * value * ((0.618 * at as f64).fract() - 0.4);
    let moved = |sign: f64| {
        let mut file = file.clone();
        let values = &mut file.variable(variable).values;
        let widths: Vec<f64> = values.iter().enumerate().map(part).collect();
        values.iter_mut().zip(&widths).for_each(|(value, width)| *value += sign * width);
        (flux(&file, of), widths)
    };
    let ((more, widths), (less, _)) = (moved(1.0), moved(-1.0));
    for column in 0..2 {
        let terms = kernel.iter().zip(&widths).skip(column).step_by(2).map(|(kernel, width)| kernel * width);
        let (exact, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        let difference = 0.5 * (more[column] - less[column]);
        let accepted = 1e-5 * size + 1e3 * 10.0 * f64::EPSILON;
        assert!((exact - difference).abs() < accepted, "{of} {by} {column}: {exact} {difference}");
    }
}

#[test]
fn kernels_are_what_fluxes_change_by() {
    agree(Has::Both, "toa_net", ("tsfc", "surface_temperature"));
    agree(Has::Both, "toa_net", ("tlay", "temperature"));
    agree(Has::Both, "toa_net", ("liquid_water_path", "liquid_water_path"));
    agree(Has::Both, "surface_net", ("tlev", "level_temperature"));
    agree(Has::Both, "surface_net", ("h2o", "h2o"));
    agree(Has::Both, "toa_longwave_up", ("o3", "o3"));
    agree(Has::Both, "toa_shortwave_up", ("liquid_radius", "liquid_radius"));
    agree(Has::Both, "surface_longwave_down", ("h2o", "h2o"));
    agree(Has::Both, "surface_shortwave_down", ("o3", "o3"));
}

/// An input by the name that it has in its file.
#[test]
fn inputs_go_by_the_names_of_the_file() {
    let file = columns(Has::Both);
    let of = |by: &str| {
        let (case, output) = solve(&file, &["--gradient", "toa_net", "--by", by]);
        assert!(output.status.success(), "{by}: {}", said(&output));
        Numbers::open(&case.out())
    };
    let [ours, theirs] = ["surface_temperature,temperature", "tsfc,tlay"].map(of);
    for name in ["toa_net_by_surface_temperature", "toa_net_by_temperature"] {
        assert_eq!(theirs.all(name), ours.all(name), "{name}");
    }
    // Others are not written.
    assert!(!theirs.has("toa_net_by_h2o"));
    let (_, output) = solve(&file, &["--gradient", "toa_net", "--by", "lwp"]);
    assert!(said(&output).contains("--by lwp: there are no derivatives by it, but by"), "{}", said(&output));
}

/// A file that has temperatures of layers alone, or of levels: others follow these, and kernels have both.
#[test]
fn derived_temperatures_follow_those_of_the_file() {
    agree(Has::Layers, "toa_net", ("tlay", "temperature"));
    agree(Has::Levels, "surface_longwave_down", ("tlev", "level_temperature"));
    for (has, missing) in [(Has::Layers, "level_temperature"), (Has::Levels, "temperature")] {
        let (_, output) = solve(&columns(has), &["--gradient", "toa_net", "--by", missing]);
        assert!(!output.status.success());
        assert!(said(&output).contains(&format!("--by {missing}: the file has no {missing}")), "{}", said(&output));
    }
}

fn without(mut file: Classic, name: &str) -> Classic {
    file.variables.retain(|variable| variable.name != name);
    file
}

fn twice(values: &[f64]) -> Vec<f64> {
    values.iter().flat_map(|&value| [value, 0.99 * value]).collect()
}

/// A file that has pressures of layers alone, or of levels: others follow these, and so do temperatures of levels or
/// layers, and water paths.
#[test]
fn derived_pressures_follow_those_of_the_file() {
    let play = twice(&[5e3, 2e4, 4.1e4, 6.1e4, 8.1e4, 9.55e4]);
    // Temperatures of levels follow both.
    let both = columns(Has::Layers).with("play", LAYER, "Pa", &play);
    agree_along(&both, "toa_net", ("play", "pressure"));
    agree_along(&both, "toa_net", ("plev", "level_pressure"));
    // Of levels: pressures and temperatures of layers are means.
    agree_along(&columns(Has::Levels), "toa_net", ("plev", "level_pressure"));
    agree_along(&columns(Has::Both), "surface_net", ("plev", "level_pressure"));
    // Of layers, with and without that of the ground.
    let layers = without(both, "plev");
    agree_along(&layers, "toa_net", ("play", "pressure"));
    let grounded = layers.clone().with("surface_pressure", COLUMN, "Pa", &[1e5, 0.99e5]);
    agree_along(&grounded, "surface_longwave_down", ("play", "pressure"));
    // Water as a part of the air's mass.
    let content = twice(&[0.0, 0.0, 0.0, 1e-5, 0.0, 0.0]);
    let content = without(columns(Has::Levels), "liquid_water_path").with("clwc", LAYER, "kg kg-1", &content);
    agree_along(&content, "toa_shortwave_up", ("plev", "level_pressure"));
    // There are none by what the file does not have.
    for (file, missing, from) in
        [(columns(Has::Both), "pressure", "level_pressure"), (grounded, "level_pressure", "pressure")]
    {
        let (case, output) = solve(&file, &["--gradient", "toa_net"]);
        assert!(output.status.success(), "{}", said(&output));
        let kernels = Numbers::open(&case.out());
        assert!(!kernels.has(&format!("toa_net_by_{missing}")) && kernels.has(&format!("toa_net_by_{from}")));
        let (_, output) = solve(&file, &["--gradient", "toa_net", "--by", missing]);
        let text = format!("--by {missing}: the file has no {missing}, which follows from {from}");
        assert!(!output.status.success() && said(&output).contains(&text), "{}", said(&output));
    }
}

/// Levels by hybrid coefficients.
fn hybrid(has: Has) -> Classic {
    without(columns(has), "plev")
        .with("hyai", &["level"], "Pa", &[1e3, 9e3, 1.5e4, 1e4, 5e3, 1e3, 0.0])
        .with("hybi", &["level"], "1", &[0.0, 0.01, 0.15, 0.4, 0.65, 0.89, 1.0])
        .with("PS", COLUMN, "Pa", &[1e5, 0.99e5])
}

/// Kernels by the pressure of the surface against central differences: where each layer's share in it is right, they
/// agree to 1e-6.
fn agree_by_surface_pressure(file: &Classic, of: &str, variable: &str) {
    let (case, output) = solve(file, &["--gradient", of, "--by", "surface_pressure"]);
    assert!(output.status.success(), "{of}: {}", said(&output));
    let (numbers, name) = (Numbers::open(&case.out()), format!("{of}_by_surface_pressure"));
    assert_eq!(numbers.attribute(&name, "units").as_deref(), Some("W m-2 Pa-1"));
    let kernel = numbers.all(&name);
    assert_eq!(kernel.len(), 2);
    // The fourth order's formula, whose error is beyond the roundings of 1000 W/m^2.
    let step = 20.0;
    let moved = |steps: f64| {
        let mut file = file.clone();
        let values = &mut file.variable(variable).values;
        for value in values.iter_mut() {
            let pressure = if variable == "lnsp" { Real::exp(*value) } else { *value } + steps * step;
            *value = if variable == "lnsp" { Real::ln(pressure) } else { pressure };
        }
        flux(&file, of)
    };
    let [two_less, less, more, two_more] = [-2.0, -1.0, 1.0, 2.0].map(moved);
    for column in 0..2 {
        let near = (more[column] - less[column]) / (2.0 * step);
        let far = (two_more[column] - two_less[column]) / (4.0 * step);
        let (difference, exact) = ((4.0 * near - far) / 3.0, kernel[column]);
        let accepted = 1e-6 * exact.abs() + 1e3 * 4.0 * f64::EPSILON / step;
        assert!((exact - difference).abs() < accepted, "{of} {variable} {column}: {exact} {difference}");
    }
}

/// Pressures of levels, and of layers by their means or by coefficients of their own, follow that of the surface.
#[test]
fn hybrid_pressures_follow_that_of_the_surface() {
    for has in [Has::Both, Has::Layers, Has::Levels] {
        agree_by_surface_pressure(&hybrid(has), "toa_net", "PS");
        agree_by_surface_pressure(&hybrid(has), "surface_longwave_down", "PS");
    }
    let own = hybrid(Has::Layers).with("hyam", LAYERS_ALONE, "Pa", &[4e3, 1.2e4, 1.3e4, 8e3, 3e3, 600.0]).with(
        "hybm",
        LAYERS_ALONE,
        "1",
        &[0.004, 0.07, 0.27, 0.52, 0.77, 0.945],
    );
    agree_by_surface_pressure(&own, "toa_net", "PS");
    // ECMWF's logarithm of it: the derivative is by the pressure itself.
    let ecmwf = without(hybrid(Has::Layers), "PS").with(
        "lnsp",
        COLUMN,
        "1",
        &[1e5, 0.99e5].map(|pressure: f64| Real::ln(pressure)),
    );
    agree_by_surface_pressure(&ecmwf, "toa_net", "lnsp");
    // Water as a part of the air's mass.
    let content = twice(&[0.0, 0.0, 0.0, 1e-5, 0.0, 0.0]);
    let content = without(hybrid(Has::Levels), "liquid_water_path").with("clwc", LAYER, "kg kg-1", &content);
    agree_by_surface_pressure(&content, "toa_shortwave_up", "PS");
    // By the file's name, and among all.
    let (case, output) = solve(&hybrid(Has::Layers), &["--gradient", "toa_net", "--by", "PS"]);
    assert!(output.status.success(), "{}", said(&output));
    let one = Numbers::open(&case.out()).all("toa_net_by_surface_pressure");
    let (case, _) = solve(&hybrid(Has::Layers), &["--gradient", "toa_net"]);
    assert_eq!(Numbers::open(&case.out()).all("toa_net_by_surface_pressure"), one);
}

/// So does the lowest level of layers with pressures of their own, and below the ground what is left of the lowest.
#[test]
fn the_lowest_layer_ends_at_the_surface() {
    let play = twice(&[5e3, 2e4, 4.1e4, 6.1e4, 8.1e4, 9.55e4]);
    let layers = without(columns(Has::Layers), "plev").with("play", LAYER, "Pa", &play).with(
        "surface_pressure",
        COLUMN,
        "Pa",
        &[1e5, 0.99e5],
    );
    agree_by_surface_pressure(&layers, "toa_net", "surface_pressure");
    // The second column's ground lies above the lowest layer.
    let mountain = without(columns(Has::Layers), "plev")
        .with("layer", LAYERS_ALONE, "Pa", &[5e3, 2e4, 4.1e4, 6.1e4, 8.1e4, 9.55e4])
        .with("surface_pressure", COLUMN, "Pa", &[1e5, 0.9e5]);
    agree_by_surface_pressure(&mountain, "toa_net", "surface_pressure");
    agree_along(&mountain, "toa_net", ("tlay", "temperature"));
    let (_, output) = solve(&columns(Has::Both), &["--gradient", "toa_net", "--by", "surface_pressure"]);
    let text = "--by surface_pressure: the pressures of the file do not follow from it";
    assert!(!output.status.success() && said(&output).contains(text), "{}", said(&output));
}

/// Of hybrid coefficients there is one set for all columns: no column has pressures of its own.
#[test]
fn there_are_no_derivatives_by_coefficients() {
    let file = hybrid(Has::Layers);
    let (case, output) = solve(&file, &["--gradient", "toa_net"]);
    assert!(output.status.success(), "{}", said(&output));
    let kernels = Numbers::open(&case.out());
    assert!(kernels.has("toa_net_by_temperature"));
    for name in ["pressure", "level_pressure"] {
        assert!(!kernels.has(&format!("toa_net_by_{name}")), "{name}");
        let (_, output) = solve(&file, &["--gradient", "toa_net", "--by", name]);
        let text = format!("--by {name}: the file has no {name} by column, which follows from hyai + hybi * surface");
        assert!(!output.status.success() && said(&output).contains(&text), "{}", said(&output));
    }
}

/// MPAS's file: pressures of levels and temperatures follow, these at constant potential temperature.
#[test]
fn potential_temperatures_are_held() {
    let heights = twice(&[2.8e4, 1.6e4, 9.2e3, 5.6e3, 3e3, 9e2, 0.0]);
    let layers = twice(&[5.1e3, 2e4, 4.1e4, 6.1e4, 8.1e4, 9.55e4]);
    let mut file = without(without(columns(Has::Layers), "plev"), "tlay")
        .with("pressure", LAYER, "Pa", &layers)
        .with("theta", LAYER, "K", &twice(&[518.6, 347.0, 302.4, 289.6, 286.1, 285.7]))
        .with("zgrid", LEVEL, "m", &heights)
        .with("surface_pressure", COLUMN, "Pa", &[1e5, 0.99e5]);
    for path in ["liquid_water_path", "liquid_radius", "cloud_fraction"] {
        file = without(file, path);
    }
    agree_along(&file, "toa_net", ("pressure", "pressure"));
    // Cloud droplets have a size by density: that is held, and said.
    let file = file.with("qc", LAYER, "kg kg-1", &twice(&[0.0, 0.0, 0.0, 1e-5, 0.0, 0.0]));
    let case = Case::of("radiation", &file.bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["radiation", "in.nc", "-o", "o.nc", "--device", "cpu", "--gradient", "toa_net"]);
    let output = command.env("ISOBAR_DATA", data()).current_dir(case.folder.path()).output().unwrap();
    let text = "--gradient: what was derived so is held, whatever it follows from: liquid_radius: by Martin et al.";
    assert!(said(&output).contains(text), "{}", said(&output));
}

#[test]
fn all_that_there_is_by_several_fluxes_and_in_parts() {
    let file = columns(Has::Both);
    let more = ["--gradient", "toa_net,surface_net"];
    let (case, _) = solve(&file, &more);
    let (parts, _) = solve(&file, &[&more[..], &["--at-once", "1"]].concat());
    let [whole, parts] = [case, parts].map(|case| Numbers::open(&case.out()));
    for flux in ["toa_net", "surface_net"] {
        for by in ["temperature", "h2o", "o3", "surface_temperature", "surface_albedo_direct", "cosine_zenith", "co2"] {
            let name = format!("{flux}_by_{by}");
            let values = whole.all(&name);
            assert!(values.len() == 2 || values.len() == 2 * LAYERS, "{name}");
            assert!(values.iter().all(|value| value.is_finite()), "{name}");
            assert_eq!(values, parts.all(&name), "{name}");
        }
    }
    // The spectra do not know of it.
    let refused = |more: &[&str], part: &str| {
        let (_, output) = solve(&file, more);
        assert!(!output.status.success() && said(&output).contains(part), "{more:?}: {}", said(&output));
    };
    refused(
        &["--gradient", "toa_net", "--by", "cloud_fraction"],
        "--by cloud_fraction: there are no derivatives by it",
    );
    refused(&["--gradient", "toa_net,surface_net,toa_net"], "--gradient toa_net is given twice");
    refused(&["--gradient", "toa_net", "--by", "rain_water_path"], "--by rain_water_path: nothing depends on it here");
    refused(&["--gradient", "toa_net", "--top-layer"], "--top-layer");
    refused(&["--gradient", "toa_net", "--solver", "tripleclouds"], "--gradient: the adjoint has clouds");
}
