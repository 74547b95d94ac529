use proptest::prelude::*;

use super::*;

fn unit(text: &str) -> Unit {
    text.parse().unwrap_or_else(|problem| panic!("{text:?}: {problem}"))
}

fn convert(value: f64, from: &str, to: &str) -> f64 {
    unit(from).conversion(&unit(to)).unwrap_or_else(|| panic!("{from} to {to}")).apply(value)
}

#[track_caller]
fn same(a: &str, b: &str) {
    let conversion = unit(a).conversion(&unit(b)).unwrap_or_else(|| panic!("{a} is not {b}"));
    assert!(conversion.is_identity(), "{a} is {b} times {conversion:?}");
}

#[test]
fn spellings_of_a_radiance_are_one_unit() {
    for text in [
        "W/(m^2 sr cm^-1)",
        "W / (m2 sr cm-1)",
        "W m-2 sr-1 cm",
        "W m**-2 sr**-1 / cm-1",
        "W.m-2.sr-1.cm",
        "W m-2 sr-1 (cm-1)-1",
        "W m⁻² sr⁻¹ cm",
        "watts per m2 per steradian per cm-1",
        "W*m^-2*sr^-1*cm",
        "kg s-3 sr-1 cm",
    ] {
        same(text, "W m-2 sr-1 / cm-1");
    }
    assert_eq!(convert(3.0, "W m-2 sr-1 cm", "mW m-2 sr-1 cm"), 3000.0);
    assert_eq!(convert(0.7, "mW/(m2 sr cm-1)", "W/(m2 sr cm-1)"), 0.7 / 1000.0);
    assert_eq!(convert(0.7, "W m-2 sr-1 m", "W m-2 sr-1 cm"), 70.0);
    assert_eq!(convert(5.0, "nW cm-2 sr-1 cm", "W m-2 sr-1 cm"), 5e-5);
}

#[test]
fn decimal_factors_are_one_rounding() {
    assert_eq!(convert(1013.25, "hPa", "Pa"), 101_325.0);
    assert_eq!(convert(0.1, "Pa", "hPa"), 0.1 / 100.0);
    assert_eq!(convert(0.1, "km", "m"), 0.1 * 1000.0);
    assert_eq!(convert(667.0, "cm-1", "m-1"), 66_700.0);
    assert_eq!(convert(0.3, "g kg-1", "1"), 0.3 / 1000.0);
    assert_eq!(convert(360.0, "ppmv", "1"), 360.0 / 1e6);
    assert_eq!(convert(7.0, "%", "1"), 7.0 / 100.0);
    assert_eq!(convert(1.5, "hour", "min"), 90.0);
    assert_eq!(convert(1.0, "100 Pa", "hPa"), 1.0);
    assert_eq!(convert(2.0, "1e-6 mol mol-1", "ppmv"), 2.0);
    assert_eq!(convert(2.0, "1.e-6", "ppmv"), 2.0);
    assert_eq!(convert(2.0, "10.m", "km"), 0.02);
    assert_eq!(convert(2.0, "0.001 kg", "g"), 2.0);
    assert_eq!(convert(2.0, "10^3 m", "km"), 2.0);
    assert_eq!(convert(2.0, "m of water equivalent", "mm"), 2000.0);
}

#[test]
fn equal_units_change_no_bit() {
    for (a, b) in [
        ("mb", "hPa"),
        ("mbar", "hectopascal"),
        ("", "1"),
        ("-", "1"),
        ("dimensionless", "1"),
        ("(0 - 1)", "1"),
        ("[0-1]", "1"),
        ("degC", "Celsius"),
        ("deg C", "Celsius"),
        ("degrees Celsius", "degC"),
        ("C", "degC"),
        ("deg K", "K"),
        ("kg m-2", "1e3 mm kg m-3"),
        ("m s-1", "m/s"),
        ("J kg-1", "m2 s-2"),
        ("kilograms", "kg"),
        ("um", "micron"),
        ("Hz", "s-1"),
        ("deg", "degrees"),
        ("N m-2", "Pa"),
        ("kg kg-1", "1"),
        ("K km-1", "degC/km"),
        ("m3", "1e3 L"),
    ] {
        same(a, b);
    }
    let conversion = unit("hPa").conversion(&unit("mb")).unwrap();
    for value in [-0.0, f64::MIN_POSITIVE / 3.0, 0.1] {
        assert_eq!(conversion.apply(value).to_bits(), value.to_bits());
    }
}

#[test]
fn temperatures_have_an_offset_and_differences_none() {
    assert_eq!(convert(15.0, "degC", "K"), 288.15);
    assert_eq!(convert(288.15, "K", "degree_Celsius"), 288.15 - 273.15);
    assert!((convert(59.0, "degF", "K") - 288.15).abs() < 1e-12);
    // 1852 m an hour.
    for knot in ["knot", "knots", "kt", "kts"] {
        assert_eq!(convert(3600.0, knot, "m s-1"), 1852.0, "{knot}");
    }
    assert_eq!(convert(6.5, "degC km-1", "K km-1"), 6.5);
}

#[test]
fn angles_are_not_numbers() {
    assert_eq!(convert(180.0, "degree", "rad"), std::f64::consts::PI);
    assert_eq!(unit("degree").conversion(&unit("1")), None);
}

#[test]
fn different_things_do_not_convert() {
    for (a, b) in [
        ("W m-2", "W m-2 sr-1"),
        ("W m-2 sr-1", "W m-2 sr-1 cm"),
        ("W m-2 sr-1 um-1", "W m-2 sr-1 cm"),
        ("hPa", "m"),
        ("K", "1"),
        ("W/m2 sr", "W m-2 sr-1"),
        ("kg kg-1", "ppmv"),
        ("g/kg", "mol mol-1"),
        ("kg m-2", "molecules cm-2"),
    ] {
        assert_eq!(unit(a).conversion(&unit(b)), None, "{a} to {b}");
    }
}

#[test]
fn what_is_no_unit_says_why() {
    for (text, why) in [
        ("furlong", r#""furlong" is not a known unit"#),
        ("W/(m2 sr", "a parenthesis is not closed"),
        ("W m-2)", r#"")" is not understood"#),
        ("m^", "a power is missing"),
        ("m^999", "the power 999 is too large"),
        ("m^-1.5.x", r#""x" is not a known unit"#),
        ("0 m", "the factor 0 is not accepted"),
        ("hours since 2000-01-01", r#""since" is not a known unit"#),
        ("[Pa, mb]", r#""[Pa, mb]" is not understood"#),
    ] {
        assert_eq!(text.parse::<Unit>().map_err(|problem| problem.to_string()), Err(why.to_owned()), "{text}");
    }
    assert!("m".repeat(1000).parse::<Unit>().is_err());
    assert!("((((((m^99)^99)^99)^99)^99)^99)".parse::<Unit>().is_err());
    assert!("(".repeat(120).parse::<Unit>().is_err());
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,40}") {
        let _ = text.parse::<Unit>();
    }

    #[test]
    fn no_text_of_unit_letters_panics(text in "[Wmsrk0-9e.*/^() -]{0,24}") {
        if let Ok(unit) = text.parse::<Unit>() {
            prop_assert!(unit.conversion(&unit).is_none_or(|conversion| conversion.is_identity()));
        }
    }

    #[test]
    fn there_and_back_is_the_same(value in -1e6..1e6, pair in prop::sample::select(vec![
        ("hPa", "Pa"), ("degC", "K"), ("degF", "degC"), ("km", "m"), ("hour", "day"), ("degree", "rad"),
        ("W/(m2 sr cm-1)", "mW m-2 sr-1 m"), ("atm", "mb"),
    ])) {
        let back = convert(convert(value, pair.0, pair.1), pair.1, pair.0);
        prop_assert!((back - value).abs() <= 1e-12 * value.abs().max(1000.0));
    }

    #[test]
    fn order_of_factors_does_not_matter(order in Just(vec!["mW", "m-2", "sr-1", "cm", "hPa2"]).prop_shuffle()) {
        same(&order.join(" "), "mW m-2 sr-1 cm hPa2");
        same(&order.join("."), &order.join("*"));
    }
}
