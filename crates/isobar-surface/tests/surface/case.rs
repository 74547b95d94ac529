//! The reference's points.

use std::path::{Path, PathBuf};

use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use isobar_surface::{
    ColumnViews, Columns, Constants, Fluxes, LandRoughness, Options, Results, WaterRoughness, compute,
};

/// Names of the fields of `out_<case>_<precision>.npy`.
pub(crate) const OUTPUTS: [&str; 34] = [
    "znt", "ust", "zol", "mol", "rmol", "regime", "hfx", "qfx", "qsfc", "ustm", "gz1oz0", "wspd", "br", "psim", "psih",
    "fm", "fh", "cpm", "chs", "chs2", "cqs2", "flhc", "flqc", "qgh", "lh", "u10", "v10", "th2", "t2", "q2", "ck",
    "cka", "cd", "cda",
];

/// What the reference leaves as it was.
pub(crate) const NOT_SET: f64 = -9999.0;

pub(crate) fn folder() -> Option<PathBuf> {
    isobar_golden::find("pbl").map(|dir| dir.join("sfc"))
}

/// The fields of a file.
pub(crate) fn fields(path: &Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    values.chunks(shape[1]).map(<[f64]>::to_vec).collect()
}

/// The reference's inputs.
pub(crate) fn read(folder: &Path) -> Columns<f64> {
    let mut fields = fields(&folder.join("in.npy")).into_iter();
    let mut next = || fields.next().expect("25 fields");
    let mut columns = Columns {
        u_m_per_s: next(),
        v_m_per_s: next(),
        temperature_k: next(),
        vapour_kg_per_kg: next(),
        pressure_pa: next(),
        thickness_m: next(),
        surface_pressure_pa: next(),
        boundary_layer_height_m: next(),
        moisture_availability: next(),
        land_or_water: next(),
        surface_temperature_k: next(),
        orography_deviation_m: next(),
        grid_length_m: next(),
        lake: next(),
        water_depth_m: next(),
        roughness_m: next(),
        friction_velocity_m_per_s: next(),
        ..Columns::default()
    };
    let _zol = next();
    columns.temperature_scale_k = next();
    let _rmol_and_regime = [next(), next()];
    columns.sensible_heat_flux_w_per_m2 = next();
    columns.moisture_flux_kg_per_m2_s = next();
    columns.surface_vapour_kg_per_kg = next();
    columns.friction_velocity_of_wind_m_per_s = next();
    columns
}

/// The reference's cases.
pub(crate) fn cases() -> Vec<(&'static str, Options)> {
    let base = Options { constants: Constants::mpas(), ..Options::default() };
    vec![
        ("base", base),
        ("ftc1", Options { water_roughness: WaterRoughness::Constant, ..base }),
        ("ftc2", Options { water_roughness: WaterRoughness::Garratt, ..base }),
        ("iz01", Options { land_roughness: LandRoughness::ChenZhang, ..base }),
        ("iz02", Options { land_roughness: LandRoughness::Zilitinkevich, ..base }),
        ("noflx", Options { fluxes: Fluxes::Zero, ..base }),
        ("scm", Options { fluxes: Fluxes::Given, ..base }),
        ("shal", Options { shallow_water: true, ..base }),
        ("tofd", Options { form_drag: true, form_drag_factor: 2.0, ..base }),
        ("base_wrfconst", Options { constants: Constants::wrf(), ..base }),
        ("base_ufsconst", Options { constants: Constants::ufs(), ..base }),
    ]
}

/// The results in the reference's order.
pub(crate) fn outputs<R: Real>(out: &Results<R>) -> Vec<Vec<f64>> {
    let reals = [
        &out.roughness_m,
        &out.friction_velocity_m_per_s,
        &out.stability,
        &out.temperature_scale_k,
        &out.inverse_obukhov_length_per_m,
        &out.sensible_heat_flux_w_per_m2,
        &out.moisture_flux_kg_per_m2_s,
        &out.surface_vapour_kg_per_kg,
        &out.friction_velocity_of_wind_m_per_s,
        &out.logarithm,
        &out.wind_speed_m_per_s,
        &out.richardson,
        &out.correction_momentum,
        &out.correction_heat,
        &out.profile_momentum,
        &out.profile_heat,
        &out.heat_capacity_j_per_kg_k,
        &out.exchange_m_per_s,
        &out.exchange_heat_2m_m_per_s,
        &out.exchange_moisture_2m_m_per_s,
        &out.exchange_heat_w_per_m2_k,
        &out.exchange_moisture_kg_per_m2_s,
        &out.saturation_kg_per_kg,
        &out.latent_heat_flux_w_per_m2,
        &out.u_10m_m_per_s,
        &out.v_10m_m_per_s,
        &out.theta_2m_k,
        &out.temperature_2m_k,
        &out.vapour_2m_kg_per_kg,
        &out.enthalpy_coefficient_10m,
        &out.enthalpy_coefficient,
        &out.drag_coefficient_10m,
        &out.drag_coefficient,
    ];
    let mut all: Vec<Vec<f64>> = reals.map(|field| field.iter().map(|x| x.value()).collect()).to_vec();
    all.insert(5, out.regime.iter().map(|&regime| f64::from(regime)).collect());
    all
}

pub(crate) fn run<R: Real>(columns: &Columns<f64>, options: &Options) -> Results<R> {
    let columns = columns.rounded::<R>();
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    compute(&views, options).unwrap_or_else(|error| panic!("{error}"))
}
