//! NetCDF input: variables by any of their names, in any order, in any unit; what makes no sense is refused.

use crate::common::message;
use crate::common::netcdf::{COSINE, EMISSIVITY, LEVEL_TEMPERATURE, Make, SIX, TEMPERATURE, layers};
use isobar_io::netcdf::{Accepted, Dimension, Remarks, VariableSpec};

use Dimension::{Layer, Profile};

#[test]
fn dimensions_are_matched_by_name_in_any_order() {
    let field = Make::new(&[("ncol", 2), ("time", 1), ("n_Layers", 3)])
        .with("temperature(ncol, time, n_Layers)", &["units=K"], &[200., 202., 204., 201., 203., 205.])
        .read(&TEMPERATURE);
    assert_eq!((field.shape, field.values), (vec![3, 2], SIX.to_vec()));
    assert_eq!(field.dimensions, [Layer, Profile]);
}

#[test]
fn names_are_ours_then_aliases_then_standard_names() {
    let other =
        |make: Make, name: &str, attributes: &[&str]| make.with(&format!("{name}(layer)"), attributes, &[1., 2., 3.]);
    let standard = ["units=K", "standard_name=air_temperature"];
    let make = other(layers(), "x", &standard);
    assert_eq!(make.read(&TEMPERATURE).name, "x");
    let make = other(other(layers(), "x", &standard), "tlay", &["units=K"]);
    assert_eq!(make.read(&TEMPERATURE).name, "tlay");
    let make = other(other(other(layers(), "x", &standard), "tlay", &["units=K"]), "temperature", &["units=K"]);
    assert_eq!(make.read(&TEMPERATURE).name, "temperature");
    // The same standard name on levels is another variable.
    let make = Make::new(&[("layer", 3), ("level", 4)]).with("y(level)", &standard, &[1., 2., 3., 4.]);
    assert_eq!(other(make, "x", &standard).read(&TEMPERATURE).name, "x");
}

#[test]
fn what_has_the_standard_name_on_other_dimensions_is_another_quantity() {
    let standard = ["units=K", "standard_name=air_temperature"];
    let make = || Make::new(&[("layer", 3), ("level", 4)]).with("temperature(layer)", &standard, &[1., 2., 3.]);
    let (_folder, mut file) = make().open();
    assert!(!file.has(&LEVEL_TEMPERATURE).unwrap());
    assert_eq!(file.read_optional(&LEVEL_TEMPERATURE).unwrap(), None);
    // What is needed may be meant by it.
    let expected = "in.nc: temperature has dimension layer = 3; expected (level, profile)";
    assert_eq!(make().refuses(&[&LEVEL_TEMPERATURE]), expected);
    // Our own name is that of the quantity, whatever its dimensions are.
    let (_folder, mut file) = make().with("temperature_level(layer)", &["units=K"], &[1., 2., 3.]).open();
    assert!(file.read_optional(&LEVEL_TEMPERATURE).is_err());
}

#[test]
fn names_in_another_case_are_found_last() {
    let one = |name: &str| layers().with(&format!("{name}(layer)"), &["units=K"], &[1., 2., 3.]);
    for name in ["Temperature", "TEMPERATURE", "TLAY"] {
        assert_eq!(one(name).read(&TEMPERATURE).name, name);
    }
    let both = one("TEMPERATURE").with("tlay(layer)", &["units=K"], &[4., 5., 6.]);
    assert_eq!(both.read(&TEMPERATURE).name, "tlay");
    // A letter in capitals is another quantity.
    let (_folder, file) = Make::new(&[("angle", 2)]).with("MU(angle)", &["units=1"], &[0.5; 2]).open();
    assert!(!file.has(&COSINE).unwrap());
    assert!(one("T-Lay").refuses(&[&TEMPERATURE]).contains("; is it T-Lay?"));
}

#[test]
fn what_rounding_left_out_of_range_is_its_end_and_counted() {
    let emissivity = Make::new(&[("profile", 3)]);
    let read = |make: Make| {
        let (_folder, mut file) = make.open();
        file.clamp_rounding();
        let values = file.read(&EMISSIVITY).map(|field| field.values).map_err(|error| error.to_string());
        (values, file.clamped().to_vec())
    };
    // Singles and doubles: a millionth of the range.
    let of = |values: [f64; 3]| {
        let make = Make::new(&[("profile", 3)]);
        read(make.with("emissivity(profile)", &["units=1"], &values))
    };
    let (values, clamped) = of([1.000_000_1, 0.5, -1e-9]);
    assert_eq!(values.unwrap(), [1.0, 0.5, 0.0]);
    let [all] = &clamped[..] else { panic!("{clamped:?}") };
    assert_eq!((&*all.variable, all.count, &*all.first), ("emissivity", 2, "1.0000001 at profile 0 for 1"));
    assert!(of([1.0 + 0.9e-6, 0.5, 0.0]).0.is_ok());
    let (values, clamped) = of([1.0 + 1.1e-6, 0.5, 0.0]);
    assert!(values.unwrap_err().contains("lies outside [0, 1]") && clamped.is_empty());
    let singles = [1.000_000_1_f32, 0.5, 0.0];
    assert_eq!(read(emissivity.with_numbers("emissivity(profile)", &["units=1"], &[], &singles)).0.unwrap()[0], 1.0);
    // Beyond 0 one of the largest value, however wide the range: all ozone is less than a millionth.
    assert_eq!(of([3e-8, 1e-8, -1e-15]).0.unwrap(), [3e-8, 1e-8, 0.0]);
    assert!(of([3e-8, 1e-8, -1e-12]).0.unwrap_err().contains("emissivity = -0.000000000001 at profile 2"));
    assert!(of([-1e-8; 3]).0.unwrap_err().contains("lies outside [0, 1]"));
    // 1 less a clear part of 1, nowhere a cloud.
    assert_eq!(of([-1e-15, 0.0, -2e-16]).0.unwrap(), [0.0; 3]);
    // Packed ones: half a step of 1e-4, in the unit of the range.
    let packed = |value: i16, units: &str, scale: f64| {
        let make = Make::new(&[("profile", 3)]);
        let numbers = [("scale_factor", scale), ("add_offset", 0.00004)];
        read(make.with_numbers("emissivity(profile)", &[units], &numbers, &[value, 0, 5])).0
    };
    assert_eq!(packed(10_000, "units=1", 1e-4).unwrap()[0], 1.0);
    assert_eq!(packed(10_000, "units=%", 1e-2).unwrap()[0], 1.0);
    assert!(packed(10_001, "units=1", 1e-4).is_err());
    // Whole numbers are exact, and so is the end that is no value itself.
    let whole = Make::new(&[("profile", 3)]);
    assert!(read(whole.with_numbers("emissivity(profile)", &["units=1"], &[], &[1_i32, 2, 0])).0.is_err());
    let (_folder, mut file) = Make::new(&[("angle", 1)]).with("cosine(angle)", &["units=1"], &[-1e-12]).open();
    file.clamp_rounding();
    assert!(file.read(&COSINE).is_err());
    // What stands for "above 0" is no rounding of 0, however large the other end is.
    let low = std::ops::Bound::Included(1e-6);
    let positive = VariableSpec { accepted: Accepted { low, high: std::ops::Bound::Included(1e7) }, ..TEMPERATURE };
    let (_folder, mut file) = layers().with("temperature(layer)", &["units=K"], &[200., 100., 0.]).open();
    file.clamp_rounding();
    assert!(file.read(&positive).is_err());
    // Nobody has asked for it.
    let make = Make::new(&[("profile", 1)]).with("emissivity(profile)", &["units=1"], &[1.000_000_1]);
    assert!(make.refuses(&[&EMISSIVITY]).contains("lies outside [0, 1]"));
    // Without an end of the range: a millionth of the largest value.
    let heights = VariableSpec { accepted: Accepted::NOT_NEGATIVE, ..TEMPERATURE };
    for (least, fits) in [(-1e-4, true), (-3e-4, false)] {
        let (_folder, mut file) = layers().with("temperature(layer)", &["units=K"], &[200., 100., least]).open();
        file.clamp_rounding();
        assert_eq!(file.read(&heights).is_ok(), fits, "{least}");
    }
}

#[test]
fn what_nothing_has_read_is_listed() {
    let make = Make::new(&[("layer", 3), ("profile", 2), ("time", 1)])
        .with("foo(profile)", &["units=1"], &[1., 2.])
        .with("cc(layer)", &["units=1"], &[1., 2., 3.])
        .with("temperature(layer)", &["units=K", "coordinates=height station"], &[200., 100., 300.])
        .with("layer(layer)", &["bounds=edges"], &[1., 2., 3.])
        .with("height(layer)", &["units=m"], &[1., 2., 3.])
        .with("edges(layer)", &[], &[1., 2., 3.])
        .with("station", &[], &[1.])
        .with("start", &["units=days since 2000-01-01"], &[1.])
        .with("XLAT(profile)", &[], &[1., 2.])
        .with("north(profile)", &["units=degrees_north"], &[1., 2.]);
    let (_folder, mut file) = make.open();
    file.read(&TEMPERATURE).unwrap();
    assert_eq!(file.not_read(), ["cc", "foo"]);
    assert_eq!(Remarks::of(&file).lines(), ["not read: cc, foo"]);
    let names: Vec<String> = (0..25).map(|number| format!("v{number}")).collect();
    let many = names.iter().fold(Make::new(&[]), |make, name| make.with(name, &[], &[1.]));
    let lines = Remarks::of(&many.open().1).lines();
    assert!(lines[0].ends_with(" and 5 more"), "{lines:?}");
}

#[test]
fn two_candidates_and_none_are_errors() {
    let make =
        layers().with("tlay(layer)", &["units=K"], &[1., 2., 3.]).with("t_lay(layer)", &["units=K"], &[1., 2., 3.]);
    assert_eq!(
        make.refuses(&[&TEMPERATURE]),
        "in.nc: both tlay and t_lay could be temperature; call one of them temperature"
    );
    let make = layers().with("a(layer)", &["units=K"], &[1., 2., 3.]);
    let (_folder, mut file) = make.open();
    assert!(!file.has(&TEMPERATURE).unwrap());
    assert_eq!(file.read_optional(&TEMPERATURE).unwrap(), None);
    let path = file.path().to_owned();
    assert_eq!(
        message(file.read(&TEMPERATURE), &path),
        "in.nc: temperature(layer, profile) in \"K\" is missing; also accepted: t_lay, tlay, standard_name \
         \"air_temperature\"; the file has: a"
    );
}

#[test]
fn units_are_converted_and_must_be_there() {
    let make = |attributes: &[&str]| layers().with("temperature(layer)", attributes, &[0., 10., 20.]);
    for units in ["units=degC", "units=deg C", "units=C"] {
        assert_eq!(make(&[units]).read(&TEMPERATURE).values, [273.15, 283.15, 293.15]);
    }
    // What has no dimension needs none.
    for attributes in [&[][..], &["units="], &["units=(0 - 1)"], &["units=1"]] {
        assert_eq!(Make::new(&[]).with("emissivity", attributes, &[0.5]).read(&EMISSIVITY).values, [0.5]);
    }
    for (attributes, problem) in [
        (&[][..], "temperature has no attribute \"units\"; expected \"K\" or a unit that converts to it"),
        (&["units=hPa"], "temperature has units \"hPa\", which do not convert to \"K\""),
        (
            &["units=[K]"],
            "temperature has units \"[K]\": \"[K]\" is not understood; expected \"K\" or a unit that converts to it",
        ),
    ] {
        assert_eq!(make(attributes).refuses(&[&TEMPERATURE]), format!("in.nc: {problem}"));
    }
}

#[test]
fn dimensions_that_are_left_out_are_filled() {
    let make = || {
        Make::new(&[("layer", 1), ("profile", 2), ("angle", 3), ("one", 1)])
            .with("cosine(angle)", &["units=1"], &[1., 0.5, 0.25])
            .with("temperature(layer, profile)", &["units=K"], &[250., 251.])
    };
    let read = |make: Make| {
        let (_folder, mut file) = make.open();
        file.read(&COSINE).unwrap();
        file.read(&TEMPERATURE).unwrap();
        let field = file.read(&EMISSIVITY).unwrap();
        file.broadcast(field)
    };
    let field = read(make().with("emissivity(profile)", &["units=1"], &[0.9, 0.8]));
    assert_eq!((field.shape, field.values), (vec![3, 2], vec![0.9, 0.8, 0.9, 0.8, 0.9, 0.8]));
    let field = read(make().with("emissivity(angle)", &["units=%"], &[90., 80., 70.]));
    assert_eq!(field.values, [0.9, 0.9, 0.8, 0.8, 0.7, 0.7]);
    for scalar in ["emissivity", "emissivity(one)"] {
        let field = read(make().with(scalar, &["units=1"], &[0.5]));
        assert_eq!((field.shape, field.values), (vec![3, 2], vec![0.5; 6]));
    }
}

#[test]
fn dimensions_that_make_no_sense_are_refused() {
    let angles = || {
        Make::new(&[("angle", 6), ("mu", 5), ("layer", 3), ("level", 3), ("nlev", 4), ("ship", 2), ("lay", 3)])
            .with("cosine(angle)", &["units=1"], &[0.5; 6])
            .with("temperature(layer)", &["units=K"], &[250.; 3])
    };
    for (variable, spec, problem) in [
        ("emissivity(mu)", &EMISSIVITY, "emissivity has dimension angle (mu) = 5, but cosine has angle = 6"),
        (
            "temperature_level(level)",
            &LEVEL_TEMPERATURE,
            "temperature_level has dimension level = 3, but temperature has layer = 3; n layers have n + 1 levels",
        ),
        (
            "temperature_level(nlev, ship)",
            &LEVEL_TEMPERATURE,
            "temperature_level has dimension ship = 2; expected (level, profile)",
        ),
        (
            "temperature_level(layer)",
            &LEVEL_TEMPERATURE,
            "temperature_level has dimension layer = 3; expected (level, profile)",
        ),
        (
            "temperature_level",
            &LEVEL_TEMPERATURE,
            "temperature_level has no dimension level; expected (level, profile)",
        ),
        (
            "temperature_level(nlev, level)",
            &LEVEL_TEMPERATURE,
            "temperature_level has dimension level twice, the second called level",
        ),
    ] {
        let (_, dimensions) = variable.trim_end_matches(')').split_once('(').unwrap_or((variable, ""));
        let size = |name: &str| angles().dimensions.iter().find(|(known, _)| *known == name).unwrap().1 as usize;
        let count = dimensions.split(", ").filter(|name| !name.is_empty()).map(size).product();
        let make = angles().with(variable, &[if spec.unit == "K" { "units=K" } else { "units=1" }], &vec![0.5; count]);
        assert_eq!(make.refuses(&[&COSINE, &TEMPERATURE, spec]), format!("in.nc: {problem}"));
    }
}

#[test]
fn missing_values_name_variable_and_index() {
    let mut values = SIX;
    for (number, value, problem) in [
        (("_FillValue", -999.), -999., "(_FillValue -999)"),
        (("missing_value", -9e9), -9e9, "(missing_value -9000000000)"),
        (("_FillValue", f64::NAN), f64::NAN, "(_FillValue NaN)"),
        (("valid_min", 100.), 99., "(99 lies outside its own valid range, [100, inf])"),
        (("valid_max", 300.), 9.969_209_968_386_869e36, "(never written)"),
    ] {
        values[5] = value;
        let make = layers().with_numbers("temperature(layer, profile)", &["units=K"], &[number], &values);
        let expected = format!("in.nc: temperature is missing at layer 2, profile 1 {problem}");
        assert_eq!(make.refuses(&[&TEMPERATURE]), expected);
    }
}

#[test]
fn packed_values_are_unpacked_after_the_search_for_missing_ones() {
    let numbers = [("scale_factor", 0.5), ("add_offset", 100.), ("_FillValue", 300.)];
    let make = layers().with_numbers(
        "temperature(layer, profile)",
        &["units=K"],
        &numbers,
        &[200., 201., 202., 203., 204., 400.],
    );
    assert_eq!(make.read(&TEMPERATURE).values, [200., 200.5, 201., 201.5, 202., 300.]);
}

/// By the NetCDF User's Guide limits of the type of unpacked values are of these, others of packed ones.
#[test]
fn a_valid_range_of_the_unpacked_type_is_unpacked() {
    let make = |numbers: &[(&str, f64)], last: i16| {
        layers().with_numbers("temperature(layer, profile)", &["units=K"], numbers, &[200, 201, 202, 203, 204, last])
    };
    let unpacked = [("scale_factor", 0.5), ("add_offset", 100.), ("valid_min", 150.), ("valid_max", 350.)];
    assert_eq!(make(&unpacked, 400).read(&TEMPERATURE).values, [200., 200.5, 201., 201.5, 202., 300.]);
    let expected =
        "in.nc: temperature is missing at layer 2, profile 1 (400 lies outside its own valid range, [150, 350])";
    assert_eq!(make(&unpacked, 600).refuses(&[&TEMPERATURE]), expected);
    // Without packing they are of what is there.
    let expected =
        "in.nc: temperature is missing at layer 2, profile 1 (600 lies outside its own valid range, [150, 350])";
    assert_eq!(make(&unpacked[2..], 600).refuses(&[&TEMPERATURE]), expected);
}

#[test]
fn values_outside_the_accepted_range_are_named() {
    for (value, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (0.0, "0"), (-2.5, "-2.5")] {
        let mut values = SIX;
        values[3] = value;
        let make = layers().with("temperature(layer, profile)", &["units=K"], &values);
        let expected = format!("in.nc: temperature = {shown} K at layer 1, profile 1 lies outside (0, inf)");
        assert_eq!(make.refuses(&[&TEMPERATURE]), expected);
    }
    let make = Make::new(&[]).with("emissivity", &["units=1"], &[1.5]);
    assert_eq!(make.refuses(&[&EMISSIVITY]), "in.nc: emissivity = 1.5 lies outside [0, 1]");
}

#[test]
fn a_file_that_keeps_going_notes_what_it_refused() {
    let values = [200., -1., f64::NAN, 203., 204., 205.];
    let (_folder, mut file) = layers().with("temperature(layer, profile)", &["units=K"], &values).open();
    file.keep_going();
    let got = file.read(&TEMPERATURE).unwrap().values;
    assert!(got[1].is_nan() && got[2].is_nan() && got[0] == 200. && got[3..] == values[3..], "{got:?}");
    let [below, nan] = file.refusals() else { panic!("{:?}", file.refusals()) };
    assert_eq!(below.text, "temperature = -1 K at layer 0, profile 1 lies outside (0, inf)");
    assert_eq!((below.finite, nan.finite), (true, false));
    assert_eq!(nan.index, [(Profile, 0), (Layer, 1)]);
    // What is wrong with all of it is still an error.
    let (_folder, mut file) = layers().with("temperature(layer, profile)", &["units=m"], &values).open();
    file.keep_going();
    assert!(file.read(&TEMPERATURE).is_err());
}
