//! Options, profiles and radiances to text and back.

use isobar_adding::{clear_sky, scattering};

#[test]
fn what_is_written_is_read_again() {
    let weight = vec![0.25, 0.1 + 0.2];
    let options = clear_sky::Options {
        reflection: clear_sky::Reflection::Lambertian { weight },
        ..clear_sky::Options::new(&[0.3])
    };
    let profiles = clear_sky::Profiles { optical_depth: vec![0.1, 1.0 / 3.0], ..clear_sky::Profiles::default() };
    let text = serde_json::to_string(&(&options, &profiles)).unwrap();
    let back: (clear_sky::Options, clear_sky::Profiles<f64>) = serde_json::from_str(&text).unwrap();
    assert_eq!(back, (options, profiles));

    let options = scattering::Options { levels: true, ..scattering::Options::new(8) };
    let radiances = scattering::Radiances { top_radiance: vec![2.0 / 3.0], status: vec![3], ..Default::default() };
    let text = serde_json::to_string(&(&options, &radiances)).unwrap();
    let back: (scattering::Options, scattering::Radiances<f64>) = serde_json::from_str(&text).unwrap();
    assert_eq!(back, (options, radiances));
}
