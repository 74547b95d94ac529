//! What the surface gives is in the air: heat, water, tracers, momentum.

use isobar_core::Real;
use isobar_ysu::{Columns, Options, Results, Version};

use crate::case::{SETS, made_up, read, run};
use crate::tolerances::{BUDGET, BUDGET_SINGLE};

const GRAVITY: f64 = 9.81;
const HEAT_CAPACITY: f64 = 1004.5;

/// The integral of a tendency over the mass of each column \[tendency kg/m^2\], and that of its magnitude.
fn integral<R: Real>(columns: &Columns<f64>, tendency: &[R], column: usize) -> (f64, f64) {
    let (count, p) = (columns.columns(), &columns.interface_pressure_pa);
    let terms = (column..tendency.len()).step_by(count).map(|i| {
        let mass = (p[i].value() - p[i + count]) / GRAVITY;
        tendency[i].value() * mass
    });
    terms.fold((0.0, 0.0), |(sum, magnitude), x| (sum + x, magnitude + x.abs()))
}

fn closes<R: Real>(columns: &Columns<f64>, options: Options, tolerance: f64) {
    let out: Results<R> = run(columns, options);
    let surface = &columns;
    for i in 0..columns.columns() {
        let close = |what: &str, got: f64, expected: f64, scale: f64| {
            let error = (got - expected).abs();
            assert!(
                error <= tolerance * (scale + expected.abs()),
                "column {i}, {what}: {got} for {expected}: {error:e} of {scale:e}"
            );
        };
        let (heat, scale) = integral(columns, &out.theta_tendency_k_per_s, i);
        close("heat", heat * HEAT_CAPACITY, surface.sensible_heat_flux_w_per_m2[i], scale * HEAT_CAPACITY);
        close("integral of heat", out.heat_w_per_m2[i].value(), heat * HEAT_CAPACITY, scale * HEAT_CAPACITY);
        let (water, scale) = integral(columns, &out.vapour_tendency_kg_per_kg_s, i);
        close("vapour", water, surface.moisture_flux_kg_per_m2_s[i], scale);
        close("integral of vapour", out.latent_heat_w_per_m2[i].value(), 2.5e6 * water, 2.5e6 * scale);
        for (what, tendency) in
            [("cloud water", &out.cloud_water_tendency_kg_per_kg_s), ("cloud ice", &out.cloud_ice_tendency_kg_per_kg_s)]
        {
            let (sum, scale) = integral(columns, tendency, i);
            close(what, sum, 0.0, scale);
        }
        // The drag works on the new wind of the lowest layer.
        let step = 2.0 * options.time_step_s;
        let (u, v) = (columns.u_m_per_s[i], columns.v_m_per_s[i]);
        let (du, dv) = (u - surface.u_current_m_per_s[i], v - surface.v_current_m_per_s[i]);
        let wind = (du * du + dv * dv).sqrt() + 1e-9;
        let virtual_temperature =
            columns.temperature_k[i] * (1.0 + (461.6 / 287.0 - 1.0) * columns.vapour_kg_per_kg[i]);
        let density = surface.surface_pressure_pa[i] / (287.0 * virtual_temperature);
        let friction = surface.friction_velocity_m_per_s[i];
        let rate = friction * friction / wind
            * density
            * (wind / surface.wind_speed_m_per_s[i])
            * (wind / surface.wind_speed_m_per_s[i]);
        for (what, tendency, at, integrated) in [
            ("u", &out.u_tendency_m_per_s2, du, &out.stress_u_n_per_m2),
            ("v", &out.v_tendency_m_per_s2, dv, &out.stress_v_n_per_m2),
        ] {
            let (sum, scale) = integral(columns, tendency, i);
            let stress = -rate * (at + step * tendency[i].value());
            close(what, sum, stress, scale + rate * (at.abs() + step * tendency[i].value().abs()));
            close("integral of momentum", integrated[i].value(), sum, scale);
        }
    }
}

#[test]
fn columns_of_the_reference() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    for (set, time_step_s) in SETS {
        let columns = read(&dir.join(set));
        for top_down in [false, true] {
            let options = Options { top_down, ..Options::new(time_step_s) };
            closes::<f64>(&columns, options, BUDGET);
            closes::<f32>(&columns, options, BUDGET_SINGLE);
        }
    }
}

#[test]
fn made_up_columns_of_any_depth() {
    let parameters =
        [(250.0, 6.0, 0.006), (-20.0, 3.0, 0.004), (60.0, 14.0, 0.01), (-5.0, 9.0, 0.003), (0.0, 0.0, 0.005)];
    for layers in [4, 5, 17, 60, 200] {
        let columns = made_up(layers, &parameters);
        closes::<f64>(&columns, Options::new(60.0), BUDGET);
        closes::<f32>(&columns, Options::new(60.0), BUDGET_SINGLE);
    }
}

#[test]
fn tracers_are_mixed_like_cloud_water_and_kept() {
    let mut columns = made_up(40, &[(250.0, 6.0, 0.006), (-20.0, 3.0, 0.004), (60.0, 14.0, 0.01)]);
    let count = columns.columns();
    // The second tracer is cloud water.
    for layer in 0..40 {
        columns.tracers.extend((0..count).map(|i| 1e-6 * (1.0 + Real::sin((layer * 3 + i) as f64))));
        columns.tracers.extend_from_slice(&columns.cloud_water_kg_per_kg[layer * count..][..count]);
    }
    for version in [Version::Wrf4, Version::Wrf361] {
        let out = run::<f64>(&columns, Options { version, ..Options::new(60.0) });
        let row = |tracer: usize| -> Vec<f64> {
            out.tracers_tendency_per_s.chunks(count).skip(tracer).step_by(2).flatten().copied().collect()
        };
        assert_eq!(row(1), out.cloud_water_tendency_kg_per_kg_s, "the same operations in the same order");
        assert!(row(0).iter().any(|x| x.abs() > 1e-12));
        for i in 0..count {
            let (sum, scale) = integral(&columns, &row(0), i);
            assert!(sum.abs() <= BUDGET * scale, "column {i}: {sum:e} of {scale:e}");
        }
    }
}
