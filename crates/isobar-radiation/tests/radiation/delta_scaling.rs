//! Whose forward peak is scaled away: the beam through air and aerosol that scatter, in closed form.

use isobar_core::Real;
use isobar_optics::constants::{ECCKD_AIR, GRAVITY};
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdSolar, GasOptics};
use isobar_radiation::{DeltaScaling, Device, Options, Radiation, analytic};

const LAYERS: usize = 20;
/// Rayleigh scattering of a mole of air \[m^2\].
const RAYLEIGH: f64 = 1e-6;

/// Air that scatters alone.
pub(crate) fn air() -> GasOptics {
    let gas = |name: &str, dependence, rows: usize| EcckdGas {
        name: name.to_owned(),
        dependence,
        absorption: vec![0.0; rows],
    };
    let model = Ecckd {
        points: 1,
        pressure_pa: vec![1.0, 1.1e5],
        temperature_k: vec![150.0, 150.0, 350.0, 350.0],
        gases: vec![
            gas("composite", EcckdDependence::None, 4),
            gas("h2o", EcckdDependence::LookUp(vec![1e-6, 1e-2]), 8),
        ],
        bands: vec![[1000.0, 50_000.0]],
        band_of_point: vec![0],
        solar: Some(EcckdSolar { irradiance: vec![1361.0], rayleigh: vec![RAYLEIGH] }),
        ..Ecckd::default()
    };
    GasOptics::try_from(&model).unwrap()
}

#[test]
fn the_beam_loses_what_is_no_forward_peak() {
    let (depth, albedo, asymmetry) = (0.1, 0.9, 0.7);
    let mut columns = analytic::columns::<f64>(5, LAYERS, false);
    columns.aerosol_optical_depth = vec![depth];
    columns.aerosol_albedo = vec![albedo];
    columns.aerosol_asymmetry = vec![asymmetry];
    let model = Radiation::<f64>::new().with(&air(), None).unwrap().on(&[Device::Thread]);
    let scattering = depth * albedo;
    for delta_scaling in [DeltaScaling::Particles, DeltaScaling::Mixture] {
        let fluxes = model.run(&columns, &Options { delta_scaling, ..Options::default() }).unwrap();
        for column in 0..5 {
            let cosine = columns.cosine_zenith[column];
            let mut beam = 1361.0 * cosine;
            for layer in (0..LAYERS).rev() {
                let pressure = |level: usize| columns.level_pressure_pa[level * 5 + column];
                let gas = RAYLEIGH * (pressure(layer) - pressure(layer + 1)) / (GRAVITY * ECCKD_AIR);
                let peak = match delta_scaling {
                    DeltaScaling::Particles => scattering * asymmetry * asymmetry,
                    DeltaScaling::Mixture => {
                        let mean = scattering * asymmetry / (scattering + gas);
                        (scattering + gas) * mean * mean
                    }
                };
                beam *= Real::exp(-(depth + gas - peak) / cosine);
                let found = fluxes.shortwave_direct_w_per_m2[layer * 5 + column];
                // Roundings of 20 factors.
                assert!((found - beam).abs() < 1e-12 * 1361.0, "{delta_scaling:?}: {found} {beam}");
            }
        }
    }
}
