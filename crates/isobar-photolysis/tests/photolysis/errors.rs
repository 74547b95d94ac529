//! What is refused, and that each choice counts.

use isobar_photolysis::{Device, Options, Photolysis, Tables};

use crate::column;

fn tables() -> Tables {
    Tables::new(vec![300.0, 310.0], vec![1e14]).unwrap().reaction("a", |_, _| (1e-20, 0.0)).unwrap()
}

#[test]
fn tables_that_make_no_sense_are_refused() {
    for (edges, sun, what) in [
        (vec![300.0], vec![], "1 edges of bins and photons of 0"),
        (vec![300.0, 300.0], vec![1.0], "edge 1 of the bins is 300 nm, not above 300 nm"),
        (vec![30.0, 300.0], vec![1.0], "edge 0 of the bins is 30 nm"),
        (vec![300.0, 310.0], vec![-1.0], "photons of the Sun: -1"),
        (vec![300.0, 310.0], vec![f64::NAN], "photons of the Sun: NaN"),
    ] {
        let error = Tables::new(edges, sun).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    let negative = tables().reaction("b", |_, _| (-1.0, 0.0)).unwrap_err().to_string();
    assert!(negative.contains("products of b: -1"), "{negative}");
    assert!(tables().reaction("a", |_, _| (1.0, 0.0)).unwrap_err().to_string().contains("reaction a is there twice"));
    assert!(tables().ozone(|_, _| f64::INFINITY).unwrap_err().to_string().contains("cross-sections of ozone"));
    let none = Tables::new(vec![300.0, 310.0], vec![1e14]).unwrap();
    assert!(Photolysis::<f64>::new(&none).is_err());
}

#[test]
fn columns_out_of_range_are_refused_with_their_place() {
    let refused = |change: &dyn Fn(&mut isobar_photolysis::Columns<f64>), what: &str| {
        let mut columns = column(3, 0.5);
        change(&mut columns);
        let model = Photolysis::new(&tables()).unwrap().on(&[Device::Thread]);
        let error = model.run(&columns, &Options::default()).expect_err(what).to_string();
        assert!(error.contains(what), "{error}");
    };
    refused(&|c| c.temperature_k[1] = 500.0, "temperature_k");
    refused(&|c| c.albedo[0] = 1.5, "albedo");
    refused(&|c| c.ozone_per_cm2[0] = -1.0, "ozone_per_cm2");
    refused(&|c| c.cosine_of_zenith[0] = f64::NAN, "cosine_of_zenith");
    refused(&|c| c.height_km[2] = c.height_km[1], "height_km of column 0: level 2");
    refused(&|c| c.air_per_cm2.truncate(2), "air_per_cm2");
}

#[test]
fn each_choice_counts() {
    let mut columns = column(10, 0.7);
    columns.cloud_optical_depth = vec![0.0, 5.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let run = |options: &Options| {
        let model = Photolysis::new(&tables()).unwrap().on(&[Device::Thread]);
        model.run(&columns, options).map(|rates| rates.rate_per_s).map_err(|error| error.to_string())
    };
    let usual = run(&Options::default()).unwrap();
    let darker = run(&Options { cloud_albedo: 0.9, ..Options::default() }).unwrap();
    let broader = run(&Options { cloud_asymmetry: 0.0, ..Options::default() }).unwrap();
    assert!(darker[0] < usual[0] && broader[0] < usual[0] && darker != broader);
    assert!(run(&Options { cloud_albedo: 1.1, ..Options::default() }).unwrap_err().contains("albedo of clouds is 1.1"));
    assert!(run(&Options { cloud_asymmetry: 1.0, ..Options::default() }).unwrap_err().contains("asymmetry of clouds"));
}
