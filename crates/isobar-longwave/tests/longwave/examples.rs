//! AER's published examples.

use isobar_core::Real;
use isobar_golden::Value;
use isobar_longwave::{
    Batch, CloudColumns, Columns, Decorrelation, Generator, IceOptics, LiquidOptics, Options, Outputs, Overlap, Solver,
    Subcolumns, Transmittance,
};

use crate::case::{reference, tables};

fn list(value: &Value) -> Vec<f64> {
    isobar_golden::numbers(value)
}

fn columns(example: &Value) -> Columns<f64> {
    let input = &example["input"];
    let pascals = |value: &Value| list(value).iter().map(|p| p * 100.0).collect::<Vec<_>>();
    let amounts = &input["column_amounts"];
    let mut columns = Columns::<f64> {
        pressure: pascals(&input["p_layer"]),
        level_pressure: pascals(&input["p_level"]),
        temperature: list(&input["t_layer"]),
        level_temperature: list(&input["t_level"]),
        gases: ["h2o", "co2", "o3", "n2o", "co", "ch4", "o2"].map(|gas| list(&amounts[gas])),
        halocarbons: ["ccl4", "cfc11", "cfc12", "cfc22"].map(|gas| list(&input["cross_section_columns"][gas])),
        dry_column: list(&input["coldry"]),
        broadening_column: list(&input["broadening_column"]),
        surface_temperature: vec![input["t_surface"].as_f64().expect("a number")],
        emissivity: list(&input["emissivity"]),
        ..Columns::default()
    };
    let aerosol = &input["aerosol_tau_layer_band"];
    if let Some(rows) = aerosol.as_array() {
        columns.aerosol = rows.iter().flat_map(list).collect();
    }
    if let Some(cloud) = input.get("cloud").filter(|cloud| cloud.is_object()) {
        columns.clouds = Some(CloudColumns {
            fraction: list(&cloud["fraction"]),
            ice_path: list(&cloud["ice_water_path"]),
            liquid_path: list(&cloud["liquid_water_path"]),
            ice_size: list(&cloud["ice_size_um"]),
            liquid_radius: list(&cloud["liquid_radius_um"]),
            thickness_m: list(&input["dz_m"]),
            latitude_deg: vec![example["options"]["latitude_deg"].as_f64().unwrap_or(0.0)],
            ..CloudColumns::default()
        });
    }
    columns
}

fn run(columns: Columns<f64>, options: Options) -> Outputs<f64> {
    let mut batch = Batch::new(tables(), columns, options).expect("a valid example");
    batch.compute();
    batch.into_outputs()
}

/// The mean of the samples that the example asks for.
fn results(example: &Value) -> Outputs<f64> {
    let choice = &example["options"];
    let number = |name: &str| choice[name].as_f64().unwrap_or(0.0);
    let mut options = Options {
        transmittance: Transmittance::Table,
        derivative: number("idrv") != 0.0,
        ice: [IceOptics::OneCoefficient, IceOptics::EbertCurry, IceOptics::Spheres, IceOptics::Fu]
            [number("iceflag") as usize],
        liquid: [LiquidOptics::OneCoefficient, LiquidOptics::HuStamnes][number("liqflag") as usize],
        ..Options::default()
    };
    let columns = columns(example);
    if number("imca") == 0.0 {
        options.solver = Solver::MaximumRandom;
        return run(columns, options);
    }
    let overlaps =
        [Overlap::Random, Overlap::MaximumRandom, Overlap::Maximum, Overlap::Exponential, Overlap::ExponentialRandom];
    let samples = number("mcica_samples") as u32;
    let mut mean: Option<Outputs<f64>> = None;
    for sample in 1..=samples {
        options.subcolumns = Subcolumns {
            overlap: overlaps[number("icld") as usize - 1],
            generator: Generator::Mersenne,
            seed: 140 * sample,
            decorrelation: if number("idcor") == 0.0 {
                Decorrelation::Length(number("decorrelation_length_m"))
            } else {
                Decorrelation::Latitude { day: number("juldat") as u32 }
            },
        };
        let out = run(columns.clone(), options.clone());
        let weight = 1.0 / f64::from(samples);
        let mean = mean.get_or_insert_with(|| Outputs {
            up: vec![0.0; out.up.len()],
            down: vec![0.0; out.up.len()],
            heating: vec![0.0; out.heating.len()],
            ..Outputs::default()
        });
        for (sum, values) in [(&mut mean.up, &out.up), (&mut mean.down, &out.down), (&mut mean.heating, &out.heating)] {
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
        let mut up = out.up.clone();
        // The derivative takes the flux to another temperature of the surface.
        let warmer = example["options"]["dt_surface"].as_f64().unwrap_or(0.0);
        if warmer != 0.0 {
            up.iter_mut().zip(&out.derivative).for_each(|(up, slope)| *up += warmer * slope);
        }
        let net: Vec<f64> = up.iter().zip(&out.down).map(|(up, down)| up - down).collect();
        let printed = &example["published_output"];
        let errors = [
            halves(&up, &list(&printed["flux_up"]), 4),
            halves(&out.down, &list(&printed["flux_dn"]), 4),
            halves(&net, &list(&printed["flux_net"]), 7),
        ];
        println!("{name}: {errors:.2?} half digits");
        // A little more for a value that lies on the boundary.
        assert!(errors.iter().all(|&error| error <= 1.01), "{name}: {errors:?}");
        if warmer == 0.0 {
            let error = halves(&out.heating, &list(&printed["heating_rate"]), 5);
            assert!(error <= 1.01, "{name}: heating {error}");
        }
    }
}
