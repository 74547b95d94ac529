//! The ground: given through the day, and a slab that comes to rest where its fluxes balance.

use isobar_column::ground::{Ground, Parameters, SOLAR_CONSTANT};
use isobar_column::humidity::{saturation_mixing_ratio, saturation_slope};
use isobar_core::constants::STEFAN_BOLTZMANN_W_PER_M2_K4 as STEFAN_BOLTZMANN;
use isobar_core::{Column, Field, FieldMut, Real};

use crate::{close, run};

const SLAB: Parameters<f64> = Parameters {
    slab: 1,
    phase: 0.0,
    step_s: 60.0,
    heat_capacity_j_per_m2_k: 1e5,
    shortwave: 0,
    transmittance: 0.7,
    albedo: 0.2,
    conductance_w_per_m2_k: 5.0,
};

/// What a slab meets.
#[derive(Clone, Copy)]
struct Around {
    cosine: f64,
    longwave: [f64; 2],
    shortwave: [f64; 2],
    /// The derivative of emission, and the temperature for which the upward long wave is.
    emission: [f64; 2],
    exchange: f64,
    sensible: f64,
    moisture: f64,
}

const NIGHT: Around = Around {
    cosine: 0.0,
    longwave: [300.0, 330.0],
    shortwave: [0.0; 2],
    emission: [0.0; 2],
    exchange: 0.0,
    sensible: 20.0,
    moisture: 1e-5,
};

/// What a slab keeps: temperature, what was taken of turbulent fluxes, heat gained; and the last flux into it.
type Kept = [f64; 4];

/// The slab after a step.
fn step(parameters: Parameters<f64>, kept: Kept, around: Around) -> Kept {
    let [mut temperature, mut taken, mut gained, mut flux] = kept.map(|value| [value]);
    let one = |value: &'static f64| Column::from(std::slice::from_ref(value));
    fn here(value: &f64) -> Column<'_, f64> {
        Column::from(std::slice::from_ref(value))
    }
    fn level(value: &f64) -> Field<'_, f64> {
        Field::item_fastest(std::slice::from_ref(value), 1, 1)
    }
    run(&Ground {
        parameters,
        mean_temperature_k: one(&290.0),
        amplitude_k: one(&8.0),
        cosine_of_zenith: here(&around.cosine),
        flux_up_w_per_m2: level(&around.longwave[0]),
        flux_down_w_per_m2: level(&around.longwave[1]),
        shortwave_up_w_per_m2: level(&around.shortwave[0]),
        shortwave_down_w_per_m2: level(&around.shortwave[1]),
        interface_pressure_pa: level(&1e5),
        emission_derivative_w_per_m2_k: here(&around.emission[0]),
        emission_temperature_k: here(&around.emission[1]),
        exchange_kg_per_m2_s: here(&around.exchange),
        moisture_availability: one(&0.5),
        sensible_heat_flux_w_per_m2: here(&around.sensible),
        moisture_flux_kg_per_m2_s: here(&around.moisture),
        temperature_k: FieldMut::item_fastest(&mut temperature, 1, 1),
        turbulent_flux_taken_w_per_m2: FieldMut::item_fastest(&mut taken, 1, 1),
        heat_flux_w_per_m2: FieldMut::item_fastest(&mut flux, 1, 1),
        heat_gained_j_per_m2: FieldMut::item_fastest(&mut gained, 1, 1),
    });
    [temperature[0], taken[0], gained[0], flux[0]]
}

#[test]
fn a_given_temperature_follows_its_phase() {
    let given = |phase| step(Parameters { slab: 0, phase, ..SLAB }, [0.0; 4], NIGHT)[0];
    assert_eq!((given(1.0), given(0.0), given(-1.0)), (298.0, 290.0, 282.0));
}

#[test]
fn a_slab_gains_what_its_fluxes_leave() {
    let turbulent = 20.0 + 2.5e6 * 1e-5;
    // What was taken in the step before was 3 W/m^2 too little.
    let kept = [295.0, turbulent - 3.0, 0.0, 0.0];
    let day = Around { cosine: 0.5, emission: [5.0, 294.0], exchange: 0.01, ..NIGHT };
    let slope = 5.0 + 5.0 + 0.01 * (1004.5 + 2.5e6 * 0.5 * saturation_slope(295.0, 1e5));
    let emitted = 300.0 + 5.0 * (295.0 - 294.0);
    for (shortwave, sun) in [(0, 0.8 * 0.7 * SOLAR_CONSTANT * 0.5), (1, 440.0)] {
        let net = sun + 330.0 - emitted - turbulent - 3.0 - 5.0 * (295.0 - 290.0);
        let after = step(Parameters { shortwave, ..SLAB }, kept, Around { shortwave: [60.0, 500.0], ..day });
        let change = 60.0 * net / (1e5 + 60.0 * slope);
        // A temperature near 300 has a last bit of 6e-14, the change is 0.1: 1e-12 of it.
        close(after[0] - 295.0, change, 1e-11, "change");
        close(after[3], net - slope * change, 1e-13, "flux");
        close(after[2], 60.0 * after[3], 1e-15, "gain");
        close(after[1], turbulent + (slope - 10.0) * change, 1e-13, "turbulent flux");
    }
    // By night the Sun gives nothing, not even less than nothing.
    let night = |cosine| step(SLAB, kept, Around { cosine, ..NIGHT });
    assert_eq!(night(-0.5), night(0.0));
}

#[test]
fn a_slab_comes_to_rest_where_fluxes_balance() {
    let mut kept = [280.0, 0.0, 0.0, 0.0];
    let around = Around { longwave: [300.0, 330.0], ..NIGHT };
    for _ in 0..100_000 {
        kept = step(SLAB, kept, around);
    }
    // 330 - 300 - 20 - 25 = lambda (T - 290)
    close(kept[0], 290.0 + (330.0 - 300.0 - 20.0 - 25.0) / 5.0, 1e-13, "temperature at rest");
}

/// A surface without air and ground below: what the long wave has of it is emission by its temperature and the
/// derivative.
fn bare(temperature: f64, sun: f64) -> Around {
    let cube = STEFAN_BOLTZMANN * temperature * temperature * temperature;
    Around {
        longwave: [cube * temperature, 0.0],
        shortwave: [0.0, sun],
        emission: [4.0 * cube, temperature],
        sensible: 0.0,
        moisture: 0.0,
        ..NIGHT
    }
}

#[test]
fn a_bare_surface_comes_to_radiative_equilibrium_with_its_relaxation_time() {
    let (sun, capacity) = (340.0, 1e5);
    let rest = Real::powf(sun / STEFAN_BOLTZMANN, 0.25);
    let slope = 4.0 * sun / rest;
    // Near the rest a distance falls as 1 / (1 + dt / tau) a step, tau = C / (4 sigma T^3), but for what is of second
    // order: 1.5 d / T of the change.
    for step_s in [60.0, 600.0, 3600.0, 1e6] {
        let bare_slab = Parameters {
            step_s,
            shortwave: 1,
            heat_capacity_j_per_m2_k: capacity,
            conductance_w_per_m2_k: 0.0,
            ..SLAB
        };
        let (mut kept, mut distance) = ([rest + 0.01, 0.0, 0.0, 0.0], 0.01);
        for _ in 0..20 {
            let around = bare(kept[0], sun);
            kept = step(bare_slab, kept, around);
            distance /= 1.0 + step_s * slope / capacity;
            let allowed = 20.0 * 1.5 * 0.01 / rest * 0.01 + 1e-12;
            assert!(
                (kept[0] - rest - distance).abs() < allowed,
                "{step_s} s: {} instead of {distance}",
                kept[0] - rest
            );
        }
        // From far away, too, whatever the step: Newton's way to the root of a convex function.
        kept = [150.0, 0.0, 0.0, 0.0];
        let steps = (100.0 * capacity / slope / step_s) as usize + 20;
        for _ in 0..steps {
            let around = bare(kept[0], sun);
            kept = step(bare_slab, kept, around);
        }
        close(kept[0], rest, 1e-12, "equilibrium");
        // What came in is what is there. Each step rounds the temperature, times C; fluxes of up to 340 W/m^2 a few
        // times, times the step; and the sum.
        let allowed = steps as f64 * (6e-14 * capacity + 2e-13 * step_s + 4e-9);
        let held = capacity * (kept[0] - 150.0);
        assert!((held - kept[2]).abs() < allowed, "{step_s} s: {held} and {}", kept[2]);
    }
}

/// Air at a fixed temperature over wet ground, with an exchange that forward steps would not survive.
#[test]
fn turbulent_fluxes_are_damped_and_none_is_lost() {
    let (exchange, air) = (0.3, 285.0);
    let fluxes = |ground: f64| {
        let deficit = 0.5 * (saturation_mixing_ratio(ground, 1e5) - 0.006);
        (1004.5 * exchange * (ground - air), exchange * deficit)
    };
    let slab = Parameters { step_s: 1800.0, shortwave: 1, ..SLAB };
    let explicit = slab.step_s * exchange * 1004.5 / slab.heat_capacity_j_per_m2_k;
    assert!(explicit > 2.0, "forward steps would not diverge: {explicit}");
    let (mut kept, mut turbulent) = ([285.0, 0.0, 0.0, 0.0], (0.0, 0.0));
    let (mut left, mut got) = (0.0, 0.0);
    for _ in 0..60 {
        let (sensible, moisture) = turbulent;
        let around =
            Around { shortwave: [100.0, 600.0], exchange, sensible, moisture, longwave: [380.0, 330.0], ..NIGHT };
        kept = step(slab, kept, around);
        // The first step knows of no flux to the air, and settles it in the next.
        assert!((280.0..290.0).contains(&kept[0]), "{kept:?}");
        // What sun, long wave and the ground below give and the slab does not keep; and what the air gets.
        left += 500.0 + 330.0 - 380.0 - 5.0 * (kept[0] - 290.0) - kept[3];
        turbulent = fluxes(kept[0]);
        got += turbulent.0 + 2.5e6 * turbulent.1;
    }
    // At rest the air gets all, and what it got in the last step is what was taken: sums of 60 roundings of 1e-16.
    close(turbulent.0 + 2.5e6 * turbulent.1, 500.0 - 50.0 - 5.0 * (kept[0] - 290.0), 1e-12, "balance");
    close(left, got, 1e-12, "what the air got");
}

/// Central differences have an error of h^2 / 6 of the third derivative: 1e-6 of the slope at 0.01 K.
#[test]
fn the_slope_of_saturation_is_its_derivative() {
    for (temperature, pressure) in [(240.0, 5e4), (273.0, 1e5), (300.0, 9e4), (330.0, 1e5)] {
        let [low, high] = [-0.01, 0.01].map(|step| saturation_mixing_ratio(temperature + step, pressure));
        close(saturation_slope(temperature, pressure), (high - low) / 0.02, 1e-6, "slope");
    }
    assert_eq!(saturation_slope(300.0, 100.0), 0.0);
}
