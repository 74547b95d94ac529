//! Whole days of six columns, surface layer and boundary layer by turns, against the shared code of WRF and MPAS:
//! what a step leaves wrong comes back in the next 1440.

use std::path::Path;

use isobar_core::Real;
use isobar_surface::{Columns as Surfaces, Constants as SurfaceConstants, Options as SurfaceOptions};
use isobar_ysu::{Chosen, Columns, Constants, Options, Results, ShinHongOptions};

use crate::case::{computed, stack, transposed};
use crate::golden::percentiles;

const TIME_STEP_S: f64 = 60.0;
const STEPS: usize = 1440;
/// Steps from one stored state to the next.
const EVERY: usize = 30;

/// What may differ of winds \[m/s\] and potential temperature \[K\]: rounding, a thousand times what it is in a step,
/// as it grows within a day where the reference's own temperature is changed by 1e-15.
const STATE: f64 = 1e-7;
/// The same of the height of the boundary layer \[m\].
const HEIGHT_M: f64 = 1e-4;

/// A day's air, its surface, and what drives both.
struct Day<R> {
    air: Columns<R>,
    surface: Surfaces<R>,
    /// Potential temperature \[K\].
    theta: Vec<R>,
    /// Coriolis parameter \[1/s\] and geostrophic wind \[m/s\], a value a column.
    forcing: [Vec<R>; 3],
    /// `[column, step]` \[K\].
    surface_temperature_k: Vec<R>,
}

/// A state of the reference or of ours: winds, potential temperature and vapour by layer; the boundary layer's height.
struct State {
    layers: [Vec<f64>; 4],
    height_m: Vec<f64>,
}

fn read<R: Real>(dir: &Path) -> Day<R> {
    let numbers = |values: Vec<f64>| values.into_iter().map(R::from_f64).collect::<Vec<R>>();
    let mut fields = stack(&dir.join("in_3d.npy")).into_iter().map(numbers);
    let mut next = || fields.next().expect("ten fields");
    let [u, v, theta, vapour, cloud_water, cloud_ice, pressure, exner, thickness, radiative_heating] =
        std::array::from_fn(|_| next());
    let (shape, interfaces) = isobar_golden::npy(&dir.join("in_p_int.npy"));
    let mut values = stack(&dir.join("in_2d.npy")).into_iter().map(numbers);
    let mut next = || values.next().expect("nine fields");
    let [surface_pressure, roughness, land_or_water, availability, f, u_geostrophic, v_geostrophic, friction, height] =
        std::array::from_fn(|_| next());
    let count = shape[0];
    let all = |value: f64| vec![R::from_f64(value); count];
    let surface = Surfaces {
        pressure_pa: pressure[..count].to_vec(),
        thickness_m: thickness[..count].to_vec(),
        surface_pressure_pa: surface_pressure.clone(),
        boundary_layer_height_m: height,
        moisture_availability: availability,
        land_or_water: land_or_water.clone(),
        grid_length_m: all(3000.0),
        roughness_m: roughness,
        friction_velocity_m_per_s: friction.clone(),
        friction_velocity_of_wind_m_per_s: friction,
        temperature_scale_k: all(0.0),
        sensible_heat_flux_w_per_m2: all(0.0),
        moisture_flux_kg_per_m2_s: all(0.0),
        surface_vapour_kg_per_kg: all(0.0),
        ..Surfaces::default()
    };
    let air = Columns {
        u_m_per_s: u,
        v_m_per_s: v,
        temperature_k: theta.clone(),
        vapour_kg_per_kg: vapour,
        cloud_water_kg_per_kg: cloud_water,
        cloud_ice_kg_per_kg: cloud_ice,
        pressure_pa: pressure,
        exner,
        thickness_m: thickness,
        radiative_heating_k_per_s: radiative_heating,
        interface_pressure_pa: numbers(transposed(&interfaces, count, shape[1])),
        surface_pressure_pa: surface_pressure,
        land_or_water,
        u_current_m_per_s: all(0.0),
        v_current_m_per_s: all(0.0),
        grid_distance_m: all(500.0),
        coriolis_per_s: f.clone(),
        turbulent_energy_m2_per_s2: vec![R::from_f64(0.005); theta.len()],
        ..Columns::default()
    };
    let (_, surface_temperature_k) = isobar_golden::npy(&dir.join("in_tsk.npy"));
    let forcing = [f, u_geostrophic, v_geostrophic];
    Day { air, surface, theta, forcing, surface_temperature_k: numbers(surface_temperature_k) }
}

impl<R: Real> Day<R> {
    /// Fluxes of the surface below today's air, which the next step starts from, too.
    fn surface_layer(&mut self, step: usize) {
        let (air, surface) = (&mut self.air, &mut self.surface);
        let count = surface.land_or_water.len();
        for (i, temperature) in air.temperature_k.iter_mut().enumerate() {
            *temperature = self.theta[i] * air.exner[i];
        }
        surface.u_m_per_s = air.u_m_per_s[..count].to_vec();
        surface.v_m_per_s = air.v_m_per_s[..count].to_vec();
        surface.temperature_k = air.temperature_k[..count].to_vec();
        surface.vapour_kg_per_kg = air.vapour_kg_per_kg[..count].to_vec();
        surface.surface_temperature_k = (0..count).map(|i| self.surface_temperature_k[i * STEPS + step]).collect();
        let options = SurfaceOptions { constants: SurfaceConstants::mpas(), ..SurfaceOptions::default() };
        let views = isobar_surface::ColumnViews::try_from(&*surface).expect("sizes fit");
        let out = isobar_surface::compute(&views, &options).expect("the surface is valid");
        surface.roughness_m = out.roughness_m.clone();
        surface.friction_velocity_m_per_s = out.friction_velocity_m_per_s.clone();
        surface.friction_velocity_of_wind_m_per_s = out.friction_velocity_of_wind_m_per_s;
        surface.temperature_scale_k = out.temperature_scale_k;
        surface.sensible_heat_flux_w_per_m2 = out.sensible_heat_flux_w_per_m2.clone();
        surface.moisture_flux_kg_per_m2_s = out.moisture_flux_kg_per_m2_s.clone();
        air.roughness_m = out.roughness_m;
        air.friction_velocity_m_per_s = out.friction_velocity_m_per_s;
        air.sensible_heat_flux_w_per_m2 = out.sensible_heat_flux_w_per_m2;
        air.moisture_flux_kg_per_m2_s = out.moisture_flux_kg_per_m2_s;
        air.profile_momentum = out.profile_momentum;
        air.profile_heat = out.profile_heat;
        air.wind_speed_m_per_s = out.wind_speed_m_per_s;
        air.richardson = out.richardson;
        air.u_10m_m_per_s = out.u_10m_m_per_s;
        air.v_10m_m_per_s = out.v_10m_m_per_s;
    }

    /// Mixing, and the turning of the wind that is not the geostrophic one.
    fn boundary_layer(&mut self, chosen: impl Chosen) {
        let out: Results<R> = computed(&self.air, chosen);
        let (air, step) = (&mut self.air, R::from_f64(TIME_STEP_S));
        let [f, u_geostrophic, v_geostrophic] = &self.forcing;
        let count = f.len();
        for i in 0..air.u_m_per_s.len() {
            let (column, u, v) = (i % count, air.u_m_per_s[i], air.v_m_per_s[i]);
            air.u_m_per_s[i] = u + step * (out.u_tendency_m_per_s2[i] + f[column] * (v - v_geostrophic[column]));
            air.v_m_per_s[i] = v + step * (out.v_tendency_m_per_s2[i] - f[column] * (u - u_geostrophic[column]));
            self.theta[i] += step * out.theta_tendency_k_per_s[i];
            air.vapour_kg_per_kg[i] += step * out.vapour_tendency_kg_per_kg_s[i];
        }
        self.surface.boundary_layer_height_m = out.height_m;
        if !out.turbulent_energy_m2_per_s2.is_empty() {
            air.turbulent_energy_m2_per_s2 = out.turbulent_energy_m2_per_s2;
        }
    }

    fn state(&self) -> State {
        let plain = |values: &[R]| values.iter().map(|value| value.value()).collect::<Vec<f64>>();
        let air = &self.air;
        State {
            layers: [&air.u_m_per_s, &air.v_m_per_s, &self.theta, &air.vapour_kg_per_kg].map(|field| plain(field)),
            height_m: plain(&self.surface.boundary_layer_height_m),
        }
    }
}

/// A day's states, every half an hour.
fn day<R: Real>(dir: &Path, chosen: impl Chosen) -> Vec<State> {
    let mut day = read::<R>(dir);
    let mut states = Vec::new();
    for step in 0..STEPS {
        day.surface_layer(step);
        day.boundary_layer(chosen);
        if (step + 1) % EVERY == 0 {
            states.push(day.state());
        }
    }
    states
}

/// The reference's states.
fn reference(dir: &Path, scheme: &str, precision: &str) -> Vec<State> {
    const HEIGHT: usize = 21;
    let (shape, values) = isobar_golden::npy(&dir.join(format!("{scheme}_{precision}_2d.npy")));
    let [_, fields, count] = shape[..] else { panic!("{shape:?}") };
    let heights = values.chunks(fields * count).map(|state| state[HEIGHT * count..][..count].to_vec());
    let (shape, values) = isobar_golden::npy(&dir.join(format!("{scheme}_{precision}_3d.npy")));
    let [_, fields, count, layers] = shape[..] else { panic!("{shape:?}") };
    let field = |state: &[f64], i: usize| transposed(&state[i * count * layers..][..count * layers], count, layers);
    let states = values.chunks(fields * count * layers).map(|state| [0, 1, 2, 3].map(|i| field(state, i)));
    states.zip(heights).map(|(layers, height_m)| State { layers, height_m }).collect()
}

/// Magnitudes of the differences within a day, by size: of u, v, theta, vapour, height.
fn differences(ours: &[State], theirs: &[State]) -> [Vec<f64>; 5] {
    assert_eq!((ours.len(), theirs.len()), (STEPS / EVERY, STEPS / EVERY));
    let mut all = [const { Vec::new() }; 5];
    for (ours, theirs) in ours.iter().zip(theirs) {
        let fields = |state: &State| state.layers.iter().cloned().chain([state.height_m.clone()]).collect::<Vec<_>>();
        for (all, (ours, theirs)) in all.iter_mut().zip(fields(ours).iter().zip(&fields(theirs))) {
            assert_eq!(ours.len(), theirs.len());
            all.extend(ours.iter().zip(theirs).map(|(ours, theirs)| (ours - theirs).abs()));
        }
    }
    all.iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
    all
}

/// The largest, or what is not a number.
fn largest(differences: [Vec<f64>; 5]) -> [f64; 5] {
    differences.map(|differences| *differences.last().expect("states"))
}

fn folder() -> Option<std::path::PathBuf> {
    Some(isobar_golden::find("pbl")?.join("diurnal"))
}

fn ysu() -> Options {
    Options { constants: Constants::MPAS, ..Options::new(TIME_STEP_S) }
}

fn shin_hong() -> ShinHongOptions {
    ShinHongOptions { constants: Constants::MPAS, ..ShinHongOptions::new(TIME_STEP_S) }
}

/// A day in both precisions.
fn compare(scheme: &str, chosen: impl Chosen) {
    let Some(dir) = folder() else { return };
    let truth = reference(&dir, scheme, "f64");
    let [u, v, theta, vapour, height] = largest(differences(&day::<f64>(&dir, chosen), &truth));
    println!("{scheme} f64: u {u:.1e}, v {v:.1e}, theta {theta:.1e}, vapour {vapour:.1e}, height {height:.1e}");
    assert!(u < STATE && v < STATE && theta < STATE && vapour < 1e-3 * STATE && height < HEIGHT_M);
    // In single precision no farther from the truth than twice the reference's own, by the median and the 99th
    // percentile: the largest is where a height jumps from one layer to another a step earlier or later.
    let ours = differences(&day::<f32>(&dir, chosen), &truth).map(percentiles);
    let theirs = differences(&reference(&dir, scheme, "f32"), &truth).map(percentiles);
    println!("{scheme} f32: {ours:?}, the reference's own {theirs:?}");
    for (ours, theirs) in ours.into_iter().flatten().zip(theirs.into_iter().flatten()) {
        assert!(ours <= 2.0 * theirs, "{ours:e} against {theirs:e}");
    }
}

#[test]
fn a_day_with_ysu_is_the_references() {
    compare("ysu", ysu());
}

#[test]
fn a_day_with_shin_hong_is_the_references() {
    compare("sh", shin_hong());
}
