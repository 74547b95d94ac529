//! What `isobar run` takes of a NetCDF file that it starts from, what it says of it, and what it refuses.

use std::fs;
use std::path::Path;

use netcdf_reader::NcFile;

use crate::common::classic::Classic;
use crate::common::radiation_file::Numbers;
use crate::common::run_case::{CASE, Case};
use crate::masked_columns::demonstration;

/// Half an hour from the file, at the file's place and time.
fn text() -> String {
    let text = CASE.replacen("columns = 3\n", "", 1).replacen("start_hour = 7.0\n", "", 1);
    let text = text.replacen("kind = \"us76\"", "kind = \"netcdf\"\nfile = \"columns.nc\"", 1);
    let text = text.replacen("[grid]\nlayers = 10\ntop_m = 16_000.0\n", "", 1);
    let text = text.replacen("hours = 1.5", "hours = 0.5", 1).replacen("restart_hours = 0.5\n", "", 1);
    text.replacen("[site]\nlatitude_deg = [20.0, 50.0]\n", "", 1)
}

const LATITUDES: [f64; 4] = [10.0, 12.0, -14.0, 20.0];

/// Four columns at six hours of the winter solstice of 2020.
fn columns(times: usize) -> Classic {
    let mut file = demonstration(&[]);
    file.dimensions.push(("time", times));
    let temperature = file.variable("t");
    temperature.dimensions.insert(0, "time");
    temperature.values = temperature.values.repeat(times);
    let hours: Vec<f64> = (0..times).map(|time| 6.0 + time as f64).collect();
    file.with("lat", &["column"], "degrees_north", &LATITUDES)
        .with("lon", &["column"], "degrees_east", &[100.0, 110.0, 250.0, 300.0])
        .with("time", &["time"], "hours since 2020-12-21 00:00:00", &hours)
}

fn case(text: &str, file: &Classic) -> Case {
    let case = Case::new(text);
    fs::write(case.path("columns.nc"), file.bytes()).unwrap();
    case
}

fn values(path: &Path, name: &str) -> Vec<f64> {
    NcFile::open(path).unwrap().read_variable_as_f64(name).unwrap().iter().copied().collect()
}

/// Of spherical trigonometry, at an hour of a winter solstice by mean solar time.
#[allow(clippy::disallowed_methods, reason = "elementary functions of another hand")]
fn cosine_of_zenith(latitude: f64, longitude: f64, hour: f64) -> f64 {
    let declination = -23.436_f64.to_radians();
    let angle = (15.0 * (hour - 12.0) + longitude).to_radians();
    let latitude = latitude.to_radians();
    latitude.sin() * declination.sin() + latitude.cos() * declination.cos() * angle.cos()
}

/// Nothing turns winds that are along a grid whose angle is not known: they are taken for those of the Earth, which is
/// said.
#[test]
fn winds_along_a_grid_are_said() {
    let mut file = columns(1);
    let told = |file: &Classic| case(&text(), file).told();
    let words = "u, v: along the axes of the grid, as their standard_name says, taken for eastward and northward";
    assert!(!told(&file).contains(words));
    file.variable("u").attributes.push(("standard_name", "x_wind"));
    file.variable("v").attributes.push(("standard_name", "y_wind"));
    let told = told(&file);
    assert!(told.contains(words), "{told}");
}

/// The Sun of a file's date is that of `isobar radiation`: at the start of November a quarter of an hour ahead of mean
/// solar time, by which it stands where the case says so, or has an hour of its own.
#[test]
fn the_sun_is_that_of_the_files_date() {
    let mut file = columns(1);
    file.variables.retain(|variable| variable.name != "time");
    let file = file.with("time", &["time"], "hours since 2020-11-03 00:00:00", &[14.0]);
    let of_date = case(&text(), &file);
    let told_of_date = of_date.told();
    let line = "case.toml: the Sun is that of the file's date, 16.4 min ahead of mean solar time";
    assert!(told_of_date.contains(line), "{told_of_date}");
    let cosines = |case: &Case| values(&case.path("out.nc"), "cosine_of_zenith_angle")[..4].to_vec();
    let longitudes = [100.0, 110.0, -110.0, -60.0];
    let sun = isobar_io::sun::Sun::at(isobar_io::seconds_of_date("2020-11-03T14:00:00Z").unwrap());
    for (column, cosine) in cosines(&of_date).into_iter().enumerate() {
        let expected = sun.cosine_zenith(LATITUDES[column], longitudes[column]);
        assert!((cosine - expected).abs() < 1e-12, "{column}: {cosine} {expected}");
    }
    // Spencer's equation of time and declination, of the day of the year alone.
    let own = |key: &str| case(&text().replacen("step_s", &format!("start_hour = 14.0\n{key}step_s"), 1), &file);
    let apparent = own("solar_time = \"apparent\"\n");
    assert!(!apparent.told().contains("mean solar time"));
    for (cosine, expected) in cosines(&apparent).into_iter().zip(cosines(&of_date)) {
        assert!((cosine - expected).abs() < 4e-3, "{cosine} {expected}");
    }
    let mean = own("");
    let line = "the Sun is by mean solar time; by `solar_time = \"apparent\"` it would be 16.3 min ahead of that";
    assert!(mean.told().contains(line), "{}", mean.told());
    let asked = case(&text().replacen("step_s", "solar_time = \"mean\"\nstep_s", 1), &file);
    assert!(!asked.told().contains("mean solar time"));
    assert_eq!(cosines(&asked), cosines(&mean));
    // At 60 degrees west the Sun of 14 h stands at 10:00, or at 10:16.
    let difference = cosines(&of_date)[3] - cosines(&mean)[3];
    assert!((0.02..0.05).contains(&difference), "{difference}");
}

/// Times are CF's where a file's date is known: its midnight, whatever hour the case has, and of no other day.
#[test]
fn times_of_a_dated_start_are_dates() {
    let units = |text: &str, file: &Classic| {
        let case = case(text, file);
        case.done("out.nc", &[]);
        let out = Numbers::open(&case.path("out.nc"));
        let text = |name: &str| out.attribute("time", name);
        (text("units").unwrap(), text("calendar"), values(&case.path("out.nc"), "time"))
    };
    let dated = ("seconds since 2020-12-21 00:00:00".to_owned(), Some("proleptic_gregorian".to_owned()));
    let own = |key: &str| text().replacen("step_s", &format!("{key}\nstep_s"), 1);
    let (first, calendar, times) = units(&text(), &columns(1));
    assert_eq!(((first, calendar), times), (dated.clone(), vec![6.0 * 3600.0, 6.5 * 3600.0]));
    let (hour, calendar, times) = units(&own("start_hour = 23.75"), &columns(1));
    assert_eq!(((hour, calendar), times), (dated, vec![23.75 * 3600.0, 24.25 * 3600.0]));
    for (text, file) in [(own("day_of_year = 172.0"), columns(1)), (text(), demonstration(&[]))] {
        let (none, calendar, _) = units(&text, &file);
        assert_eq!((none.as_str(), calendar), ("s", None));
    }
    // Before 2000, and of noon.
    let mut file = columns(1);
    file.variables.retain(|variable| variable.name != "time");
    let (before, ..) = units(&text(), &file.with("time", &["time"], "days since 1900-01-01", &[-0.5]));
    assert_eq!(before, "seconds since 1899-12-31 00:00:00");
}

#[test]
fn columns_are_where_and_when_their_file_says() {
    let longitudes = [100.0, 110.0, -110.0, -60.0];
    let whole = case(&text(), &columns(1));
    whole.done("out.nc", &[]);
    let out = whole.path("out.nc");
    assert_eq!(values(&out, "latitude"), LATITUDES);
    assert_eq!(values(&out, "longitude"), longitudes);
    assert_eq!(values(&out, "time"), [6.0 * 3600.0, 6.5 * 3600.0]);
    for column in 0..4 {
        let cosine = values(&out, "cosine_of_zenith_angle")[column];
        // The almanac's equation of time is 1.9 minutes.
        let expected = cosine_of_zenith(LATITUDES[column], longitudes[column], 6.0 + 1.9 / 60.0);
        assert!((cosine - expected).abs() < 1e-3, "{column}: {cosine} {expected}");
    }
    // The case's own latitude and hour, of the file's day and longitudes.
    let own = text().replacen("[ground]", "[site]\nlatitude_deg = 30.0\n[ground]", 1);
    let own = case(&own.replacen("step_s", "start_hour = 4.5\nstep_s", 1), &columns(1));
    let told = own.told();
    assert!(told.contains("case.toml: taken in place of those of columns.nc: latitude, start_hour"), "{told}");
    assert!(told.contains("day_of_year = 356, of 2020-12-21T06:00:00Z") && !told.contains("start_hour ="), "{told}");
    let cosines = values(&own.path("out.nc"), "cosine_of_zenith_angle");
    for (column, longitude) in longitudes.into_iter().enumerate() {
        let expected = cosine_of_zenith(30.0, longitude, 4.5);
        assert!((cosines[column] - expected).abs() < 1e-3, "{column}: {} {expected}", cosines[column]);
    }
    // A file that does not say.
    let told = case(&text(), &demonstration(&[])).told();
    let nowhere = "latitude_deg = 45, longitude_deg = 0, day_of_year = 172, start_hour = 0";
    assert!(told.contains(&format!("columns.nc: neither this nor the case says: {nowhere}")), "{told}");
}

#[test]
fn what_has_no_effect_is_not_needed_and_what_is_made_up_is_said() {
    let mut without = columns(1);
    without.variables.retain(|variable| !["hfx", "qfx", "dz", "rthraten"].contains(&variable.name));
    let [with, without] = [columns(1), without].map(|file| case(&text(), &file));
    let lines = with.told();
    let line = |what: &str| lines.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {lines}"));
    let derived = line("columns.nc: derived: ");
    for part in [
        "cloud_ice = 0",
        "day_of_year = 356 and start_hour = 6, of 2020-12-21T06:00:00Z",
        "ozone: RCEMIP's profile",
        "moisture_availability = 0.3 over land, 1 over water",
    ] {
        assert!(derived.contains(part), "{part}: {derived}");
    }
    let left = line("columns.nc: not read: ");
    assert!(["dz", "rthraten", "hfx", "qfx"].iter().all(|name| left.contains(name)), "{left}");
    assert!(!left.contains("znt"), "{left}");
    without.done("out.nc", &[]);
    for name in ["air_temperature", "surface_upward_sensible_heat_flux", "cell_thickness"] {
        let [with, without] = [&with, &without].map(|case| values(&case.path("out.nc"), name));
        assert!(with == without && !with.is_empty(), "{name}");
    }
    // The roughness that a file lacks is the default, which is said, or the case's.
    let mut smooth = columns(1);
    smooth.variables.retain(|variable| variable.name != "znt");
    smooth.variable("xland").values = vec![1.0, 2.0, 2.0, 1.0];
    let roughness = |case: &Case| values(&case.path("out.nc"), "surface_roughness_length")[..4].to_vec();
    let without = case(&text(), &smooth);
    let said = without.told();
    let words = "columns.nc: neither this nor the case says: roughness_m = 0.1 over land and 0.0001 over water\n";
    assert!(said.contains(words), "{said}");
    assert_eq!(roughness(&without), [0.1, 1e-4, 1e-4, 0.1]);
    let own = case(&text().replacen("[ground]", "[site]\nroughness_m = 0.3\n[ground]", 1), &smooth);
    assert!(!own.told().contains("roughness_m"));
    assert_eq!(roughness(&own), [0.3; 4]);
}

/// Air up to no pressure has no height: its uppermost layer is twice as thick as its lower half, as that of
/// `isobar pbl` is, which is said.
#[test]
fn a_top_at_no_pressure_is_brought_to_an_end() {
    let [mut open, mut closed] = [columns(1), columns(1)];
    let (layers, levels) = (open.variable("p").values.len(), open.variable("p_int").values.len());
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for column in 0..4 {
        let middle = open.variable("p").values[layers - 4 + column];
        let top = middle * middle / open.variable("p_int").values[levels - 8 + column];
        open.variable("p_int").values[levels - 4 + column] = 0.0;
        closed.variable("p_int").values[levels - 4 + column] = top;
        (least, most) = (least.min(top), most.max(top));
    }
    let [open, closed] = [open, closed].map(|file| case(&text(), &file));
    let [told, other] = [open.told(), closed.told()];
    let pressures = if least == most { format!("{most} Pa") } else { format!("{least} to {most} Pa") };
    let words = format!("top = {pressures} in place of 0 Pa, so that the uppermost layer is twice as thick as its");
    assert!(told.contains(&words) && !other.contains("in place of 0 Pa"), "{told}");
    for name in ["air_temperature", "cell_thickness", "downwelling_longwave_flux_in_air"] {
        let [open, closed] = [&open, &closed].map(|case| values(&case.path("out.nc"), name));
        assert!(open == closed && !open.is_empty(), "{name}");
    }
}

#[test]
fn what_is_not_for_a_file_is_refused() {
    let said = case(&text(), &columns(2)).fails(&[]);
    assert!(said.contains("columns.nc: there are 2 times along time, and a run starts from one"), "{said}");
    assert!(said.contains("`ncks -d time,0 columns.nc start.nc` takes the first"), "{said}");
    for (key, value) in [("surface", "\"water\""), ("wind_east_m_per_s", "3.0"), ("wind_north_m_per_s", "3.0")] {
        let text = text().replacen("[ground]", &format!("[site]\n{key} = {value}\n[ground]"), 1);
        let said = case(&text, &columns(1)).fails(&[]);
        assert!(said.contains(&format!("{key} is not for this kind of start (`{key} = {value}`)")), "{said}");
    }
}

/// Winds along the axes of WRF's grid are turned eastward and northward, as WRF's documents say, and the ground has the
/// file's temperature, unless the case has one.
#[test]
fn a_start_from_wrf_has_winds_of_the_earth_and_its_own_ground() {
    const PLANE: [&str; 3] = ["Time", "south_north", "west_east"];
    const GROUND: [f64; 6] = [301.0, 302.0, 303.0, 304.0, 305.0, 306.0];
    let (wrf, mut plain) = crate::pbl::wrf();
    let wrf = wrf.with("TSK", &PLANE, "K", &GROUND);
    let text = text().replacen("mean_k = 291.0\namplitude_k = 8.0\n", "", 1);
    let start = |case: &Case, name: &str| values(&case.path("out.nc"), name);
    let along = ["u", "v"].map(|name| plain.variable(name).values.clone());
    let near = |found: &[f64], expected: &[f64]| {
        let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(found.len() > expected.len() && differences.fold(0.0, f64::max) < 1e-12, "{found:?} {expected:?}");
    };
    let as_it_is = case(&text, &wrf);
    let told = as_it_is.told();
    assert!(told.contains("taken for eastward and northward for want of COSALPHA and SINALPHA"), "{told}");
    assert!(told.contains("temperature of the ground: TSK"), "{told}");
    near(&start(&as_it_is, "eastward_wind"), &along[0]);
    near(&start(&as_it_is, "surface_temperature"), &GROUND);
    // Axes that lie a right angle and a smaller one to the left of east and north.
    for [cosine, sine] in [[0.0, 1.0], [0.6, 0.8]] {
        let file = wrf.clone().with("COSALPHA", &PLANE, "1", &[cosine; 6]).with("SINALPHA", &PLANE, "1", &[sine; 6]);
        let turned = case(&text, &file);
        let told = turned.told();
        assert!(told.contains("u, v: turned eastward and northward by COSALPHA and SINALPHA"), "{told}");
        let [east, north] = ["eastward_wind", "northward_wind"].map(|name| start(&turned, name));
        let winds = || along[0].iter().zip(&along[1]);
        near(&east, &winds().map(|(u, v)| u * cosine - v * sine).collect::<Vec<_>>());
        near(&north, &winds().map(|(u, v)| u * sine + v * cosine).collect::<Vec<_>>());
    }
    let own = case(&text.replacen("[ground]", "[ground]\nmean_k = 290.0", 1), &wrf);
    let told = own.told();
    assert!(told.contains("not read: HFX, QFX, UST, PBLH, TSK") && !told.contains("of the ground"), "{told}");
    near(&start(&own, "surface_temperature"), &[290.0; 6]);
}

/// The ground begins with the file's temperature, and goes on by the cosine of its range, which is warmest at 14 h.
#[test]
#[allow(clippy::disallowed_methods, reason = "elementary functions of another hand")]
fn ground_with_a_range_begins_with_the_files_temperature() {
    const GROUND: [f64; 4] = [290.0, 292.0, 294.0, 296.0];
    let file = columns(1).with("ts", &["column"], "K", &GROUND);
    let case = case(&text().replacen("mean_k = 291.0\n", "", 1), &file);
    case.done("out.nc", &[]);
    let surface = values(&case.path("out.nc"), "surface_temperature");
    let phase = |hour: f64| (15.0 * (hour - 14.0)).to_radians().cos();
    for (column, ground) in GROUND.into_iter().enumerate() {
        assert!((surface[column] - ground).abs() < 1e-12, "{column}: {}", surface[column]);
        let later = ground + 8.0 * (phase(6.5) - phase(6.0));
        assert!((surface[4 + column] - later).abs() < 1e-10, "{column}: {} {later}", surface[4 + column]);
    }
}

/// RCEMIP's sea has the temperature that the case says, and evaporates as water does, unless the case has ground of its
/// own. Rough water and smooth land differ by what the case says alone.
#[test]
fn rcemip_is_over_its_sea() {
    let ground = "\n[ground]\nmean_k = 291.0\namplitude_k = 8.0\n";
    let rcemip = CASE.replacen("kind = \"us76\"", "kind = \"rcemip\"\nsea_surface_k = 305.0", 1);
    let run = |text: String| {
        let case = Case::new(&text);
        case.done("out.nc", &[]);
        case
    };
    let of = |case: &Case, name: &str| values(&case.path("out.nc"), name);
    let sea = run(rcemip.replacen(ground, "", 1));
    assert!(of(&sea, "surface_temperature").iter().all(|&kelvin| kelvin == 305.0));
    let said = "surface = \"water\"\nmoisture_availability = 1.0\nroughness_m = 1e-4\n[ground]\nmean_k = 305.0\n";
    let said = run(rcemip.replacen(ground, &format!("{said}\n"), 1));
    for name in ["surface_upward_water_flux", "surface_roughness_length", "upwelling_shortwave_flux_in_air"] {
        assert_eq!(of(&sea, name), of(&said, name), "{name}");
    }
    let own = run(rcemip.replacen("[ground]", "surface = \"land\"\n[ground]", 1));
    assert_eq!(of(&own, "surface_roughness_length"), [0.1; 3]);
    assert!(of(&own, "surface_temperature").iter().all(|&kelvin| (283.0..=299.0).contains(&kelvin)));
    // What the ground reflects, where the case has no albedo: RCEMIP's sea, or land.
    for (case, albedo) in [(&rcemip, 0.07), (&rcemip.replacen("[ground]", "surface = \"land\"\n[ground]", 1), 0.2)] {
        let case = run(case.replacen("albedo = [0.1, 0.3]\n", "", 1));
        let [up, down] =
            ["upwelling_shortwave_flux_in_air", "downwelling_shortwave_flux_in_air"].map(|name| of(&case, name));
        for column in 0..3 {
            assert!(
                (up[column] / down[column] - albedo).abs() < 1e-9 && down[column] > 50.0,
                "{} {albedo}",
                up[column]
            );
        }
    }
}

/// Water is wet: what evaporates is that of a moisture availability of 1, and of 0.3 on land.
#[test]
fn water_evaporates_freely_unless_the_case_says_otherwise() {
    const FLUX: &str = "surface_upward_water_flux";
    let flux = |site: &str| {
        let case = Case::changed("[ground]", &format!("{site}\n[ground]"));
        case.done("out.nc", &[]);
        values(&case.path("out.nc"), FLUX)
    };
    let [sea, wet] = ["surface = \"water\"", "surface = \"water\"\nmoisture_availability = 1.0"].map(flux);
    let [land, dry] = ["", "surface = \"water\"\nmoisture_availability = 0.3\nroughness_m = 0.1"].map(flux);
    assert!(sea == wet && land == dry && sea != land);
    // The last column of the file is sea.
    let [usual, wet, dry] = ["", "moisture_availability = 1.0", "moisture_availability = 0.3"].map(|key| {
        let case = case(&text().replacen("[ground]", &format!("[site]\n{key}\n[ground]"), 1), &columns(1));
        case.done("out.nc", &[]);
        values(&case.path("out.nc"), FLUX)
    });
    for column in 0..4 {
        let expected = if column == 3 { &wet } else { &dry };
        assert_eq!(usual[column], expected[column], "{column}");
        assert!(wet[column] != dry[column]);
    }
}
