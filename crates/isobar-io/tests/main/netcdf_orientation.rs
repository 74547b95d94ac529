//! Which end of a NetCDF file's layers is the top: in all the ways in which files say it.

use crate::common::netcdf::{Make, TEMPERATURE};
use isobar_io::netcdf::Orientation::{BottomFirst, TopFirst};

fn column() -> Make {
    Make::new(&[("layer", 3), ("level", 4), ("profile", 2)])
        .with("temperature(profile, layer)", &["units=K"], &[3., 2., 1., 6., 5., 4.])
        .with("temperature_level(level)", &["units=K"], &[4., 3., 2., 1.])
}

#[test]
fn nothing_said_is_top_first() {
    assert_eq!(column().orientation(), Ok(TopFirst));
}

#[test]
fn attributes_of_the_file() {
    for (text, expected) in [
        ("top_first", TopFirst),
        ("top_to_bottom", TopFirst),
        ("Top", TopFirst),
        ("bottom_first", BottomFirst),
        ("bottom_to_top", BottomFirst),
        ("bottom", BottomFirst),
    ] {
        assert_eq!(column().global("orientation", text).orientation(), Ok(expected));
    }
    assert_eq!(column().global("positive", "down").orientation(), Ok(TopFirst));
    assert_eq!(column().global("positive", "up").orientation(), Ok(BottomFirst));
    let expected = "in.nc: attribute orientation = \"sideways\"; accepted: top_first, bottom_first";
    assert_eq!(column().global("orientation", "sideways").orientation().unwrap_err(), expected);
}

#[test]
fn coordinates_say_it_with_their_values() {
    let layer =
        |attributes: &[&str], values: [f64; 3]| column().with("layer(layer)", attributes, &values).orientation();
    assert_eq!(layer(&["positive=down"], [1., 2., 3.]), Ok(TopFirst));
    assert_eq!(layer(&["positive=up"], [1., 2., 3.]), Ok(BottomFirst));
    assert_eq!(layer(&["positive=down"], [3., 2., 1.]), Ok(BottomFirst));
    assert_eq!(layer(&["positive=up"], [3., 2., 1.]), Ok(TopFirst));
    assert_eq!(layer(&["units=hPa"], [1., 500., 1000.]), Ok(TopFirst));
    assert_eq!(layer(&["units=hPa"], [1000., 500., 1.]), Ok(BottomFirst));
    assert_eq!(layer(&["standard_name=altitude", "units=km"], [1., 2., 3.]), Ok(BottomFirst));
    // Numbers of levels, in whatever order.
    assert_eq!(layer(&["standard_name=height"], [1., 2., 3.]), Ok(TopFirst));
    assert_eq!(layer(&["standard_name=height", "units=1"], [1., 2., 3.]), Ok(TopFirst));
    assert_eq!(layer(&["orientation=bottom_first"], [1., 2., 3.]), Ok(BottomFirst));
    assert_eq!(layer(&["units=1"], [3., 2., 1.]), Ok(TopFirst));
    let expected = "in.nc: coordinate layer neither increases nor decreases throughout";
    assert_eq!(layer(&["positive=up"], [1., 3., 2.]).unwrap_err(), expected);
}

/// As most files have heights: without `positive`, which CF asks for, and without a standard name.
#[test]
fn heights_say_it_by_their_name_or_axis() {
    let along = |name: &'static str, attributes: &[&str]| {
        Make::new(&[(name, 3), ("level", 4)])
            .with(&format!("temperature({name})"), &["units=K"], &[3., 2., 1.])
            .with(&format!("{name}({name})"), attributes, &[1., 2., 3.])
            .orientation()
    };
    assert_eq!(along("height", &["units=km"]), Ok(BottomFirst));
    assert_eq!(along("layer", &["units=m", "axis=Z"]), Ok(BottomFirst));
    assert_eq!(along("layer", &["units=m", "long_name=geometric height"]), Ok(BottomFirst));
    // Depths, lengths along anything, and numbers of levels that are called height.
    assert_eq!(along("layer", &["units=m", "axis=Z", "long_name=depth below the top"]), Ok(TopFirst));
    assert_eq!(along("layer", &["units=m"]), Ok(TopFirst));
    assert_eq!(along("height", &["units=1"]), Ok(TopFirst));
    assert_eq!(along("height", &["units=km", "positive=down"]), Ok(TopFirst));
}

#[test]
fn pressures_and_heights_of_any_name_say_it() {
    let pressure = ["standard_name=air_pressure", "units=hPa"];
    let make = column().with("p(level, profile)", &pressure, &[1000., 990., 500., 490., 100., 90., 1., 1.]);
    assert_eq!(make.orientation(), Ok(BottomFirst));
    let make = column().with("z(level)", &["standard_name=height", "units=km"], &[90., 50., 10., 0.]);
    assert_eq!(make.orientation(), Ok(TopFirst));
}

/// CF's coordinates of the levels around layers, of which nothing else is read, as CAM's `ilev` beside `lev`.
#[test]
fn levels_that_are_not_read_say_it_for_the_layers_between() {
    let pressures = [1000., 700., 300., 0.1];
    let layers = |names: [&'static str; 2], what: &str, attributes: &[&str], values: &[f64]| {
        Make::new(&[(names[0], 3), (names[1], 4)])
            .with(&format!("temperature({})", names[0]), &["units=K"], &[3., 2., 1.])
            .with(what, attributes, values)
            .orientation()
    };
    let pressure = ["units=hPa", "standard_name=air_pressure", "positive=down", "axis=Z"];
    let height = ["units=m", "standard_name=altitude", "positive=up", "axis=Z"];
    let heights = [0., 3000., 8000., 20000.];
    assert_eq!(layers(["layer", "level"], "level(level)", &pressure, &pressures), Ok(BottomFirst));
    assert_eq!(layers(["layer", "level"], "level(level)", &height, &heights), Ok(BottomFirst));
    assert_eq!(layers(["layer", "level"], "p(level)", &pressure[..2], &pressures), Ok(BottomFirst));
    assert_eq!(layers(["lev", "ilev"], "ilev(ilev)", &pressure, &pressures), Ok(BottomFirst));
    assert_eq!(layers(["layer", "z"], "z(z)", &height, &heights), Ok(BottomFirst));
    let falling = [0.1, 300., 700., 1000.];
    assert_eq!(layers(["layer", "level"], "level(level)", &pressure, &falling), Ok(TopFirst));
    // Levels of other layers, and of soil, say nothing; nor against what the layers' own coordinate says.
    let other = Make::new(&[("layer", 3), ("level", 5)]).with("temperature(layer)", &["units=K"], &[3., 2., 1.]);
    let other = other.with("level(level)", &["units=hPa"], &[1000., 700., 300., 100., 1.]);
    assert_eq!(other.orientation(), Ok(TopFirst));
    let depth = ["units=m", "standard_name=depth", "positive=down", "axis=Z"];
    assert_eq!(layers(["layer", "z"], "z(z)", &depth, &[3., 2., 1., 0.]), Ok(TopFirst));
    let both = Make::new(&[("layer", 3), ("level", 4)])
        .with("temperature(layer)", &["units=K"], &[3., 2., 1.])
        .with("layer(layer)", &["units=hPa"], &[1., 500., 900.])
        .with("level(level)", &pressure, &pressures);
    assert_eq!(both.orientation(), Ok(TopFirst));
}

/// Without a standard name: by `positive` or `axis`, and by a plain name with its unit. What says it counts as read.
#[test]
fn pressures_and_heights_along_the_layers_say_it_without_a_standard_name() {
    let layers = |what: &str, attributes: &[&str], values: &[f64]| column().with(what, attributes, values);
    for (what, attributes, values) in [
        ("altitude(layer)", &["units=m", "positive=up", "axis=Z"][..], &[0., 3000., 8000.][..]),
        ("zm(layer)", &["units=km", "positive=up"], &[0., 3., 8.]),
        ("zm(layer, profile)", &["units=km", "axis=Z"], &[0., 0., 3., 3., 8., 8.]),
        ("height(layer)", &["units=m"], &[0., 3000., 8000.]),
        ("pressure(layer)", &["units=hPa"], &[900., 500., 100.]),
    ] {
        let (_folder, mut file) = layers(what, attributes, values).open();
        file.read(&TEMPERATURE).unwrap();
        assert_eq!(file.orientation().unwrap(), BottomFirst, "{what}");
        assert_eq!(file.not_read(), ["temperature_level"], "{what}");
    }
    // A flux, a thickness and a number.
    for (what, attributes) in [
        ("flux(layer)", &["units=W m-2", "positive=up"][..]),
        ("thickness(layer)", &["units=m"]),
        ("pressure(layer)", &["units=1"]),
    ] {
        assert_eq!(layers(what, attributes, &[3., 2., 1.]).orientation(), Ok(TopFirst), "{what}");
    }
}

#[test]
fn the_sign_of_a_flux_is_no_orientation() {
    let make = Make::new(&[("layer", 3)]).with("temperature(layer)", &["units=K", "positive=up"], &[1., 2., 3.]);
    assert_eq!(make.orientation(), Ok(TopFirst));
    let make = Make::new(&[("layer", 3)]).with("temperature(layer)", &["units=K", "orientation=bottom"], &[1., 2., 3.]);
    assert_eq!(make.orientation(), Ok(BottomFirst));
}

#[test]
fn contradictions_are_errors() {
    let make = column().with("layer(layer)", &["units=hPa"], &[10., 500., 1000.]).with(
        "level(level)",
        &["units=hPa"],
        &[1000., 500., 100., 1.],
    );
    assert_eq!(
        make.orientation().unwrap_err(),
        "in.nc: layer, which counts downwards and increases with layer, says that index 0 is the top, \
         but level, which counts downwards and decreases with level, says that index 0 is the bottom"
    );
    let make = column().global("orientation", "top_first").with("level(level)", &["positive=up"], &[1., 2., 3., 4.]);
    assert!(
        make.orientation()
            .unwrap_err()
            .contains("attribute orientation = \"top_first\" says that index 0 is the top, but level")
    );
}

#[test]
fn fields_are_turned() {
    let (_folder, mut file) = column().global("orientation", "bottom_first").open();
    let mut temperature = file.read(&TEMPERATURE).unwrap();
    temperature.top_first(file.orientation().unwrap());
    assert_eq!(temperature.values, [1., 4., 2., 5., 3., 6.]);
}
