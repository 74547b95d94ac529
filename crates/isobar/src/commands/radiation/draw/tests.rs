//! Laws, spreads and correlations of many samples.

use isobar_io::netcdf::Orientation;

use super::*;

/// Two columns of four layers; the second has twice the water of the first.
fn input() -> RadiationInput {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, value]).collect::<Vec<f64>>();
    let columns = Columns::<f64> {
        pressure_pa: twice(&[9e4, 6e4, 3e4, 1e4]),
        level_pressure_pa: twice(&[1e5, 8e4, 4e4, 2e4, 0.0]),
        temperature_k: twice(&[280.0, 260.0, 240.0, 220.0]),
        level_temperature_k: twice(&[285.0, 270.0, 250.0, 230.0, 215.0]),
        h2o: [1e-2, 5e-3, 1e-3, 1e-5].iter().flat_map(|&value| [value, 2.0 * value]).collect(),
        cosine_zenith: vec![0.5, -0.2],
        surface_albedo_direct: vec![0.2, 1.0],
        surface_albedo_diffuse: vec![0.3, 0.0],
        ..Columns::default()
    };
    RadiationInput {
        columns,
        orientation: Orientation::BottomFirst,
        horizontal: vec![("column".to_owned(), 2)],
        names: Vec::new(),
        vertical: ["layer", "level"].map(str::to_owned),
        vertical_position: 0,
        coordinates: Default::default(),
        below_ground: Default::default(),
        temperatures: Default::default(),
        pressures: Default::default(),
        water_of_mass: false,
        same_in_bands: Vec::new(),
        derived: Vec::new(),
        notes: Vec::new(),
        remarks: Default::default(),
        bad: Vec::new(),
        masked: Vec::new(),
        masked_by: String::new(),
        outside: (0, None),
    }
}

fn choices(vary: &[(&str, f64)], correlation: f64) -> SampleChoices {
    let vary = vary.iter().map(|&(name, spread)| (name.to_owned(), spread)).collect();
    SampleChoices { samples: None, vary, correlation }
}

fn draw(vary: &[(&str, f64)]) -> Draw {
    Draw::new(input(), &choices(vary, 0.5), 7).unwrap()
}

/// Means and covariances of a normal process with exponential correlation, to five deviations of what 40,000
/// samples have of them.
#[test]
fn temperatures_have_the_spread_and_the_correlation_that_were_asked_for() {
    let samples = 40_000;
    let Drawn { input: drawn, .. } = draw(&[("temperature", 3.0)]).columns(0..samples);
    let start = input().columns;
    let row = |layers: bool, row: usize| -> Vec<f64> {
        let (drawn, start) = if layers {
            (&drawn.columns.temperature_k, &start.temperature_k)
        } else {
            (&drawn.columns.level_temperature_k, &start.level_temperature_k)
        };
        drawn[row * samples..][..samples].iter().map(|value| (value - start[2 * row]) / 3.0).collect()
    };
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / samples as f64;
    let five = 5.0 / (samples as f64).sqrt();
    let points = [(row(false, 0), 1e5), (row(true, 0), 9e4), (row(false, 2), 4e4), (row(true, 3), 1e4)];
    for (values, pressure) in &points {
        assert!(mean(&mut values.iter().copied()).abs() < five, "{pressure}");
        for (others, other) in &points {
            let expected = Real::exp(-Real::abs(Real::ln(pressure / other)) / 0.5);
            let found = mean(&mut values.iter().zip(others).map(|(one, other)| one * other));
            assert!((found - expected).abs() < five * 1.5, "{pressure} {other}: {found} {expected}");
        }
    }
    // A tail as long as a normal one's: 0.27 % beyond three deviations.
    let beyond = mean(&mut points[0].0.iter().map(|value| f64::from(u8::from(value.abs() > 3.0))));
    assert!((beyond - 0.0027).abs() < 5.0 * (0.0027 / samples as f64).sqrt(), "{beyond}");
}

#[test]
fn each_law_keeps_what_it_says() {
    let vary = [("h2o", 0.5), ("cosine_zenith", 2.0), ("surface_albedo_direct", 1.0)];
    let samples = 20_000;
    let Drawn { input: drawn, sources, .. } = draw(&vary).columns(0..samples);
    let five = 5.0 / (samples as f64).sqrt();
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / samples as f64;
    // Either column as often.
    assert!((mean(&mut sources.iter().map(|&source| source as f64)) - 0.5).abs() < 0.5 * five);
    // The logarithm of water: mean 0 and deviation 0.5 around the column's own.
    let logarithm = |sample: usize| Real::ln(drawn.columns.h2o[sample] / [1e-2, 2e-2][sources[sample]]);
    assert!(mean(&mut (0..samples).map(logarithm)).abs() < 0.5 * five);
    let variance = mean(&mut (0..samples).map(|sample| logarithm(sample) * logarithm(sample)));
    assert!((variance - 0.25).abs() < 0.25 * 1.5 * five, "{variance}");
    // Folded from 2 on either side: uniform in -1 ..= 1, whatever it was.
    let suns = &drawn.columns.cosine_zenith;
    assert!(suns.iter().all(|sun| sun.abs() <= 1.0));
    for moment in 1..=4 {
        let expected = if moment % 2 == 0 { 1.0 / f64::from(moment + 1) } else { 0.0 };
        let found = mean(&mut suns.iter().map(|sun| Real::powi(*sun, moment)));
        assert!((found - expected).abs() < five, "{moment}: {found}");
    }
    // Odds: those of both albedos change by one factor; 0 and 1 stay.
    for sample in 0..samples {
        let [direct, diffuse] =
            [&drawn.columns.surface_albedo_direct, &drawn.columns.surface_albedo_diffuse].map(|all| all[sample]);
        if sources[sample] == 1 {
            assert_eq!([direct, diffuse], [1.0, 0.0]);
        } else {
            let odds = |value: f64| value / (1.0 - value);
            let [one, other] = [odds(direct) / odds(0.2), odds(diffuse) / odds(0.3)];
            assert!((one / other - 1.0).abs() < 1e-13, "{one} {other}");
        }
    }
    // What is not changed is a column's own.
    assert!((0..samples).all(|sample| drawn.columns.temperature_k[sample] == 280.0));
}

#[test]
fn samples_depend_neither_on_parts_nor_on_what_else_changes() {
    let both = draw(&[("temperature", 3.0), ("h2o", 0.5)]);
    let [all, late] = [both.columns(0..50), both.columns(20..50)];
    let of = |drawn: &Drawn, row: usize, from: usize| {
        drawn.input.columns.h2o.chunks(drawn.sources.len()).nth(row).unwrap()[from..].to_vec()
    };
    for row in 0..4 {
        assert_eq!(of(&all, row, 20), of(&late, row, 0));
        assert_eq!(of(&all, row, 0), of(&draw(&[("h2o", 0.5)]).columns(0..50), row, 0));
    }
    assert_eq!(all.sources[20..], late.sources);
    // Another seed draws others.
    let other = Draw::new(input(), &choices(&[("h2o", 0.5)], 0.5), 8).unwrap().columns(0..50);
    assert_ne!(of(&all, 0, 0), of(&other, 0, 0));
}

#[test]
fn what_leaves_its_range_is_brought_back_and_counted() {
    let Drawn { input: drawn, clamped, .. } = draw(&[("temperature", 1000.0)]).columns(0..100);
    let all = [&drawn.columns.temperature_k[..], &drawn.columns.level_temperature_k].concat();
    let ends = all.iter().filter(|value| [100.0, 400.0].contains(*value)).count();
    assert!(ends > 500 && all.iter().all(|value| (100.0..=400.0).contains(value)));
    assert_eq!(clamped.iter().map(|(_, count)| count).sum::<usize>(), ends);
    assert!(draw(&[("temperature", 1.0)]).columns(0..100).clamped.is_empty());
}

#[test]
fn what_cannot_be_changed_is_refused() {
    let refused = |vary: &[(&str, f64)]| {
        Draw::new(input(), &choices(vary, 1.0), 1).err().map(|failure| failure.to_string()).unwrap()
    };
    assert!(refused(&[("pressure", 1.0)]).contains("--vary pressure: it is not changed; what can be: temperature, "));
    assert!(refused(&[("level_temperature", 1.0)]).contains("it is not changed"));
    assert!(refused(&[("warmth", 1.0)]).contains("--vary warmth"));
    assert!(refused(&[("h2o", 1.0), ("h2o", 2.0)]).contains("--vary h2o is given twice"));
    assert!(refused(&[("co2", 1.0)]).contains("--vary co2: the columns have none"));
}
