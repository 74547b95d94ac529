//! Atmosphere files: round trips and refusals.

use crate::common::{control, file, message, written};
use isobar_io::{Control, atmosphere_remarks, lost_in_binary, read_atmosphere, unread_of_atmosphere, write_atmosphere};
use isobar_raytrace::{Atmosphere, CloudLayer, SurfaceLayer};
use proptest::prelude::*;

fn two_gases() -> Control {
    control(&[("NG", "2"), ("EMITTER[0]", "CO2"), ("EMITTER[1]", "H2O")])
}

fn refusal(text: &str, control: &Control) -> String {
    let (_folder, path) = file(text, "atm.tab");
    message(read_atmosphere(&path, control), &path)
}

#[test]
fn columns_are_read_in_order() {
    let control = control(&[
        ("NG", "1"),
        ("EMITTER[0]", "CO2"),
        ("NW", "2"),
        ("NCL", "2"),
        ("CLNU[0]", "700"),
        ("CLNU[1]", "2400"),
        ("NSF", "2"),
        ("SFNU[0]", "700"),
        ("SFNU[1]", "2400"),
    ]);
    let text = "# any header\n\n5 20 1 2 50 220 3e-4 .1 .2 11 1.2 .3 .4 .5 950 290 .8 .9 extra\n\
                5 10 1 2 250 230 4e-4 .5 .6 0 0 0 0 0 0 0 0 0\n";
    let (_folder, path) = file(text, "atm.tab");
    let atmosphere = read_atmosphere(&path, &control).unwrap();
    let expected = Atmosphere {
        horizontal: isobar_raytrace::Horizontal::Uniform,
        time_s: vec![5.0; 2],
        height_km: vec![20.0, 10.0],
        longitude_deg: vec![1.0; 2],
        latitude_deg: vec![2.0; 2],
        pressure_hpa: vec![50.0, 250.0],
        temperature_k: vec![220.0, 230.0],
        mixing_ratio: vec![vec![3e-4, 4e-4]],
        extinction_per_km: vec![vec![0.1, 0.5], vec![0.2, 0.6]],
        cloud: Some(CloudLayer { height_km: 11.0, depth_km: 1.2, extinction_per_km: vec![0.3, 0.4] }),
        surface: Some(SurfaceLayer {
            height_km: 0.5,
            pressure_hpa: 950.0,
            temperature_k: 290.0,
            emissivity: vec![0.8, 0.9],
        }),
    };
    assert_eq!(atmosphere, expected);
}

/// One cloud and one surface: rows of one profile may leave them out (0), and say nothing else.
#[test]
fn rows_do_not_contradict_the_first() {
    let keys = [("NW", "0"), ("NSF", "2"), ("SFNU[0]", "700"), ("SFNU[1]", "2400")];
    let row = |z: f64, latitude: f64, kelvin: f64| {
        format!("0 {z} 0 {latitude} {} 250 0 1000 {kelvin} .8 .9\n", 1000.0 - 100.0 * z)
    };
    let one = refusal(&(row(0.0, 0.0, 290.0) + &row(1.0, 0.0, 291.0)), &control(&keys));
    let expected = "atm.tab:2: surface layer temperature 291 K of level 1 is 290 in the first row: cloud and surface \
                    are one for all levels and profiles";
    assert_eq!(one, expected);
    let track = control(&[&keys[..], &[("IP", "2")]].concat());
    let two = |kelvin: f64| {
        let first = row(0.0, 0.0, 290.0) + &row(1.0, 0.0, 290.0);
        first + &row(0.0, 5.0, kelvin) + &row(1.0, 5.0, kelvin)
    };
    assert!(refusal(&two(300.0), &track).starts_with("atm.tab:3: surface layer temperature 300 K of level 2 is 290"));
    let (_folder, path) = file(two(290.0), "atm.tab");
    assert_eq!(read_atmosphere(&path, &track).unwrap().surface.unwrap().temperature_k, 290.0);
}

#[test]
fn no_window_means_no_extinction() {
    let control = control(&[("NW", "0")]);
    let (_folder, path) = file("0 0 0 0 1000 290\n0 1 0 0 900 280\n", "atm.tab");
    let atmosphere = read_atmosphere(&path, &control).unwrap();
    assert_eq!(atmosphere.extinction_per_km, [[0.0, 0.0]]);
    let (_folder, path) = written("atm.tab", |out| write_atmosphere(out, &atmosphere, &control)).unwrap();
    assert_eq!(read_atmosphere(&path, &control).unwrap(), atmosphere);
}

#[test]
fn header_and_blank_lines_are_those_of_jurassic() {
    let control = two_gases();
    let (_folder, path) = file("0 0 0 0 1e3 290 4e-4 .01 0\n2000000 1 0 0 900 280 4e-4 1e-25 0\n", "atm.tab");
    let mut text = Vec::new();
    write_atmosphere(&mut text, &read_atmosphere(&path, &control).unwrap(), &control).unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "# $1 = time (seconds since 2000-01-01T00:00Z)\n# $2 = altitude [km]\n# $3 = longitude [deg]\n\
         # $4 = latitude [deg]\n# $5 = pressure [hPa]\n# $6 = temperature [K]\n# $7 = CO2 volume mixing ratio [ppv]\n\
         # $8 = H2O volume mixing ratio [ppv]\n# $9 = extinction (window 0) [km^-1]\n\n\
         0 0 0 0 1000 290 0.0004 0.01 0\n\n2e6 1 0 0 900 280 0.0004 1e-25 0\n"
    );
}

#[test]
fn refusals_name_line_variable_value_and_range() {
    let good = "0 0 0 0 1000 290 4e-4 .01 0\n";
    let cases = [
        ("0 1 0 0 900 -4 4e-4 .01 0\n", "atm.tab:2: temperature -4 K of level 1 lies outside (0, 1000]"),
        ("0 1 0 0 0 280 4e-4 .01 0\n", "atm.tab:2: pressure 0 hPa of level 1 lies outside (0, 50000]"),
        ("0 1 0 0 inf 280 4e-4 .01 0\n", "atm.tab:2: pressure inf hPa of level 1 lies outside (0, 50000]"),
        ("nan 1 0 0 900 280 4e-4 .01 0\n", "atm.tab:2: time NaN of level 1 lies outside (-inf, inf)"),
        ("0 1 0 0 900 280 1.5 .01 0\n", "atm.tab:2: CO2 volume mixing ratio 1.5 ppv of level 1 lies outside [0, 1]"),
        (
            "0 1 0 0 900 280 4e-4 -1e-9 0\n",
            "atm.tab:2: H2O volume mixing ratio -1e-9 ppv of level 1 lies outside [0, 1]",
        ),
        ("0 1 0 0 900 280 4e-4 .01 -1\n", "atm.tab:2: extinction (window 0) -1 km^-1 of level 1 lies outside [0, inf)"),
        ("0 1 0 0 9OO 280 4e-4 .01 0\n", "atm.tab:2: \"9OO\" is not a number (column 5, pressure)"),
        (
            "0 1 0 0 900 280 4e-4\n",
            "atm.tab:2: column 8 (H2O volume mixing ratio) is missing: the row has 7 of 9 columns",
        ),
        (
            "0 1 0 0 900 280 4e-4 .01 0\n0 .5 0 0 800 270 4e-4 .01 0\n",
            "atm.tab:3: altitude 0.5 km of level 2 breaks the ascending order: level 1 lies at 1 km \
             (several profiles in one file need IP = 2, and places that differ)",
        ),
        (
            "0 -1 0 0 1100 280 4e-4 .01 0\n0 -1 0 0 1200 270 4e-4 .01 0\n",
            "atm.tab:3: altitude -1 km of level 2 breaks the descending order: level 1 lies at -1 km \
             (several profiles in one file need IP = 2, and places that differ)",
        ),
        (
            "0 1 0 0 900 280 4e-4 .01 0\n\n9 0 0 0 1000 290 4e-4 .01 0\n",
            "atm.tab:4: altitude 0 km of level 2 is that of level 0: several profiles in one file need IP = 2, and \
             places that differ",
        ),
        ("", "atm.tab: an atmosphere needs at least 2 levels, the file has 1"),
        (
            "0 1 0 0 900 280 4e-4 .01 0\n0 2 0 0 900.5 270 4e-4 .01 0\n",
            "atm.tab:3: pressure 900.5 hPa of level 2 rises with height: 900 hPa at 1 km, 900.5 hPa at 2 km",
        ),
        (
            "0 -1 0 0 900 280 4e-4 .01 0\n",
            "atm.tab:2: pressure 900 hPa of level 1 rises with height: 900 hPa at -1 km, 1000 hPa at 0 km",
        ),
        (
            "0 1000 0 0 885 280 4e-4 .01 0\n0 2000 0 0 780 270 4e-4 .01 0\n",
            "atm.tab:3: altitude 2000 km of level 2: the pressure falls to 1/e of its value in 8050 km; altitudes are \
             wanted in km, are these in metres?",
        ),
    ];
    for (rest, expected) in cases {
        assert_eq!(refusal(&format!("{good}{rest}"), &two_gases()), expected);
    }
}

/// A pressure that is made hydrostatic is not the file's; one that does not change is that of a cell.
#[test]
fn pressures_that_do_not_count_may_rise() {
    let (_folder, path) = file("0 0 0 0 1000 290 4e-4 .01 0\n0 1 0 0 1100 280 4e-4 .01 0\n", "atm.tab");
    let keys = [("NG", "2"), ("EMITTER[0]", "CO2"), ("EMITTER[1]", "H2O"), ("HYDZ", "0")];
    read_atmosphere(&path, &control(&keys)).unwrap();
    let (_folder, path) = file("0 0 0 0 1000 290 4e-4 .01 0\n0 1 0 0 1000 280 4e-4 .01 0\n", "atm.tab");
    read_atmosphere(&path, &two_gases()).unwrap();
}

/// Numbers of another column or in another unit are numbers all the same: the header alone tells.
#[test]
fn header_of_other_columns_or_units_is_refused() {
    let rows = "0 0 0 0 1000 290 4e-4 .01 0\n0 1 0 0 900 280 4e-4 .01 0\n";
    let of = |line: &str| format!("# a comment\n{line}\n{rows}");
    for (line, expected) in [
        ("# $5 = pressure [Pa]", "atm.tab:2: column 5 holds pressure in [Pa], expected [hPa]"),
        ("# $2 = altitude [m]", "atm.tab:2: column 2 holds altitude in [m], expected [km]"),
        ("# $6 = temperature [degC]", "atm.tab:2: column 6 holds temperature in [degC], expected [K]"),
        (
            "#$7=CO2 volume mixing ratio [ppm]",
            "atm.tab:2: column 7 holds CO2 volume mixing ratio in [ppm], expected [ppv]",
        ),
        (
            "# $9 = extinction (window 0) [m^-1]",
            "atm.tab:2: column 9 holds extinction (window 0) in [m^-1], expected [km^-1]",
        ),
        ("# $1 = time [h]", "atm.tab:2: column 1 holds time in [h], expected [s]"),
        ("# $3 = latitude [deg]", "atm.tab:2: column 3 is titled latitude, longitude is expected"),
        ("# $5 = temperature [K]", "atm.tab:2: column 5 is titled temperature, pressure is expected"),
    ] {
        assert_eq!(refusal(&of(line), &two_gases()), expected);
    }
    for line in [
        "# $5 = pressure [mbar]",
        "# $5 = p [HPA]",
        "# $3 = longitude [degrees_east]",
        "# $7 = CO2 volume mixing ratio [mol/mol]",
        "# $9 = extinction (window 0) [1/km]",
        "# $10 = something [else]",
        "# $2 = altitude",
    ] {
        let (_folder, path) = file(of(line), "atm.tab");
        read_atmosphere(&path, &two_gases()).unwrap();
    }
}

#[test]
fn header_that_names_other_gases_is_refused() {
    let header = "# $6 = temperature [K]\n# $7 = H2O volume mixing ratio [ppv]\n# $8 = extinction (window 0) [km^-1]\n";
    let rows = "0 0 0 0 1000 290 .01 0\n0 1 0 0 900 280 .01 0\n";
    let text = format!("{header}{rows}");
    assert_eq!(
        refusal(&text, &two_gases()),
        "atm.tab:2: column 7 holds H2O volume mixing ratio, the control file asks for CO2 volume mixing ratio"
    );
    let more = control(&[("NG", "2"), ("EMITTER[0]", "H2O"), ("EMITTER[1]", "O3")]);
    assert_eq!(
        refusal(&text, &more),
        "atm.tab:3: column 8 holds extinction (window 0), the control file asks for O3 volume mixing ratio"
    );
    let none = control(&[("NG", "0")]);
    assert_eq!(
        refusal(&text, &none),
        "atm.tab:2: column 7 holds H2O volume mixing ratio, the control file asks for extinction (window 0)"
    );
}

#[test]
fn atmosphere_of_another_control_is_not_written() {
    let atmosphere = Atmosphere::new(vec![0.0, 1.0], vec![1000.0, 900.0], vec![290.0, 280.0]).unwrap();
    let error = write_atmosphere(&mut Vec::new(), &atmosphere, &two_gases()).unwrap_err();
    assert_eq!(error.to_string(), "the atmosphere fills 6 of 9 columns");
}

proptest! {
    #[test]
    fn written_atmosphere_reads_back_equal(
        levels in prop::collection::vec(
            (1e-30f64..=5e4, 1e-3f64..1e3, 0.0f64..=1.0, 0.0f64..1e300, -1e9f64..1e9),
            2..20,
        ),
        step in 1e-9f64..10.0,
        layers: [bool; 2],
    ) {
        let mut lines = vec![("NG", "1"), ("EMITTER[0]", "O3")];
        if layers[0] {
            lines.extend([("NCL", "2"), ("CLNU[0]", "700"), ("CLNU[1]", "2400")]);
        }
        if layers[1] {
            lines.extend([("NSF", "2"), ("SFNU[0]", "700"), ("SFNU[1]", "2400")]);
        }
        let control = control(&lines);
        let column = |f: fn(&(f64, f64, f64, f64, f64)) -> f64| levels.iter().map(f).collect::<Vec<f64>>();
        let atmosphere = Atmosphere {
            horizontal: isobar_raytrace::Horizontal::Uniform,
            time_s: column(|l| l.4),
            height_km: (0..levels.len()).map(|i| 60.0 - i as f64 * step).collect(),
            longitude_deg: column(|l| l.4 * 0.1),
            latitude_deg: column(|l| 180.0 * l.2 - 90.0),
            // From the top down.
            pressure_hpa: {
                let mut pressure_hpa = column(|l| l.0);
                pressure_hpa.sort_by(f64::total_cmp);
                pressure_hpa
            },
            temperature_k: column(|l| l.1),
            mixing_ratio: vec![column(|l| l.2)],
            extinction_per_km: vec![column(|l| l.3)],
            cloud: layers[0].then(|| CloudLayer {
                height_km: step,
                depth_km: -step,
                extinction_per_km: vec![step, 0.0],
            }),
            surface: layers[1].then(|| SurfaceLayer {
                height_km: step,
                pressure_hpa: -1.0,
                temperature_k: step,
                emissivity: vec![0.0, 1.0],
            }),
        };
        let (_folder, path) = written("atm.tab", |out| write_atmosphere(out, &atmosphere, &control)).unwrap();
        prop_assert_eq!(read_atmosphere(&path, &control).unwrap(), atmosphere);
    }
}

/// A cloud and a surface whose columns the control file does not ask for.
#[test]
fn columns_that_nobody_reads_are_named() {
    let row = |z: f64| format!("0 {z} 0 0 {} 280 4e-4 .01 0 11 1.2 .3 .4 # 5\n", 1000.0 - z);
    let titles = "# $10 = cloud layer height [km]\n# $12 = cloud layer extinction (700.0000 cm^-1) [km^-1]\n";
    let (folder, path) = file(titles.to_owned() + &row(0.0) + &row(1.0), "atm.tab");
    let said = |control: &Control| {
        let said = unread_of_atmosphere(&path, control)?;
        Some(said.replace(&*folder.path().join("").to_string_lossy(), ""))
    };
    let names = "cloud layer height [km], column 11, cloud layer extinction (700.0000 cm^-1) [km^-1], column 13";
    let expected = format!("atm.tab: not read: {names} (EMITTER, NW, NCL and NSF say what is)");
    assert_eq!(said(&two_gases()), Some(expected));
    assert_eq!(atmosphere_remarks(&path, &two_gases()).len(), 1);
    let gases = [("NG", "2"), ("EMITTER[0]", "CO2"), ("EMITTER[1]", "H2O")];
    let cloud = [("NCL", "2"), ("CLNU[0]", "700"), ("CLNU[1]", "900")];
    assert_eq!(said(&control(&[&gases[..], &cloud].concat())), None);
    assert!(said(&control(&[("NW", "20")])).is_none());
}

/// A binary file has the ground at the lowest level, whose pressure is that of the air.
#[test]
fn what_a_binary_file_lacks_is_said() {
    let mut air = Atmosphere::new(vec![30.0, 0.5], vec![12.0, 950.0], vec![220.0, 280.0]).unwrap();
    assert_eq!(lost_in_binary(&air), None);
    let surface = |height_km, pressure_hpa| {
        Some(SurfaceLayer { height_km, pressure_hpa, temperature_k: 290.0, emissivity: vec![0.9] })
    };
    air.surface = surface(0.5, 0.0);
    assert_eq!(lost_in_binary(&air), None);
    for (height_km, pressure_hpa) in [(1.5, 0.0), (0.5, 940.0)] {
        air.surface = surface(height_km, pressure_hpa);
        let said = lost_in_binary(&air).unwrap();
        let numbers =
            format!(": {height_km} km and {pressure_hpa} hPa are not written, and the lowest level, at 0.5 km");
        assert!(said.contains(&numbers), "{said}");
    }
}
