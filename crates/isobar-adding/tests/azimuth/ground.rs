//! What is said of grounds that the streams do not resolve, and of those that reflect more than comes.

use isobar_adding::azimuth::{Options, ProfileViews, Profiles, Surface};
use isobar_adding::{Adding, Device};
use isobar_launch::Scheme;

/// Air that does nothing over two grounds, lit by a Sun.
fn lit(parameters: &[[f64; 2]], sun: f64) -> Profiles<f64> {
    Profiles {
        viewing_cosine: vec![1.0; 2],
        relative_azimuth: vec![0.0; 2],
        optical_depth: vec![0.0; 2],
        single_scattering_albedo: vec![0.0; 2],
        asymmetry: vec![0.0; 2],
        surface_planck_radiance: vec![0.0; 2],
        surface_parameters: parameters.concat(),
        cosmic_background: vec![0.0; 2],
        sun_cosine: vec![sun; 2],
        sun_irradiance: vec![1.0; 2],
        ..Profiles::default()
    }
}

fn doubts(profiles: &Profiles<f64>, surface: Surface, nodes: usize) -> Vec<String> {
    let views = ProfileViews::try_from(profiles).expect("sizes that fit");
    let options = Options { surface, ..Options::new(nodes) };
    Adding::<f64>::on(&[Device::Thread]).scheme().doubts(&views, &options)
}

/// The flux over the beam's that the kernels reflect is the share that is told; with as many streams as are told to be
/// enough it is Fresnel's reflectance at right angles, which waves change by little.
#[test]
fn a_calm_sea_that_the_streams_do_not_resolve_is_told() {
    let (calm, index) = ([[5.0, 0.0], [1.34; 2]], 1.34_f64);
    let [doubt] = &doubts(&lit(&calm, 1.0), Surface::CoxMunk, 8)[..] else { panic!("one doubt") };
    let reflected = |nodes: usize| {
        let options = Options { surface: Surface::CoxMunk, fluxes: true, ..Options::new(nodes) };
        let model = Adding::<f64>::on(&[Device::Thread]);
        let radiances = model.run(&lit(&calm, 1.0), &options).expect("a valid batch");
        radiances.upward_flux[1]
    };
    let told = format!(
        "16 streams do not resolve how the ground of profile 1 (wind 0, refractive index 1.34) reflects: of light \
         along a Sun of cosine 1.0000 it reflects {:.4} by their directions, and {:.4} by finer ones",
        reflected(8),
        reflected(32)
    );
    assert!(doubt.starts_with(&told), "{doubt} for {told}");
    assert!(doubt.ends_with("32 streams are enough"), "{doubt}");
    let amplitude = (index - 1.0) / (index + 1.0);
    assert!((reflected(16) - amplitude * amplitude).abs() < 1e-3 && reflected(8) < 0.4 * amplitude * amplitude);
    assert!(doubts(&lit(&calm, 1.0), Surface::CoxMunk, 16).is_empty());
    assert!(doubts(&lit(&[[5.0, 7.0], [1.34; 2]], 1.0), Surface::CoxMunk, 8).is_empty(), "wind");
    // What is emitted to a view is told, too, and not where nothing is.
    let night = Profiles { sun_cosine: vec![], sun_irradiance: vec![], relative_azimuth: vec![], ..lit(&calm, 1.0) };
    assert!(doubts(&night, Surface::CoxMunk, 8).is_empty());
    let warm = Profiles { surface_planck_radiance: vec![1.0; 2], ..night };
    assert!(doubts(&warm, Surface::CoxMunk, 8)[0].contains("along a view of cosine 1.0000 it reflects 0.0064"));
}

/// Ross's and Li's kernels, and Rahman's, Pinty's and Verstraete's, with the Sun at 78 degrees: the share is the flux
/// that goes up over that of the beam.
#[test]
fn a_ground_that_reflects_more_than_comes_is_told() {
    for (surface, parameters, share) in [
        (Surface::Rpv, &[0.6, 0.5, -0.1, 0.6][..], "2.33"),
        (Surface::RossLi, &[0.9, 0.9, 0.0], "1.53"),
        (Surface::RossLi, &[0.3, 0.2, 0.05], ""),
        (Surface::Rpv, &[0.05, 0.75, -0.1, 0.05], ""),
    ] {
        let parameters = parameters.iter().flat_map(|&value| [value; 2]).collect();
        let profiles = Profiles { surface_parameters: parameters, ..lit(&[], 0.2) };
        let found = doubts(&profiles, surface, 8);
        let options = Options { surface, fluxes: true, ..Options::new(8) };
        let fluxes = Adding::<f64>::on(&[Device::Thread]).run(&profiles, &options).expect("a batch").upward_flux;
        if share.is_empty() {
            assert!(found.is_empty() && fluxes[0] < 0.2, "{found:?}");
        } else {
            assert!(found[0].contains(&format!(" reflects {share} times the light along a Sun of cosine 0.2")));
            assert_eq!(format!("{:.2}", fluxes[0] / 0.2), share);
        }
    }
}
