//! JURASSIC of 2026 on the command line: its tables, its files of profiles, its small tools.

use std::ffi::OsString;
use std::fs;
use std::process::Output;

use crate::common::classic::Classic;
use crate::common::{Case, isobar, numbers, printed, said};
use isobar_core::Real;
use isobar_raytrace::constants::EARTH_RADIUS_KM;

/// Runs a command of words, some of them paths of the case (`@`).
fn output(case: &Case, words: &str) -> Output {
    let word = |word: &str| match word.split_once('@') {
        Some((before, path)) => {
            let mut all = OsString::from(before);
            all.push(case.path(path));
            all
        }
        None => word.into(),
    };
    isobar(&words.split_whitespace().map(word).collect::<Vec<_>>())
}

/// What such a command printed.
fn run(case: &Case, words: &str) -> String {
    let output = output(case, words);
    assert!(output.status.success(), "{words}: {}", said(&output));
    printed(&output)
}

/// What one said that was refused.
fn refused(case: &Case, words: &str) -> String {
    let output = output(case, words);
    assert!(!output.status.success(), "{words}");
    said(&output)
}

/// The text of a forward run with keys.
fn forward(case: &Case, keys: &str) -> String {
    run(
        case,
        &format!(
            "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab -o - --quiet --device cpu {keys}"
        ),
    )
}

/// Logarithms of the same numbers, whatever file they come from.
#[test]
fn tables_in_every_format_give_the_same_radiances() {
    let case = Case::limb();
    let convert = "tables convert --ctl @limb/limb.ctl";
    // Column densities are near exp(40) to exp(60): logarithms in single precision have half of 2^-18 or 2^-19 of them.
    let output = output(&case, &format!("{convert} --base @a --format nc"));
    let told = said(&output);
    let share = told.split_once("column densities change by up to ").and_then(|(_, rest)| rest.split(' ').next());
    let share: f64 = share.unwrap_or_else(|| panic!("{told}")).parse().unwrap();
    assert!(output.status.success() && (5e-7..4e-6).contains(&share), "{told}");
    let again = self::output(&case, &format!("{convert} --base @b --format packed TBLFMT=3 TBLBASE=@a"));
    assert!(again.status.success() && !said(&again).contains("single precision"), "{}", said(&again));
    run(&case, &format!("{convert} --base @c --format bin TBLFMT=2 TBLBASE=@b"));
    run(&case, &format!("{convert} --base @d --format tab TBLFMT=3 TBLBASE=@a"));
    let own = forward(&case, "TBLINTERP=1");
    assert_eq!(forward(&case, "TBLINTERP=1 TBLFMT=3 TBLBASE=@a"), own);
    assert_eq!(forward(&case, "TBLINTERP=1 TBLFMT=2 TBLBASE=@b"), own);
    // Files of values have digits of single precision alone; the linear interpolation takes those everywhere.
    assert_eq!(forward(&case, "TBLFMT=1 TBLBASE=@d"), forward(&case, "TBLFMT=2 TBLBASE=@c"));
    assert_eq!(forward(&case, "TBLFMT=3 TBLBASE=@a"), forward(&case, "TBLFMT=2 TBLBASE=@b"));
    assert_ne!(forward(&case, ""), own);
    // The filter is inside, and has to come from somewhere.
    let one = run(&case, "tables convert @b_792.0000_O3.bin @e.bin --format packed");
    assert_eq!(
        (one.as_str(), fs::read(case.path("e.bin")).unwrap()),
        ("", fs::read(case.path("b_792.0000_O3.bin")).unwrap())
    );
    let path = |name: &str| case.path(name).into_os_string();
    let mut words: Vec<OsString> = ["tables", "convert"].map(Into::into).to_vec();
    words.extend([path("c_792.0000_O3.bin"), path("f.bin"), "--format".into(), "packed".into()]);
    let without = isobar(&words);
    assert!(!without.status.success() && said(&without).contains("has no filter inside"), "{}", said(&without));
}

#[test]
fn thinned_tables_say_what_they_do() {
    let case = Case::limb();
    let thin = "tables thin --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab";
    let said = run(&case, &format!("{thin} --base @thin TBLINTERP=1"));
    assert!(said.contains("O3: ") && said.contains("nodes stay") && said.contains("792.0000"), "{said}");
    let nothing = run(&case, &format!("{thin} --base @same --rtol 0 --atol 0 TBLINTERP=1"));
    // With no tolerance all nodes stay.
    for line in nothing.lines().skip_while(|line| !line.contains("cm^-1")).skip(1) {
        let largest: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(largest.abs() < 1e-3, "{line}");
    }
    forward(&case, "TBLINTERP=1 TBLFMT=3 TBLBASE=@thin");
}

#[test]
fn profiles_pass_through_netcdf() {
    let case = Case::limb();
    let ctl = "--ctl @limb/limb.ctl";
    for (tool, file) in [("atmfmt", "atm.tab"), ("obsfmt", "obs.tab")] {
        run(&case, &format!("jurassic {tool} {ctl} --in @limb/{file} -o @text"));
        run(&case, &format!("jurassic {tool} {ctl} --in @limb/{file} --in @text -o @{tool}.nc"));
        run(&case, &format!("jurassic {tool} {ctl} --in @{tool}.nc --profile 1 -o @again"));
        assert_eq!(fs::read(case.path("text")).unwrap(), fs::read(case.path("again")).unwrap());
    }
    let words = format!("forward {ctl} --atm @atmfmt.nc --obs @obsfmt.nc --quiet --device cpu PROF_IN=1");
    assert_eq!(run(&case, &format!("{words} -o -")), forward(&case, ""));
    run(&case, &format!("{words} -o @rad.nc OBSFMT=3"));
    run(&case, &format!("jurassic obsfmt {ctl} --in @rad.nc -o @rad.tab"));
    assert_eq!(fs::read_to_string(case.path("rad.tab")).unwrap(), forward(&case, ""));
    // At its own heights, an atmosphere is itself but for the last bits.
    run(&case, &format!("jurassic interpolate {ctl} --atm @limb/atm.tab --at @limb/atm.tab -o @same"));
    let numbers = |name: &str| -> Vec<f64> {
        let text = fs::read_to_string(case.path(name)).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
        rows.split_whitespace().map(|word| word.parse().unwrap()).collect()
    };
    for (same, text) in numbers("same").into_iter().zip({
        run(&case, &format!("jurassic atmfmt {ctl} --in @limb/atm.tab -o @text"));
        numbers("text")
    }) {
        assert!((same - text).abs() <= 1e-14 * text.abs(), "{same} is not {text}");
    }
}

#[test]
fn rays_and_black_bodies() {
    let case = Case::limb();
    let radiance = run(&case, "jurassic planck 250 792");
    assert_eq!(
        run(&case, &format!("jurassic brightness {} 792", radiance.trim())).trim().parse::<f64>().unwrap().round(),
        250.0
    );
    // 2 h c^2 nu^3 / (exp(h c nu / k T) - 1).
    let want = 1.191_042_59e-8 * (792.0 * 792.0 * 792.0) / Real::exp_m1(1.438_775_06 * 792.0 / 250.0_f64);
    assert!((radiance.trim().parse::<f64>().unwrap() / want - 1.0).abs() < 1e-13);
    let rows = |words: &str| -> Vec<Vec<f64>> {
        run(&case, &format!("jurassic {words} --ctl @limb/limb.ctl -o @rays"));
        let text = fs::read_to_string(case.path("rays")).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
    };
    let limb = rows("limb --z0 10 --z1 12");
    assert_eq!(limb.iter().map(|row| row[4]).collect::<Vec<_>>(), [10.0, 11.0, 12.0]);
    // cos of the angle at the Earth's centre, whose radius is 6367.421 km.
    assert!((Real::cos(limb[0][6].to_radians()) - 6377.421 / 7147.421).abs() < 1e-15);
    let north = rows("occultation --z0 10 --z1 12 --dt 2 --time 5");
    assert_eq!(north.iter().map(|row| row[0]).collect::<Vec<_>>(), [5.0, 7.0, 9.0]);
    let east = rows("occultation --z0 10 --z1 12 --azimuth 90 --obslon -20");
    for ((limb, north), east) in limb.iter().zip(&north).zip(&east) {
        assert!((north[6] - limb[6]).abs() < 1e-12 && north[5].abs() < 1e-12, "{north:?}");
        assert!((east[5] + 20.0 - limb[6]).abs() < 1e-12 && east[6].abs() < 1e-12, "{east:?}");
    }
    // From 60 N to the north-west: the spherical triangle with the pole.
    let west = &rows("occultation --z0 10 --z1 10 --azimuth -45 --obslat 60")[0];
    let (away, latitude) = (limb[0][6].to_radians(), 60_f64.to_radians());
    let sine =
        Real::sin(latitude) * Real::cos(away) + Real::cos(latitude) * Real::sin(away) * Real::cos(45_f64.to_radians());
    assert!((Real::sin(west[6].to_radians()) - sine).abs() < 1e-14);
    let east = Real::sin(away) * Real::sin(45_f64.to_radians()) / Real::cos(west[6].to_radians());
    assert!((Real::sin(west[5].to_radians()) + east).abs() < 1e-14);
    assert_eq!(rows("nadir").len(), 90);
    assert_eq!(run(&case, "jurassic time2jsec 2020-02-29T06:30:00"), "636273000\n");
    assert_eq!(run(&case, "jurassic jsec2time 636273000.25"), "2020-02-29T06:30:00.25Z\n");

    // The tables of the US Standard Atmosphere 1976: 11 km of geopotential height are 11.019 km.
    let air = rows("climatology --z0 0 --z1 11.019 --dz 11.019 --time 63158400");
    let near = |found: f64, wanted: f64, relative: f64| assert!((found / wanted - 1.0).abs() < relative, "{found}");
    near(air[0][4], 1013.25, 1e-12);
    near(air[0][5], 288.15, 1e-12);
    near(air[1][4], 226.32, 1e-4);
    near(air[1][5], 216.65, 1e-5);
    near(air[0][6], 371.789_948e-6, 1e-12);
    run(&case, "jurassic hydrostatic --ctl @limb/limb.ctl --in @rays -o @even HYDZ=0");
    let even = numbers(&fs::read_to_string(case.path("even")).unwrap());
    assert_eq!((even[0][4], even[1][5]), (air[0][4], air[1][5]));
    // A single layer, whose mean temperature is that of its ends, as in the troposphere; gravity and water differ.
    near(even[1][4], air[1][4], 0.01);
    assert!(even[1][4] != air[1][4]);
    let refused = |words: &str| refused(&case, words);
    let error = refused("jurassic climatology --ctl @limb/limb.ctl -o @x NG=4 EMITTER[3]=HNO3");
    assert!(error.contains("no profile is known of HNO3: give --gas NAME=VALUE"), "{error}");
    assert!(refused("jurassic climatology --ctl @limb/limb.ctl -o @x --z1 90").contains("outside [0, 86]"));
    assert!(refused("jurassic hydrostatic --ctl @limb/limb.ctl --in @rays -o @x").contains("give HYDZ=KM"));
    assert!(refused("jurassic time2jsec yesterday").contains("is no date such as"));
    let zenith = rows("zenith --theta0 0 --theta1 60 --dtheta 60 --vpz 80");
    assert_eq!((zenith.len(), zenith[0][6]), (2, 0.0));
    let (angle, ratio) = (60_f64.to_radians(), 6367.421_f64 / 6447.421);
    assert!((zenith[1][6].to_radians() - (angle - Real::asin(Real::sin(angle) * ratio))).abs() < 1e-14);
}

/// Three profiles of the limb case along the line of sight, which differ in temperature.
fn track(case: &Case) -> String {
    let text = fs::read_to_string(case.path("limb/atm.tab")).unwrap();
    let mut all = String::new();
    for (latitude, warmer) in [("15.5", 0.0), ("22.5", 6.0), ("30.5", -4.0)] {
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            words[3] = latitude.into();
            words[5] = (words[5].parse::<f64>().unwrap() + warmer).to_string();
            all += &(words.join(" ") + "\n");
        }
        all += "\n";
    }
    fs::write(case.path("track.tab"), &all).unwrap();
    all
}

#[test]
fn profiles_along_a_track_in_every_format() {
    let case = Case::limb();
    let text = track(&case);
    let forward = |atm: &str| {
        let words = "forward --ctl @limb/limb.ctl --obs @limb/obs.tab -o - --quiet --device cpu IP=2 --atm";
        run(&case, &format!("{words} @{atm}"))
    };
    let own = forward("track.tab");
    assert_ne!(
        own,
        run(&case, "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab -o - --quiet --device cpu")
    );
    let convert = "jurassic atmfmt --ctl @limb/limb.ctl IP=2 --in";
    run(&case, &format!("{convert} @track.tab -o @track.nc"));
    run(&case, &format!("{convert} @track.nc -o @track.bin"));
    run(&case, &format!("{convert} @track.bin -o @again.tab"));
    run(&case, &format!("{convert} @track.tab -o @same.tab"));
    assert_eq!(fs::read(case.path("again.tab")).unwrap(), fs::read(case.path("same.tab")).unwrap());
    assert_eq!((forward("track.nc"), forward("track.bin")), (own.clone(), own));
    // Half-way between the profiles at 22.5 and 30.5 degrees, the chords of which are the same.
    let between = text.replace(" 15.5 ", " 26.5 ").lines().take(5).collect::<Vec<_>>().join("\n");
    fs::write(case.path("places.tab"), between).unwrap();
    run(&case, "jurassic interpolate --ctl @limb/limb.ctl --atm @track.tab --at @places.tab -o @between.tab IP=2");
    let between = fs::read_to_string(case.path("between.tab")).unwrap();
    let last: Vec<f64> = between.lines().last().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    let profile: Vec<&str> = text.lines().nth(4).unwrap().split_whitespace().collect();
    let wanted = profile[5].parse::<f64>().unwrap() + 1.0;
    assert!((last[5] - wanted).abs() < 1e-9, "{} K is not {wanted} K", last[5]);
    // A profile of the file alone.
    run(&case, "jurassic atmfmt --ctl @limb/limb.ctl --in @track.nc --profile 1 -o @one.tab");
    assert!(fs::read_to_string(case.path("one.tab")).unwrap().contains(" 22.5 "));

    let refused = |content: &str, keys: &str| {
        fs::write(case.path("bad.tab"), content).unwrap();
        let paths = ["limb/limb.ctl", "bad.tab", "limb/obs.tab"].map(|name| case.path(name).into_os_string());
        let [ctl, atm, obs] = paths;
        let mut words: Vec<OsString> =
            vec!["forward".into(), "--ctl".into(), ctl, "--atm".into(), atm, "--obs".into(), obs];
        words.extend(["-o".into(), "-".into(), keys.into()]);
        let output = isobar(&words);
        assert!(!output.status.success());
        said(&output)
    };
    assert!(refused(&text, "IP=1").contains("several profiles in one file need IP = 2"));
    assert!(refused(&text, "IP=3").contains("IP = 3 lies outside {1 (one profile), 2 (profiles along a track)}"));
    let single = text.replacen(" 15.5 ", " 14 ", 1);
    assert!(refused(&single, "IP=2").contains("bad.tab: profile 0 (from level 0, at 0 E, 14 N) has a single level"));
    let twice = text.replace(" 30.5 ", " 15.5 ");
    let error = refused(&twice, "IP=2");
    assert!(error.contains("bad.tab: profile 2 ") && error.contains("stands where an earlier one does"), "{error}");
}

#[test]
fn a_jacobian_by_all_profiles_of_a_track() {
    let case = Case::limb();
    let text = track(&case);
    let levels = text.lines().filter(|line| !line.is_empty()).count();
    let keys = "--quiet --device cpu IP=2 ND=1 RETT_ZMIN=10 RETT_ZMAX=12";
    let rays = fs::read_to_string(case.path("limb/obs.tab")).unwrap();
    let rays: Vec<&str> = rays.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    let ray: Vec<&str> = rays[1].split_whitespace().take(7).collect();
    fs::write(case.path("ray.tab"), ray.join(" ")).unwrap();
    let kernel = |derivative: &str| {
        let words = "kernel --ctl @limb/limb.ctl --atm @track.tab --obs @ray.tab -o @kernel.tab --derivative";
        run(&case, &format!("{words} {derivative} {keys}"));
        isobar_io::read_matrix(&case.path("kernel.tab")).unwrap()
    };
    let (exact, kernel) = (kernel("exact"), kernel("finite"));
    assert_eq!((kernel.rows.len(), kernel.columns.len(), levels % 3), (1, 9, 0));
    let places: Vec<(f64, f64)> = kernel.columns.iter().map(|label| (label.latitude_deg, label.height_km)).collect();
    assert_eq!((places[0], places[4], places[8]), ((15.5, 10.0), (22.5, 11.0), (30.5, 12.0)));
    // The tangent point lies between the last two; what differences see is that of runs with one number changed.
    assert!(kernel.values[3..].iter().all(|value| *value != 0.0), "{:?}", kernel.values);
    let radiance = |text: &str| -> f64 {
        fs::write(case.path("moved.tab"), text).unwrap();
        let words = "forward --ctl @limb/limb.ctl --atm @moved.tab --obs @ray.tab -o -";
        let found = run(&case, &format!("{words} --quiet --device cpu IP=2 ND=1"));
        found.lines().last().unwrap().split_whitespace().nth(10).unwrap().parse().unwrap()
    };
    let row =
        text.lines().find(|line| line.split_whitespace().nth(1) == Some("11") && line.contains(" 30.5 ")).unwrap();
    let warmer = |by: f64| {
        let mut words: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
        words[5] = (words[5].parse::<f64>().unwrap() + by).to_string();
        radiance(&text.replace(row, &words.join(" "))) - radiance(&text)
    };
    let moved = warmer(1.0);
    // Radiances are written with all digits; a number of the file is rounded in the sum.
    assert!((moved - kernel.values[7]).abs() < 1e-9 * radiance(&text), "{moved} is not {}", kernel.values[7]);
    // Radiances bend upwards with temperature, as Planck's function does: the slope lies between both differences.
    let (below, above) = (-warmer(-1.0), moved);
    assert!(below < exact.values[7] && exact.values[7] < above, "{below}, {}, {above}", exact.values[7]);
    // A step of 1 K of the others is wrong by half of the second derivative: (h c nu / k T - 2) / 2 T = 0.7 % of
    // Planck's function at 792 cm^-1 and 220 K, and once more for the lines.
    for (exact, finite) in exact.values.iter().zip(&kernel.values) {
        assert!((exact - finite).abs() <= 0.014 * finite.abs(), "{exact} is not {finite}");
    }
}

#[test]
fn binary_observations_pass_through() {
    let case = Case::limb();
    let convert = "jurassic obsfmt --ctl @limb/limb.ctl --in";
    run(&case, &format!("{convert} @limb/obs.tab -o @obs.bin"));
    run(&case, &format!("{convert} @limb/obs.tab -o @a.tab"));
    run(&case, &format!("{convert} @obs.bin -o @b.tab"));
    assert_eq!(fs::read(case.path("a.tab")).unwrap(), fs::read(case.path("b.tab")).unwrap());
    let bytes = fs::read(case.path("obs.bin")).unwrap();
    // Letters, channels, rays, and columns of doubles.
    let rays = fs::read_to_string(case.path("a.tab")).unwrap();
    let rays = rays.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
    assert_eq!((&bytes[..8], &bytes[8..16]), (&b"OBS1\x04\0\0\0"[..], &(rays as u64).to_le_bytes()[..]));
    assert_eq!(bytes.len(), 16 + rays * 18 * 8);
    let words = "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --quiet --device cpu";
    run(&case, &format!("{words} --obs @obs.bin -o @rad.bin OBSFMT=2"));
    run(&case, &format!("{convert} @rad.bin -o @rad.tab"));
    assert_eq!(fs::read_to_string(case.path("rad.tab")).unwrap(), forward(&case, ""));
    // It is known by its letters, whatever the key says of what is written.
    run(&case, &format!("{words} --obs @obs.bin -o @rad.nc OBSFMT=3"));
    run(&case, &format!("{convert} @rad.nc -o @rad.tab"));
    assert_eq!(fs::read_to_string(case.path("rad.tab")).unwrap(), forward(&case, ""));
    let refused = |bytes: &[u8]| {
        fs::write(case.path("bad.bin"), bytes).unwrap();
        let path = |name: &str| case.path(name).into_os_string();
        let mut words: Vec<OsString> = ["jurassic", "obsfmt", "--ctl"].map(Into::into).to_vec();
        words.extend([
            path("limb/limb.ctl"),
            "--in".into(),
            path("bad.bin"),
            "-o".into(),
            path("x.tab"),
            "OBSFMT=2".into(),
        ]);
        let output = isobar(&words);
        assert!(!output.status.success());
        said(&output)
    };
    assert!(refused(&bytes[..100]).contains("bad.bin: byte 8: 14 rays in a file of 100 bytes"));
    let error = refused(&bytes[..300]);
    assert!(error.contains("bad.bin: byte 296: the file ends within observer longitude, ray 7, after 300 "), "{error}");
    assert!(refused(b"OBS1\x03\0\0\0").contains("bad.bin: byte 4: ND is 3, the control file has 4"));
    assert!(refused(&[&bytes[..], &[0; 3]].concat()).contains("3 bytes follow the last value"));
    assert!(refused(&[&bytes[..8], &[255; 8]].concat()).contains("byte 8: 18446744073709551615 rays in a file of 16"));
}

/// Tangent heights and radiances of JURASSIC of 2026 with the two-dimensional interpolation of its predecessors, built
/// by hand: every third ray of the limb case.
#[test]
fn radiances_along_a_track_are_those_of_jurassic() {
    let case = Case::limb();
    track(&case);
    run(&case, "tables convert --ctl @limb/limb.ctl --base @t --format nc");
    let words = "forward --ctl @limb/limb.ctl --obs @limb/obs.tab --atm @track.tab -o @rad.tab --quiet --device cpu";
    let keys = "--jurassic-exact IP=2 TBLBASE=@t TBLFMT=3 TBLINTERP=1 CTM_N2=0 CTM_O2=0";
    run(&case, &format!("{words} {keys}"));
    let text = fs::read_to_string(case.path("rad.tab")).unwrap();
    let rows: Vec<Vec<f64>> = crate::common::numbers(&text);
    let expected = [
        [1.5198273288082333, 0.06334086807104952, 0.08257521629598022, 0.031125696181479586, 0.007936319029102476],
        [17.827028012011677, 0.010836583666700851, 0.0006784834544678536, 0.012964671379729578, 0.0002256311046647888],
        [32.98459336490524, 0.003498013059032737, 0.00019193579010907104, 0.006653200018860743, 8.133992603388755e-05],
        [47.99865486481561, 0.0011060233494081411, 5.31396492135927e-05, 0.001657737040243403, 3.534473863243816e-05],
        [
            62.999999999655934,
            0.00011225625081665208,
            2.815104570245056e-06,
            1.5601625287704456e-05,
            1.880471438633093e-06,
        ],
    ];
    for (number, expected) in expected.into_iter().enumerate() {
        let row = &rows[3 * number];
        for (found, wanted) in [row[7]].into_iter().chain(row[10..14].iter().copied()).zip(expected) {
            // Some hundred steps, of which JURASSIC takes each through longitude and latitude.
            assert!((found / wanted - 1.0).abs() < 1e-10, "ray {}: {found} is not {wanted}", 3 * number);
        }
    }
}

/// The limb's atmosphere on a grid: every column of it.
fn grid(case: &Case) -> Classic {
    let rows = numbers(&fs::read_to_string(case.path("limb/atm.tab")).unwrap());
    // The top first.
    let column = |i: usize| rows.iter().rev().map(|row| row[i]).collect::<Vec<f64>>();
    let (latitudes, longitudes) = ([60.0, 0.0, -60.0], [0.0, 90.0, 180.0, 270.0]);
    let everywhere =
        |values: Vec<f64>| values.iter().flat_map(|&x| vec![x; latitudes.len() * longitudes.len()]).collect::<Vec<_>>();
    let geopotential = |&z: &f64| 9806.65 * EARTH_RADIUS_KM * z / (EARTH_RADIUS_KM + z);
    let dimensions = ["level", "latitude", "longitude"];
    let mut made = Classic {
        dimensions: vec![("level", rows.len()), ("latitude", 3), ("longitude", 4), ("time", 1)],
        ..Classic::default()
    }
    .with("latitude", &["latitude"], "degrees_north", &latitudes)
    .with("longitude", &["longitude"], "degrees_east", &longitudes)
    .with("time", &["time"], "seconds since 2000-01-01", &[0.0])
    .with("level", &["level"], "hPa", &column(4))
    .with("t", &dimensions, "K", &everywhere(column(5)))
    .with("z", &dimensions, "m2 s-2", &everywhere(column(1).iter().map(geopotential).collect()));
    let names = ["co2", "h2o", "o3", "hno3", "ccl4"];
    let control = fs::read_to_string(case.path("limb/limb.ctl")).unwrap();
    let emitters = control.lines().filter(|line| line.starts_with("EMITTER"));
    for (gas, line) in emitters.enumerate() {
        let emitter = line.split_whitespace().last().unwrap().to_lowercase();
        let name = names.into_iter().find(|name| *name == emitter).unwrap_or_else(|| panic!("{emitter}"));
        made = match name {
            // By mass of moist air, as models have it.
            "h2o" => {
                let q = |x: &f64| x * 18.0153 / (x * 18.0153 + (1.0 - x) * 28.96456);
                made.with("q", &dimensions, "kg kg-1", &everywhere(column(6 + gas).iter().map(q).collect()))
            }
            _ => made.with(name, &dimensions, "mol mol-1", &everywhere(column(6 + gas))),
        };
    }
    made
}

#[test]
fn a_grid_that_is_the_same_everywhere_is_one_profile() {
    let case = Case::limb();
    fs::write(case.path("grid.nc"), grid(&case).bytes()).unwrap();
    let of = |atm: &str, keys: &str| {
        let text = run(
            &case,
            &format!("forward --ctl @limb/limb.ctl --atm @{atm} --obs @limb/obs.tab -o - --quiet --device cpu {keys}"),
        );
        numbers(&text)
    };
    let one = of("limb/atm.tab", "NW=1");
    run(&case, "jurassic atmosphere-from --ctl @limb/limb.ctl --in @grid.nc --every 1 -o @all.tab");
    run(&case, "jurassic atmosphere-from --ctl @limb/limb.ctl --in @grid.nc --obs @limb/obs.tab -o @below.nc");
    run(&case, "jurassic atmosphere-from --ctl @limb/limb.ctl --in @grid.nc --at -12.5,33 -o @place.bin");
    for (atm, keys) in
        [("grid.nc", "IP=2"), ("all.tab", "IP=2"), ("below.nc", "IP=2 ATMFMT=3"), ("place.bin", "ATMFMT=2")]
    {
        let found = of(atm, keys);
        // Tangent height and radiances; longitudes near 0 have no digits to compare.
        let wanted = |rows: &Vec<Vec<f64>>| -> Vec<f64> {
            rows.iter().flat_map(|row| [row[7]].into_iter().chain(row[10..14].iter().copied())).collect()
        };
        for (found, one) in wanted(&found).into_iter().zip(wanted(&one)) {
            // Heights and mixing ratios went through other units: some ulps of a height of 60 km, 1e-14.
            assert!((found - one).abs() <= 1e-10 * one.abs(), "{atm}: {found} {one}");
        }
    }
    let refused = |words: &str| refused(&case, words);
    let said = refused("forward --ctl @limb/limb.ctl --atm @grid.nc --obs @limb/obs.tab -o @x.tab --device cpu");
    assert!(said.contains("grid.nc: columns on a grid vary horizontally: they need IP = 2"), "{said}");
    let from = "jurassic atmosphere-from --ctl @limb/limb.ctl --in @grid.nc -o @x.tab";
    let said = refused(&format!("{from} --at 5"));
    assert!(said.contains("--at \"5\" is not a longitude and a latitude"), "{said}");
    let said = refused(&format!("{from} --gas XENON=1e-6"));
    assert!(said.contains("gas XENON = ... is asked for, which is no EMITTER of the control file"), "{said}");
    let said = refused(&format!("{from} --gas CO2=4e-4 --gas co2=9"));
    assert!(said.contains("--gas co2: twice, as 4e-4 and as 9"), "{said}");
    let said = refused(&format!("{from} --at 5,5 --spacing 5"));
    assert!(said.contains("--spacing has no effect without --obs"), "{said}");
    let bytes = fs::read(case.path("grid.nc")).unwrap();
    fs::write(case.path("grid.nc"), &bytes[..bytes.len() / 2]).unwrap();
    let said = refused(&format!("{from} --at 5,5"));
    assert!(said.contains("grid.nc: ") && !case.path("x.tab").exists(), "{said}");
}

#[test]
fn matrices_pass_through_every_format() {
    let case = Case::limb();
    let keys = "RETT_ZMIN=5 RETT_ZMAX=8 RETQ_ZMIN[2]=15 RETQ_ZMAX[2]=16";
    let kernel = |name: &str, keys: &str| {
        let words = "kernel --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab --quiet --device cpu";
        run(&case, &format!("{words} -o @{name} {keys}"));
    };
    kernel("a.tab", keys);
    kernel("a.bin", &format!("{keys} MATRIXFMT=2"));
    kernel("a.nc", &format!("{keys} MATRIXFMT=3"));
    let convert = |from: &str, to: &str, more: &str| {
        run(&case, &format!("jurassic matfmt --ctl @limb/limb.ctl --in @{from} -o @{to} {more} {keys}"));
        fs::read(case.path(to)).unwrap()
    };
    let text = fs::read(case.path("a.tab")).unwrap();
    assert!(convert("a.nc", "b.tab", "") == text);
    assert!(convert("a.bin", "c.tab", "--rows y --columns x --atm @limb/atm.tab --obs @limb/obs.tab") == text);
    assert!(convert("a.tab", "d.bin", "") == fs::read(case.path("a.bin")).unwrap());
    assert!(convert("a.tab", "e.nc", "") == fs::read(case.path("a.nc")).unwrap());
    let by_columns = convert("a.tab", "f.nc", "--sort c");
    assert!(by_columns != fs::read(case.path("a.nc")).unwrap());
    assert!(convert("f.nc", "g.tab", "") != text && convert("g.tab", "h.tab", "--sort r") == text);
    let words = ["jurassic", "matfmt", "--ctl", "limb/limb.ctl", "--in", "a.bin", "-o", "x.tab"];
    let words = words.map(|word| if word.contains('.') { case.path(word).into_os_string() } else { word.into() });
    let output = isobar(&words);
    assert!(!output.status.success() && said(&output).contains("a.bin: a binary matrix does not say what its rows"));
    // A text says so itself: options agree with it, or are refused; what they name besides is not read.
    let error = refused(&case, "jurassic matfmt --ctl @limb/limb.ctl --in @a.tab -o @x.tab --rows x");
    assert!(error.contains("a.tab: --rows x, where the file has the measurement (y)"), "{error}");
    let error = refused(&case, "jurassic matfmt --ctl @limb/limb.ctl --in @a.nc -o @x.tab --columns y");
    assert!(error.contains("a.nc: --columns y, where the file has elements of the state (x)"), "{error}");
    let words = "jurassic matfmt --ctl @limb/limb.ctl --in @a.tab -o @x.tab --rows y --columns x --obs @limb/obs.tab";
    let output = self::output(&case, words);
    let told = "--obs has no effect: it is for a binary matrix, and none is";
    assert!(output.status.success() && said(&output).contains(told), "{}", said(&output));
    assert!(fs::read(case.path("x.tab")).unwrap() == text);
    // Values that are missing have no row, by whatever word.
    case.set("limb/obs.tab", 2, 11, "-999");
    case.set("limb/obs.tab", 3, 12, "nan");
    kernel("a.tab", keys);
    kernel("a.bin", &format!("{keys} MATRIXFMT=2"));
    let again = convert("a.bin", "c.tab", "--rows y --columns x --atm @limb/atm.tab --obs @limb/obs.tab");
    assert!(again == fs::read(case.path("a.tab")).unwrap() && again.len() < text.len());
}

#[test]
fn tables_of_jurassic_gpu_pass_through() {
    let case = Case::limb();
    let words = |words: &str| -> Vec<OsString> {
        let word = |word: &str| match word.strip_prefix('@') {
            Some(path) => case.path(path).into_os_string(),
            None => word.into(),
        };
        words.split(' ').map(word).collect()
    };
    let dump = "bin.jurassic-fp32-tables-g4-p33-T7-u101-d5";
    let convert = "tables convert --ctl @limb/limb.ctl";
    fs::create_dir(case.path("gpu")).unwrap();
    run(&case, &format!("{convert} --base @gpu --format gpu --gpu-sizes 4,33,7,101,5"));
    let bytes = fs::read(case.path("gpu").join(dump)).unwrap();
    // As a C compiler lays the arrays out, after the header: counts are odd in number.
    assert_eq!(bytes.len(), 16_384 + 3_854_048);
    let text = String::from_utf8_lossy(&bytes[..600]).into_owned();
    assert!(text.starts_with("JURASSIC 0  Binary Emissivity Tables\nversion 20200211\nfloat   4\nNG     4 gases\n"));
    assert!(text.contains("table_size  3854048\n\n\nng 3 emitter gases:\nCO2 0\nH2O 1\nO3 2\n"), "{text}");
    let count = |at: usize| i32::from_le_bytes(bytes[16_384 + at..][..4].try_into().unwrap());
    // Of pressures by gas and channel, 32 where there is a table; then of temperatures.
    let counts: Vec<i32> = (0..21).map(|i| count(4 * i)).collect();
    let (there, none) = ([32, 32, 32, 32, 0], [0; 5]);
    assert_eq!(counts, [&there[..], &there, &there, &none, &[5]].concat());
    run(&case, &format!("{convert} --from-gpu @gpu/{dump} --base @back --format bin"));
    assert_eq!(forward(&case, "TBLBASE=@back"), forward(&case, ""));
    // A gas that it lacks is transparent, with a warning.
    let fewer = words(&format!("{convert} --from-gpu @gpu/{dump} --base @few --format tab NG=4 EMITTER[3]=CH4"));
    let output = isobar(&fewer);
    assert!(output.status.success() && said(&output).contains("CH4 counts as transparent"), "{}", said(&output));
    let refused = |bytes: &[u8]| {
        fs::write(case.path("bad"), bytes).unwrap();
        let output = isobar(&words(&format!("{convert} --from-gpu @bad --base @x --format bin")));
        assert!(!output.status.success());
        said(&output)
    };
    let error = refused(&bytes[..100_000]);
    assert!(error.contains("bad: byte 100000: the file ends within the tables: 3770432 bytes are missing"), "{error}");
    assert!(refused(&bytes[..100]).contains("bad: byte 0: the header has no"), "{}", refused(&bytes[..100]));
    assert!(refused(b"tables").contains("does not begin as a dump of JURASSIC-GPU's tables"));
    let mut wrong = bytes.clone();
    wrong[16_384 + 8] = 99;
    assert!(refused(&wrong).contains("bad: byte 16392: number of pressures 99 lies outside [0, 33]"));
    let small = words(&format!("{convert} --base @gpu --format gpu --gpu-sizes 4,33,7,60,5"));
    let output = isobar(&small);
    assert!(!output.status.success() && said(&output).contains("do not fit TBLNU = 60"), "{}", said(&output));
    let output = isobar(&words(&format!("{convert} --base @gpu --format gpu --gpu-sizes 4,33")));
    assert!(said(&output).contains("expected five numbers, NG,TBLNP,TBLNT,TBLNU,ND"), "{}", said(&output));
}

/// What tools make can be read by the others, and says where it is of no use.
#[test]
fn what_tools_make_is_checked() {
    let case = Case::limb();
    for (arguments, problem) in [
        ("limb --time nan", "--time NaN s lies outside (-inf, inf)"),
        ("limb --z1 nan", "tangent heights from 3 to NaN in steps of 1"),
        ("nadir --lat0=-100 --lat1=-99 --dlat 1", "latitude -100 deg lies outside [-90, 90]"),
        ("climatology --time nan", "--time NaN s: the trend of carbon dioxide leaves [0, 0.01] there"),
        ("climatology --time=-1e10", "leaves [0, 0.01] there"),
        ("climatology --z0 5 --z1 5", "an atmosphere has at least 2 heights"),
        ("atmosphere-from --in @limb/atm.tab --every 0", "--every 0 lies outside [1, inf)"),
        ("atmosphere-from --in @limb/atm.tab --obs @limb/obs.tab --spacing 0.01", "0.01 km lies outside [0.1, inf)"),
    ] {
        let error = refused(&case, &format!("jurassic {arguments} --ctl @limb/limb.ctl -o @made.tab"));
        assert!(error.contains(problem), "{arguments}: {error}");
    }
    // Rays of radiances are no measurements of brightness temperatures.
    run(&case, "jurassic zenith --ctl @limb/limb.ctl --vpz 700 -o @zenith.tab");
    let error = refused(&case, "jurassic obsfmt --ctl @limb/limb.ctl --in @zenith.tab -o @made.tab WRITE_BBT=1");
    assert!(error.contains("zenith.tab:11: column 11 holds radiance (792.0000 cm^-1)"), "{error}");
    assert!(error.contains("which WRITE_BBT = 1 does not ask for"), "{error}");
    let forward = "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @zenith.tab -o @made.tab --device cpu";
    let output = output(&case, forward);
    assert!(output.status.success());
    let warning = "1 of 1 rays have their view point above the atmosphere";
    assert!(said(&output).contains(warning) && said(&output).contains("ray 0, at 700 km"), "{}", said(&output));
    let error =
        refused(&case, "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab -o @made.tab FORMOD=-1");
    assert!(error.contains("FORMOD = -1 lies outside {0 (Curtis-Godson), 1 (emissivity growth)}"), "{error}");
    // Where filters are inside of tables, a table is what is missing.
    let error = refused(
        &case,
        "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @limb/obs.tab -o @made.tab TBLFMT=3 TBLBASE=none",
    );
    assert!(error.contains(".nc: no table of 792 cm^-1 with a filter inside"), "{error}");
    // A dump of terabytes is refused at once.
    let dump = "tables convert --ctl @limb/limb.ctl --base @. --format gpu --gpu-sizes 3,4000000,30,304,4";
    assert!(refused(&case, dump).contains("4000000"), "{}", refused(&case, dump));
}

/// A reference made of our own spectra, with the limb a percent smaller and the nadir as it is.
#[test]
fn spectra_are_compared_as_jurassic_compares_them() {
    let case = Case::limb();
    fs::create_dir_all(case.path("reference/input")).unwrap();
    fs::copy(case.path("limb/atm.tab"), case.path("reference/input/atmosphere.tab")).unwrap();
    let geometry = "geometry,ray,time_s,observer_z_km,observer_lon_deg,observer_lat_deg,view_z_km,view_lon_deg,\
                    view_lat_deg\nlimb,0,0,780,0,0,10,0,26.8403\nlimb,1,0,780,0,0,20,0,26.6622\n\
                    nadir,0,0,700,0,0,0,0,0\nzenith,0,0,0,0,0,700,0,0\n";
    fs::write(case.path("reference/input/geometry.csv"), geometry).unwrap();
    let rays = [("limb", 0), ("limb", 1), ("nadir", 0), ("zenith", 0)];
    let titles = "geometry,ray,nu_cm-1,radiance_W_m-2_sr-1_cm\n";
    let mut spectra = titles.to_owned();
    for (name, ray) in rays {
        [792, 832, 1043, 1410].iter().for_each(|nu| spectra += &format!("{name},{ray},{nu},1e-3\n"));
    }
    fs::write(case.path("reference/spectra.csv"), spectra).unwrap();
    let words = "jurassic validate --reference @reference --base @tables/demo --quiet --device cpu --chunk 3 TBLFMT=2 \
                 RAYDZ=0.5";
    run(&case, &format!("{words} -o @ours.csv"));
    let ours = fs::read_to_string(case.path("ours.csv")).unwrap();
    assert_eq!(ours.lines().count(), 17);
    // The radiances are those of a forward run.
    let mut obs = String::new();
    for line in geometry.lines().skip(1).take(3) {
        let words: Vec<&str> = line.split(',').collect();
        obs += &format!("{} 0 0 0 {}\n", words[2..].join(" "), "0 ".repeat(8));
    }
    fs::write(case.path("obs.tab"), obs).unwrap();
    let same = "forward --ctl @limb/limb.ctl --atm @limb/atm.tab --obs @obs.tab -o - --quiet --device cpu TBLINTERP=1";
    let wanted: Vec<f64> = numbers(&run(&case, same)).iter().flat_map(|row| row[10..14].to_vec()).collect();
    let radiance = |line: &str| line.split(',').nth(3).unwrap().parse::<f64>().unwrap();
    let found: Vec<f64> = ours.lines().skip(1).take(12).map(radiance).collect();
    assert_eq!(found, wanted);

    let changed = |line: &str| match line.strip_prefix("limb,") {
        Some(_) => {
            let (before, radiance) = line.rsplit_once(',').unwrap();
            format!("{before},{:e}", radiance.parse::<f64>().unwrap() / 1.01)
        }
        None => line.to_owned(),
    };
    let reference: Vec<String> = ours.lines().map(changed).collect();
    fs::write(case.path("reference/spectra.csv"), reference.join("\n")).unwrap();
    let report = run(&case, words);
    let rows: Vec<Vec<&str>> = report.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[1][..7], ["limb", "10", "%", "4", "1.0000", "1.0000", "1.0000"]);
    assert_eq!(rows[2][..5], ["limb", "20", "%", "4", "1.0000"]);
    assert_eq!(rows[3][..7], ["nadir", "0", "K", "4", "0.0000", "0.0000", "0.0000"]);
    assert_eq!(rows[4][0], "zenith");
    let json: serde_json::Value = serde_json::from_str(&run(&case, &format!("{words} --json"))).unwrap();
    assert_eq!(json["rays"].as_array().unwrap().len(), 4);
    let limb = &json["rays"][1];
    assert_eq!((limb["geometry"].as_str(), limb["ray"].as_u64()), (Some("limb"), Some(1)));
    assert_eq!((limb["view_km"].as_f64(), limb["unit"].as_str()), (Some(20.0), Some("%")));
    assert!((limb["median"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{limb}");
    // From the ground upwards the air emits, though the view point lies above it.
    assert!(ours.lines().skip(13).all(|line| radiance(line) > 0.0), "{ours}");

    fs::write(case.path("reference/spectra.csv"), format!("{titles}limb,0,792,x\n")).unwrap();
    let path = |path: &str| case.path(path).into_os_string();
    let words: [OsString; 6] = [
        "jurassic".into(),
        "validate".into(),
        "--reference".into(),
        path("reference"),
        "--base".into(),
        path("tables/demo"),
    ];
    let output = isobar(&words);
    let error = said(&output);
    assert!(error.contains("spectra.csv:2: \"x\" is not a number (radiance_W_m-2_sr-1_cm)"), "{error}");
    fs::write(case.path("reference/spectra.csv"), "geometry,ray,nu_cm-1\n").unwrap();
    let error = said(&isobar(&words));
    assert!(error.contains("spectra.csv: there is no column radiance_W_m-2_sr-1_cm"), "{error}");
}

/// The upper half of a profile at the heights of all of it: what lies beyond is counted, in its range, and where a
/// profile falls to 0 on a line, 0.
#[test]
fn interpolation_beyond_a_profile_is_said_and_stays_in_range() {
    let case = Case::limb();
    let rows = |heights: &[f64]| -> String {
        let row = |z: &f64| format!("0 {z} 0 0 {} 250 4e-4 {} 1e-6 0\n", 1000.0 / (1.0 + z), 1e-5 * (z - 8.0));
        heights.iter().map(row).collect()
    };
    fs::write(case.path("high.tab"), rows(&[10.0, 20.0, 30.0])).unwrap();
    fs::write(case.path("all.tab"), "0 0 0 0 1000 250 0 0 0 0\n0 9 0 0 100 250 0 0 0 0\n0 25 0 0 10 250 0 0 0 0\n")
        .unwrap();
    let words =
        ["jurassic", "interpolate", "--ctl", "limb/limb.ctl", "--atm", "high.tab", "--at", "all.tab", "-o", "i.tab"];
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(words)
        .current_dir(case.path(""))
        .output()
        .unwrap();
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("2 of 3 levels lie beyond the 10 to 30 km of the atmosphere"), "{text}");
    assert!(text.contains("; 1 mixing ratios and extinctions became the end of their range"), "{text}");
    let found = numbers(&fs::read_to_string(case.path("i.tab")).unwrap());
    for (row, water) in found.iter().zip([0.0, 1e-5, 1.7e-4]) {
        assert!((row[7] - water).abs() < 1e-15, "{row:?}");
    }
}

#[test]
fn filters_have_an_integral_of_one_and_spectra_a_row_a_channel() {
    let case = Case::limb();
    for (kind, half) in
        [("boxcar", None), ("triangle", Some(0.5)), ("gauss", Some(0.5)), ("sinc", None), ("norton-beer", None)]
    {
        let size = if matches!(kind, "sinc" | "norton-beer") { "--opd 2" } else { "--fwhm 0.5" };
        run(&case, &format!("jurassic filter --kind {kind} --center 800 {size} --samp 0.001 -o @f.filt"));
        let rows = numbers(&fs::read_to_string(case.path("f.filt")).unwrap());
        assert_eq!((rows.len(), rows[0][0]), (2101, 798.95), "{kind}");
        let sum: f64 = rows.iter().map(|row| row[1] * 0.001).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{kind}: {sum}");
        let middle = rows[1050][1];
        if kind == "boxcar" {
            // A boxcar of width W is 1/W high, whatever the step.
            assert!((middle - 2.0).abs() < 1e-12, "{middle}");
        }
        assert!(rows.iter().all(|row| row[1] <= middle) && (rows[1050][0] - 800.0).abs() < 1e-9);
        if let Some(half) = half {
            // A triangle's full width at half maximum is half its base.
            let away = 250;
            assert!((rows[1050 + away][1] / middle - half).abs() < 1e-3, "{kind}");
        }
    }
    let output = isobar(&["jurassic", "filter", "-o", "x.filt", "--fwhm", "0"]);
    assert!(!output.status.success() && said(&output).contains("--fwhm 0 lies outside (0, inf)"), "{}", said(&output));
    for (kind, unused) in [("gauss", "--opd"), ("sinc", "--fwhm")] {
        let output = isobar(&["jurassic", "filter", "-o", "x.filt", "--kind", kind, unused, "2"]);
        let expected = format!("{unused} is for");
        assert!(!output.status.success() && said(&output).contains(&expected), "{}", said(&output));
    }
    // A sample in the middle, whatever the steps; none so coarse that lines between them are another shape.
    for (arguments, problem) in [
        ("--kind triangle --fwhm 0.5 --samp 0.3", "--samp 0.3 cm^-1 is too coarse for --fwhm 0.5: at most 0.125"),
        ("--kind sinc --opd 10 --samp 0.05", "--samp 0.05 cm^-1 is too coarse for --opd 10: at most 0.0125"),
        ("--kind boxcar --fwhm 0.7 --samp 0.17", "would make the boxcar of --fwhm 0.7 0.8500 wide"),
        ("--kind boxcar --samp 2", "in steps of 2: expected 2 to 1000000 steps"),
    ] {
        let error = refused(&case, &format!("jurassic filter -o @x.filt {arguments}"));
        assert!(error.contains(problem) && !case.path("x.filt").exists(), "{arguments}: {error}");
    }
    for (arguments, width) in [("boxcar --fwhm 0.7 --samp 0.1", 0.7), ("triangle --fwhm 0.5 --samp 0.11", 0.5)] {
        run(&case, &format!("jurassic filter -o @f.filt --kind {arguments}"));
        let rows = numbers(&fs::read_to_string(case.path("f.filt")).unwrap());
        let middle = &rows[rows.len() / 2];
        // Both are as high as a box of their width.
        assert!(middle[0] == 1000.0 && (middle[1] * width - 1.0).abs() < 0.02, "{arguments}: {middle:?}");
        assert!(rows.iter().zip(rows.iter().rev()).all(|(left, right)| (left[1] - right[1]).abs() < 1e-12));
    }
    // Columns of other channels are no spectra of these, as for `obsfmt`.
    for (keys, problem) in [
        ("NU[0]=832 NU[1]=792", "column 11 is titled radiance (792.0000 cm^-1), radiance (832"),
        ("WRITE_BBT=1", "which WRITE_BBT = 1 does not ask for"),
        ("ND=2", "column 13 holds radiance (1043.0000 cm^-1)"),
    ] {
        for words in ["obs2spec --obs @rad.tab", "obsfmt --in @rad.tab"] {
            fs::write(case.path("rad.tab"), forward(&case, "")).unwrap();
            let error = refused(&case, &format!("jurassic {words} --ctl @limb/limb.ctl -o @x.tab {keys}"));
            assert!(error.contains(problem), "{words} {keys}: {error}");
        }
    }
    run(&case, "jurassic obs2spec --ctl @limb/limb.ctl --obs @limb/obs.tab -o @spectra.tab");
    let (obs, spectra) =
        ["limb/obs.tab", "spectra.tab"].map(|name| numbers(&fs::read_to_string(case.path(name)).unwrap())).into();
    assert_eq!(spectra.len(), 4 * obs.len());
    for (i, row) in spectra.iter().enumerate() {
        let ray = &obs[i / 4];
        assert_eq!(row[..7], ray[..7]);
        assert_eq!(row[10], [792.0, 832.0, 1043.0, 1410.0][i % 4]);
        assert_eq!(row.len(), 13);
    }
}
