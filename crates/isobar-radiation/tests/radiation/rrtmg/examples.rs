//! AER's published examples.

use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use isobar_golden::Value;
use isobar_radiation::rrtmg::{self, Decorrelation, IceOptics, LiquidOptics, Transmittance, mersenne_mask};
use isobar_radiation::{CloudSolver, Columns, Fluxes, Options, Overlap};

use crate::rrtmg::case::{fluxes, reference, views};

fn list(value: &Value) -> Vec<f64> {
    isobar_golden::numbers(value)
}

fn columns(example: &Value) -> Columns<f64> {
    let input = &example["input"];
    let pascals = |value: &Value| list(value).iter().map(|p| p * 100.0).collect::<Vec<_>>();
    let amounts = &input["column_amounts"];
    let mut columns = Columns::<f64> {
        pressure_pa: pascals(&input["p_layer"]),
        level_pressure_pa: pascals(&input["p_level"]),
        temperature_k: list(&input["t_layer"]),
        level_temperature_k: list(&input["t_level"]),
        dry_column_per_cm2: list(&input["coldry"]),
        broadening_column_per_cm2: list(&input["broadening_column"]),
        surface_temperature_k: vec![input["t_surface"].as_f64().expect("a number")],
        emissivity: list(&input["emissivity"]),
        ..Columns::default()
    };
    columns.each_real(&mut |declared, values| match declared.name {
        "ccl4" | "cfc11" | "cfc12" | "cfc22" => *values = list(&input["cross_section_columns"][declared.name]),
        gas if rrtmg::GASES.contains(&gas) => *values = list(&amounts[gas]),
        _ => {}
    });
    let aerosol = &input["aerosol_tau_layer_band"];
    if let Some(rows) = aerosol.as_array() {
        columns.aerosol_absorption_longwave = rows.iter().flat_map(list).collect();
    }
    if let Some(cloud) = input.get("cloud").filter(|cloud| cloud.is_object()) {
        columns = Columns {
            cloud_fraction: list(&cloud["fraction"]),
            ice_path_g_per_m2: list(&cloud["ice_water_path"]),
            liquid_path_g_per_m2: list(&cloud["liquid_water_path"]),
            ice_size_um: list(&cloud["ice_size_um"]),
            liquid_radius_um: list(&cloud["liquid_radius_um"]),
            thickness_m: list(&input["dz_m"]),
            latitude_deg: vec![example["options"]["latitude_deg"].as_f64().unwrap_or(0.0)],
            ..columns
        };
    }
    columns
}

/// The mean of the samples that the example asks for.
fn results(example: &Value) -> Fluxes<f64> {
    let choice = &example["options"];
    let number = |name: &str| choice[name].as_f64().unwrap_or(0.0);
    let rrtmg = rrtmg::Options {
        transmittance: Transmittance::Table,
        ice: [IceOptics::OneCoefficient, IceOptics::EbertCurry, IceOptics::Spheres, IceOptics::Fu]
            [number("iceflag") as usize],
        liquid: [LiquidOptics::OneCoefficient, LiquidOptics::HuStamnes][number("liqflag") as usize],
        ..rrtmg::Options::default()
    };
    let mut options = Options { derivative: number("idrv") != 0.0, rrtmg, ..Options::of_rrtmg() };
    let mut columns = columns(example);
    if number("imca") == 0.0 {
        (options.cloud_solver, options.overlap) = (CloudSolver::Fractions, Overlap::MaximumRandom);
        return fluxes(&columns, &options);
    }
    let overlaps =
        [Overlap::Random, Overlap::MaximumRandom, Overlap::Maximum, Overlap::Exponential, Overlap::ExponentialRandom];
    let samples = number("mcica_samples") as u32;
    let mut mean: Option<Fluxes<f64>> = None;
    for sample in 1..=samples {
        options.overlap = overlaps[number("icld") as usize - 1];
        options.rrtmg.seed = 140 * sample;
        options.rrtmg.decorrelation = if number("idcor") == 0.0 {
            Decorrelation::Length(number("decorrelation_length_m"))
        } else {
            Decorrelation::Latitude { day: number("juldat") as u32 }
        };
        columns.cloud_mask = mersenne_mask(&views(&columns), 140, &options).expect("there are clouds");
        let out = fluxes(&columns, &options);
        let weight = 1.0 / f64::from(samples);
        let mean = mean.get_or_insert_with(|| Fluxes {
            longwave_up_w_per_m2: vec![0.0; out.longwave_up_w_per_m2.len()],
            longwave_down_w_per_m2: vec![0.0; out.longwave_up_w_per_m2.len()],
            longwave_heating_k_per_day: vec![0.0; out.longwave_heating_k_per_day.len()],
            ..Fluxes::default()
        });
        for (sum, values) in [
            (&mut mean.longwave_up_w_per_m2, &out.longwave_up_w_per_m2),
            (&mut mean.longwave_down_w_per_m2, &out.longwave_down_w_per_m2),
            (&mut mean.longwave_heating_k_per_day, &out.longwave_heating_k_per_day),
        ] {
            sum.iter_mut().zip(values).for_each(|(sum, x)| *sum += weight * x);
        }
    }
    mean.expect("at least one sample")
}

/// The distance in units of half the last printed digit; `digits` behind the point.
fn halves(ours: &[f64], printed: &[f64], digits: i32) -> f64 {
    assert_eq!(ours.len(), printed.len());
    let unit = Real::powi(10.0_f64, -digits);
    ours.iter().zip(printed).map(|(a, b)| (a - b).abs() / (0.5 * unit)).fold(0.0, f64::max)
}

#[test]
fn published_examples_are_met_to_half_of_their_last_digit() {
    let Some(dir) = reference() else { return };
    let mut names: Vec<_> = std::fs::read_dir(dir.join("aer_examples"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    assert_eq!(names.len(), 14);
    for path in names {
        let example = isobar_golden::json(&path);
        let name = path.file_stem().expect("a name").display().to_string();
        let out = results(&example);
        let mut up = out.longwave_up_w_per_m2.clone();
        // The derivative takes the flux to another temperature of the surface.
        let warmer = example["options"]["dt_surface"].as_f64().unwrap_or(0.0);
        if warmer != 0.0 {
            up.iter_mut().zip(&out.longwave_up_derivative_w_per_m2_k).for_each(|(up, slope)| *up += warmer * slope);
        }
        let net: Vec<f64> = up.iter().zip(&out.longwave_down_w_per_m2).map(|(up, down)| up - down).collect();
        let printed = &example["published_output"];
        let errors = [
            halves(&up, &list(&printed["flux_up"]), 4),
            halves(&out.longwave_down_w_per_m2, &list(&printed["flux_dn"]), 4),
            halves(&net, &list(&printed["flux_net"]), 7),
        ];
        println!("{name}: {errors:.2?} half digits");
        // A little more for a value that lies on the boundary.
        assert!(errors.iter().all(|&error| error <= 1.01), "{name}: {errors:?}");
        if warmer == 0.0 {
            let error = halves(&out.longwave_heating_k_per_day, &list(&printed["heating_rate"]), 5);
            assert!(error <= 1.01, "{name}: heating {error}");
        }
    }
}
