//! Observation files: round trips and refusals.

use crate::common::{control, file, message, written};
use isobar_io::{
    Control, Observation, read_measurement, read_observation, read_observation_and_titles, write_observation,
};
use isobar_raytrace::{Position, Ray};
use proptest::prelude::*;

fn two_channels() -> Control {
    control(&[("ND", "2"), ("NU[0]", "792"), ("NU[1]", "832.5")])
}

fn refusal(text: &str) -> String {
    let (_folder, path) = file(text, "obs.tab");
    message(read_observation(&path, &two_channels()), &path)
}

fn point(height_km: f64, longitude_deg: f64, latitude_deg: f64) -> Position {
    Position { height_km, longitude_deg, latitude_deg }
}

#[test]
fn rows_are_read_with_and_without_measurements() {
    let (_folder, path) = file("1 2 3 4 5 6 7 8 9 10 .1 nan .3 .4 extra\n1 2 3 4 5 6 7\n", "obs.tab");
    let observation = read_observation(&path, &two_channels()).unwrap();
    let ray = Ray { time_s: 1.0, observer: point(2.0, 3.0, 4.0), view_point: point(5.0, 6.0, 7.0) };
    assert_eq!(observation.rays, [ray, ray]);
    assert_eq!(observation.tangent_points, [point(8.0, 9.0, 10.0), point(5.0, 6.0, 7.0)]);
    assert!(observation.radiance[1].is_nan(), "a mask is kept");
    assert_eq!((observation.radiance[0], &observation.radiance[2..]), (0.1, &[0.0, 0.0][..]));
    assert_eq!(observation.transmittance, [0.3, 0.4, 0.0, 0.0]);
}

#[test]
fn header_and_blank_lines_are_those_of_jurassic() {
    let (_folder, path) = file("1 2 3 4 5 6 7\n1 2 3 4 5 6 7\n2 2 3 4 5 6 7\n", "obs.tab");
    let mut control = two_channels();
    let observation = read_observation(&path, &control).unwrap();
    let text = |control: &Control| {
        let mut text = Vec::new();
        write_observation(&mut text, &observation, control).unwrap();
        String::from_utf8(text).unwrap()
    };
    assert_eq!(
        text(&control),
        "# $1 = time (seconds since 2000-01-01T00:00Z)\n\
         # $2 = observer altitude [km]\n# $3 = observer longitude [deg]\n# $4 = observer latitude [deg]\n\
         # $5 = view point altitude [km]\n# $6 = view point longitude [deg]\n# $7 = view point latitude [deg]\n\
         # $8 = tangent point altitude [km]\n# $9 = tangent point longitude [deg]\n# $10 = tangent point latitude \
         [deg]\n\
         # $11 = radiance (792.0000 cm^-1) [W/(m^2 sr cm^-1)]\n# $12 = radiance (832.5000 cm^-1) [W/(m^2 sr cm^-1)]\n\
         # $13 = transmittance (792.0000 cm^-1) [-]\n# $14 = transmittance (832.5000 cm^-1) [-]\n\n\
         1 2 3 4 5 6 7 5 6 7 0 0 0 0\n1 2 3 4 5 6 7 5 6 7 0 0 0 0\n\n2 2 3 4 5 6 7 5 6 7 0 0 0 0\n"
    );
    control.brightness_temperature = true;
    assert!(text(&control).contains("# $12 = brightness temperature (832.5000 cm^-1) [K]\n"));
}

#[test]
fn refusals_name_line_and_column() {
    let cases = [
        ("1 2 3 4 5 6\n", "obs.tab:1: column 7 (view point latitude) is missing: the row has 6 of 7 columns"),
        (
            "\n1 2 3 4 5 6 7 8 9 10 .1 .2 .3\n",
            "obs.tab:2: column 14 (transmittance (832.5000 cm^-1)) is missing: the row has 13 of 14 columns",
        ),
        ("1 2 3 4 5 6 x\n", "obs.tab:1: \"x\" is not a number (column 7, view point latitude)"),
        ("1 inf 3 4 5 6 7\n", "obs.tab:1: observer altitude inf km of ray 0 lies outside (-inf, inf)"),
        ("1 2 3 4 5 nan 7\n", "obs.tab:1: view point longitude NaN deg of ray 0 lies outside (-inf, inf)"),
        ("# nothing\n", "obs.tab: the file holds no ray"),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected);
    }
}

#[test]
fn header_of_other_units_is_refused_where_its_column_counts() {
    let row = "1 2 3 4 5 6 7 8 9 10 .1 .2 .3 .4\n";
    let geometry = format!("# $2 = observer altitude [m]\n{row}");
    assert_eq!(refusal(&geometry), "obs.tab:1: column 2 holds observer altitude in [m], expected [km]");
    let radiance = "# $11 = radiance (792.0000 cm^-1) [mW/(m^2 sr cm^-1)]";
    let (_folder, path) = file(format!("{radiance}\n{row}"), "obs.tab");
    assert!(read_observation(&path, &two_channels()).is_ok());
    let refused = message(read_measurement(&path, &two_channels()), &path);
    let expected = "obs.tab:1: column 11 holds radiance (792.0000 cm^-1) in [mW/(m^2 sr cm^-1)], expected [W/(m^2 sr \
                    cm^-1)]";
    assert_eq!(refused, expected);
    let swapped = "# $11 = radiance (832.5000 cm^-1) [W/(m^2 sr cm^-1)]";
    let (_folder, path) = file(format!("{swapped}\n{row}"), "obs.tab");
    let refused = message(read_measurement(&path, &two_channels()), &path);
    assert_eq!(
        refused,
        "obs.tab:1: column 11 is titled radiance (832.5000 cm^-1), radiance (792.0000 cm^-1) is expected"
    );
    // Of a channel that nobody asks for.
    let (_folder, path) = file(format!("# $11 = radiance (1043.0000 cm^-1) [W/(m^2 sr cm^-1)]\n{row}"), "obs.tab");
    let refused = message(read_measurement(&path, &two_channels()), &path);
    assert!(
        refused.contains("is titled radiance (1043.0000 cm^-1), radiance (792.0000 cm^-1) is expected"),
        "{refused}"
    );
}

#[test]
fn measurements_that_count_have_to_be_there() {
    let (_folder, path) = file("1 2 3 4 5 6 7 8 9 10 .1 .2 .3 .4\n\n1 2 3 4 5 6 7\n", "obs.tab");
    assert_eq!(
        message(read_measurement(&path, &two_channels()), &path),
        "obs.tab:3: column 8 (tangent point altitude) is missing: the row has 7 of 14 columns"
    );
    let (converted, without) = read_observation_and_titles(&path, &two_channels()).unwrap();
    assert_eq!((converted, without), (read_observation(&path, &two_channels()).unwrap(), 1));
}

#[test]
fn vectors_of_other_lengths_are_not_written() {
    let observation = Observation { rays: vec![Ray::default()], ..Observation::default() };
    assert_eq!(
        write_observation(&mut Vec::new(), &observation, &two_channels()).unwrap_err().to_string(),
        "1 rays of 2 channels have 0 tangent points, 0 radiances and 0 transmittances"
    );
}

proptest! {
    #[test]
    fn written_observation_reads_back_equal(
        rays in prop::collection::vec(
            (prop::array::uniform10(-1e30f64..1e30), prop::array::uniform4(any::<f64>())),
            1..10,
        ),
    ) {
        let control = two_channels();
        let at = |v: &[f64; 10], i: usize| point(v[i], v[i + 1], 90.0 * (v[i + 2] / 1e30));
        let observation = Observation {
            rays: rays.iter().map(|(v, _)| Ray { time_s: v[0], observer: at(v, 1), view_point: at(v, 4) }).collect(),
            tangent_points: rays.iter().map(|(v, _)| at(v, 7)).collect(),
            radiance: rays.iter().flat_map(|(_, v)| [v[0], v[1]]).collect(),
            transmittance: rays.iter().flat_map(|(_, v)| [v[2], v[3]]).collect(),
        };
        let (_folder, path) = written("obs.tab", |out| write_observation(out, &observation, &control)).unwrap();
        // By text, so that a mask equals itself.
        prop_assert_eq!(format!("{:?}", read_observation(&path, &control).unwrap()), format!("{observation:?}"));
    }
}
