//! Each option changes what it should, and nothing else.

use isobar_core::fields::{AnyValues, OwnedOutputs};
use isobar_surface::{Columns, Constants, Fluxes, LandRoughness, Options, Results, Root, WaterRoughness, analytic};

use crate::case::run;

const COUNT: usize = 480;

/// The names of fields that differ in some column of a kind.
fn changed(one: &Results<f64>, other: &Results<f64>, counts: impl Fn(usize) -> bool) -> Vec<&'static str> {
    let values = |results: &Results<f64>| {
        let mut all = Vec::new();
        results.each(&mut |declared, values| {
            if let AnyValues::Real(values) = values {
                all.push((declared.name, values.to_vec()));
            }
        });
        all
    };
    let differ = |a: &[f64], b: &[f64]| (0..a.len()).any(|i| counts(i) && a[i] != b[i]);
    values(one)
        .into_iter()
        .zip(values(other))
        .filter(|((_, a), (_, b))| differ(a, b))
        .map(|((name, _), _)| name)
        .collect()
}

fn columns() -> Columns<f64> {
    analytic::columns(COUNT)
}

fn with(options: &Options) -> Results<f64> {
    run(&columns(), options)
}

/// As the family has it.
fn water(i: usize) -> bool {
    i / 48 % 5 < 2
}

#[test]
fn the_family_has_water_and_land() {
    assert!(columns().land_or_water.iter().enumerate().all(|(i, &kind)| (kind == 2.0) == water(i)));
}

#[test]
fn roughness_of_water_is_waters_alone() {
    let usual = with(&Options::default());
    for water_roughness in [WaterRoughness::Constant, WaterRoughness::Garratt] {
        let other = with(&Options { water_roughness, ..Options::default() });
        assert!(changed(&usual, &other, |i| !water(i)).is_empty());
        let changes = changed(&usual, &other, water);
        for name in ["roughness_m", "profile_heat", "sensible_heat_flux_w_per_m2", "moisture_flux_kg_per_m2_s"] {
            assert!(changes.contains(&name), "{water_roughness:?}: {changes:?}");
        }
        assert!(!changes.contains(&"friction_velocity_m_per_s"));
    }
    let constant = Options { water_roughness: WaterRoughness::Constant, ..Options::default() };
    let garratt = Options { water_roughness: WaterRoughness::Garratt, ..Options::default() };
    assert!(changed(&with(&constant), &with(&garratt), water).contains(&"profile_heat"));
}

#[test]
fn roughness_of_land_is_lands_alone() {
    let usual = with(&Options::default());
    let of = |land_roughness| with(&Options { land_roughness, ..Options::default() });
    let (chen, zilitinkevich) = (of(LandRoughness::ChenZhang), of(LandRoughness::Zilitinkevich));
    for (one, other) in [(&usual, &chen), (&usual, &zilitinkevich), (&chen, &zilitinkevich)] {
        assert!(changed(one, other, water).is_empty());
        let changes = changed(one, other, |i| !water(i));
        assert!(changes.contains(&"profile_heat") && changes.contains(&"exchange_m_per_s"), "{changes:?}");
        assert!(!changes.contains(&"profile_momentum") && !changes.contains(&"enthalpy_coefficient"));
    }
    // Smoother for heat than for momentum: a longer way, less heat.
    assert!((0..COUNT).all(|i| chen.profile_heat[i] >= usual.profile_heat[i] || water(i)));
}

#[test]
fn depth_and_lakes_count_over_water() {
    let usual = with(&Options::default());
    let shallow = with(&Options { shallow_water: true, ..Options::default() });
    assert_eq!(changed(&usual, &shallow, water), ["roughness_m"]);
    assert!(changed(&usual, &shallow, |i| !water(i)).is_empty());
    let mut fresh = columns();
    fresh.lake = vec![1.0; COUNT];
    let mut salty = columns();
    salty.lake = Vec::new();
    let (fresh, salty) = (run::<f64>(&fresh, &Options::default()), run::<f64>(&salty, &Options::default()));
    assert!(changed(&fresh, &salty, |i| !water(i)).is_empty());
    assert!((0..COUNT).filter(|&i| water(i)).all(|i| {
        let ratio = salty.surface_vapour_kg_per_kg[i] / fresh.surface_vapour_kg_per_kg[i];
        ratio > 0.97 && ratio < 0.98
    }));
}

#[test]
fn hills_add_drag() {
    let usual = with(&Options::default());
    let hills = with(&Options { form_drag: true, ..Options::default() });
    let higher = with(&Options { form_drag: true, form_drag_factor: 3.0, ..Options::default() });
    let rough: Vec<bool> = columns().orography_deviation_m.iter().map(|&deviation| deviation > 5.0).collect();
    assert!(changed(&usual, &hills, |i| !rough[i]).is_empty());
    let changes = changed(&usual, &hills, |i| rough[i]);
    assert!(changes.contains(&"drag_coefficient") && changes.contains(&"friction_velocity_m_per_s"), "{changes:?}");
    assert!(!changes.contains(&"friction_velocity_of_wind_m_per_s"));
    assert!((0..COUNT).all(|i| higher.drag_coefficient[i] >= hills.drag_coefficient[i]));
    assert!(changed(&hills, &higher, |i| rough[i]).contains(&"drag_coefficient"));
}

#[test]
fn fluxes_are_computed_given_or_none() {
    let (columns, usual) = (columns(), with(&Options::default()));
    let given = with(&Options { fluxes: Fluxes::Given, ..Options::default() });
    assert_eq!(given.sensible_heat_flux_w_per_m2, columns.sensible_heat_flux_w_per_m2);
    assert_eq!(given.moisture_flux_kg_per_m2_s, columns.moisture_flux_kg_per_m2_s);
    let fluxes = ["sensible_heat_flux_w_per_m2", "moisture_flux_kg_per_m2_s", "latent_heat_flux_w_per_m2"];
    assert_eq!(changed(&usual, &given, |_| true), fluxes);
    let none = with(&Options { fluxes: Fluxes::Zero, ..Options::default() });
    let nothing = [&none.sensible_heat_flux_w_per_m2, &none.exchange_m_per_s, &none.exchange_heat_w_per_m2_k];
    assert!(nothing.iter().all(|field| field.iter().all(|&value| value == 0.0)));
    assert_eq!(none.roughness_m, columns.roughness_m);
    assert_eq!(none.friction_velocity_m_per_s, usual.friction_velocity_m_per_s);
}

#[test]
fn every_constant_counts() {
    let usual = with(&Options::default());
    let of = |constants| with(&Options { constants, ..Options::default() });
    let start = Constants::wrf();
    let others = [
        ("cp", Constants { cp: 1010.0, ..start }),
        ("g", Constants { g: 9.7, ..start }),
        ("rd", Constants { rd: 288.0, ..start }),
        ("rv", Constants { rv: 462.0, ..start }),
        ("karman", Constants { karman: 0.41, ..start }),
        ("xlv", Constants { xlv: 2.45e6, ..start }),
        ("svp1", Constants { svp1: 0.611, ..start }),
        ("svp2", Constants { svp2: 17.5, ..start }),
        ("svp3", Constants { svp3: 30.0, ..start }),
        ("svpt0", Constants { svpt0: 273.16, ..start }),
        ("p1000mb", Constants { p1000mb: 101_325.0, ..start }),
        ("mpas", Constants::mpas()),
        ("cam_sima", Constants::cam_sima()),
        ("ufs", Constants::ufs()),
    ];
    for (name, constants) in others {
        let changes = changed(&usual, &of(constants), |_| true);
        assert!(changes.contains(&"latent_heat_flux_w_per_m2"), "{name}: {changes:?}");
    }
}

/// The converged root solves the equation, and WRF's is near it, but not it.
#[test]
fn the_converged_root_solves_the_equation() {
    let columns = columns();
    let options = Options { root: Root::Converged, ..Options::default() };
    let (secants, converged) = (with(&Options::default()), run::<f64>(&columns, &options));
    let (mut near, mut farther) = (0, 0);
    for i in 0..COUNT {
        // Where unstable profiles are not limited, they are those of the equation.
        let (ri, zeta) = (converged.richardson[i], converged.stability[i]);
        let limited = converged.correction_heat[i] > 0.89 * converged.logarithm[i]
            || converged.correction_momentum[i] > 0.89 * converged.logarithm[i];
        if ri == 0.0 || limited || water(i) {
            continue;
        }
        let residual = |results: &Results<f64>| {
            let (momentum, heat) = (results.profile_momentum[i], results.profile_heat[i]);
            (results.stability[i] * heat / (momentum * momentum) / ri - 1.0).abs()
        };
        assert!(residual(&converged) < 1e-12, "column {i}: Ri {ri}, z/L {zeta}: {:e}", residual(&converged));
        near += usize::from(residual(&secants) < 1e-2);
        farther += usize::from(residual(&secants) > 1e-6);
    }
    println!("secants: {near} within 1 %, {farther} farther than 1e-6");
    assert!(near > 100 && farther > 20, "{near} {farther}");
}
