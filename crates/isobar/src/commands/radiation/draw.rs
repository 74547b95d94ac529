//! Columns that are drawn from those of a file, each changed at random: training data.
//!
//! A sample has a stream of random numbers of its own, and each field its place there: samples do not depend on how
//! many there are, in which parts they are computed, and by whom; changes of a field not on which others change.

use std::f64::consts::TAU;
use std::ops::Range;

use isobar_core::Real;
use isobar_core::fields::{Accepted, Declared, Dimension, Kind, LAYER, LEVEL, OwnedInputs};
use isobar_io::RadiationInput;
use isobar_radiation::{ColumnViews, Columns};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::sample_choices::SampleChoices;
use crate::program::failure::Failure;

/// How a number is changed by a deviation, of mean 0 and standard deviation 1 where it is normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    /// The spread is a standard deviation: `x + spread n`.
    Normal,
    /// That of the logarithm: `x exp(spread n)`.
    LogNormal,
    /// That of the logarithm of the odds, by which 0 and 1 stay.
    Odds,
    /// Anywhere in `x - spread ..= x + spread`, folded at -1 and 1.
    Uniform,
}

/// A field that is changed.
#[derive(Clone, Copy, Debug)]
struct Varied {
    declared: &'static Declared,
    law: Law,
    spread: f64,
}

/// Fields that change together with another: the same deviations.
const TOGETHER: [[&str; 2]; 2] =
    [["level_temperature_k", "temperature_k"], ["surface_albedo_diffuse", "surface_albedo_direct"]];

/// What is not changed: coordinates, and what would no longer fit the rest of the column.
const HELD: [&str; 9] = [
    "pressure_pa",
    "level_pressure_pa",
    "dry_column_per_cm2",
    "broadening_column_per_cm2",
    "overlap_parameter",
    "thickness_m",
    "latitude_deg",
    "cloud_share",
    "fractional_standard_deviation",
];

/// The numbers of a sample's stream that a field has.
const WORDS_OF_A_FIELD: u128 = 1 << 20;

/// What samples are drawn from, and how.
pub(super) struct Draw {
    /// What there is to say of them, without their numbers.
    like: RadiationInput,
    /// Their numbers, field by field.
    fields: Vec<(&'static Declared, Vec<f64>)>,
    layers: usize,
    columns: usize,
    /// Of each column the correlation of each level and layer with the one below, and the part that is its own.
    likeness: Vec<Vec<[f64; 2]>>,
    /// Columns that can be computed.
    sources: Vec<usize>,
    varied: Vec<Varied>,
    correlation: f64,
    seed: u32,
}

/// One sample: which column it is of, and the deviations of each varied field.
struct Sample {
    source: usize,
    /// Of levels and layers in turn, from the surface up, or one for the column.
    deviations: Vec<Vec<f64>>,
}

/// Columns that were drawn.
pub(super) struct Drawn {
    pub(super) input: RadiationInput,
    /// The column of the file that each was.
    pub(super) sources: Vec<usize>,
    /// How many numbers of a field were brought into the range that is accepted.
    pub(super) clamped: Vec<(&'static str, usize)>,
}

impl Law {
    /// That of a field; none of what is not changed.
    fn of(declared: &Declared) -> Option<Self> {
        let follows = TOGETHER.iter().any(|[one, _]| *one == declared.name);
        if declared.kind != Kind::Real || follows || HELD.contains(&declared.name) {
            return None;
        }
        match (declared.name, declared.unit, declared.accepted) {
            ("cosine_zenith", ..) => Some(Self::Uniform),
            (_, "K", _) => Some(Self::Normal),
            (_, "1", Accepted::Within(0.0, 1.0)) => Some(Self::Odds),
            // Asymmetries.
            (_, "1", Accepted::Within(-1.0, _)) => None,
            _ => Some(Self::LogNormal),
        }
    }

    /// The changed number.
    fn apply(self, value: f64, spread: f64, deviation: f64) -> f64 {
        let change = spread * deviation;
        match self {
            Self::Normal => value + change,
            Self::LogNormal => value * Real::exp(change),
            // x e / (1 - x + x e), in which nothing overflows.
            Self::Odds if change > 0.0 => value / ((1.0 - value) * Real::exp(-change) + value),
            Self::Odds => {
                let odds = value * Real::exp(change);
                odds / ((1.0 - value) + odds)
            }
            Self::Uniform => fold(value + change),
        }
    }
}

/// A number folded at -1 and 1, as often as needed.
fn fold(value: f64) -> f64 {
    let turned = (value + 1.0).rem_euclid(4.0);
    if turned <= 2.0 { turned - 1.0 } else { 3.0 - turned }
}

impl Draw {
    /// What is drawn from these columns.
    pub(super) fn new(mut base: RadiationInput, choices: &SampleChoices, seed: u32) -> Result<Self, Failure> {
        let (layers, count) = (base.columns.layers(), base.columns.columns());
        let Columns { pressure_pa, level_pressure_pa, .. } = &base.columns;
        let pressures = [&level_pressure_pa[..], pressure_pa];
        let likeness =
            (0..count).into_par_iter().map(|column| likeness(pressures, column, [layers, count], choices.correlation));
        let likeness = likeness.collect();
        let mut is_out = vec![false; count];
        base.left_out().for_each(|(column, _)| is_out[column] = true);
        let sources: Vec<usize> = (0..count).filter(|&column| !is_out[column]).collect();
        if sources.is_empty() {
            return Err(Failure::new("--samples: the file has no column that can be computed".to_owned()));
        }
        let mut fields = Vec::new();
        base.columns.each_real(&mut |declared, values| fields.push((declared, std::mem::take(values))));
        let mut varied = Vec::new();
        for (name, spread) in &choices.vary {
            let known = |declared: &&Declared| declared.file_name == name || declared.aliases.contains(&name.as_str());
            let declared = ColumnViews::<f64>::DECLARED.iter().find(known);
            let Some((declared, law)) = declared.and_then(|declared| Some((declared, Law::of(declared)?))) else {
                return Err(Failure::usage(format!("--vary {name}: it is not changed; what can be: {}", all())));
            };
            if varied.iter().any(|varied: &Varied| varied.declared.name == declared.name) {
                return Err(Failure::usage(format!("--vary {name} is given twice")));
            }
            let has = |field: &&(&Declared, Vec<f64>)| {
                !field.1.is_empty() && (field.0.name == declared.name || leader(field.0.name) == declared.name)
            };
            if fields.iter().any(|field| has(&field)) {
                varied.push(Varied { declared, law, spread: *spread });
            } else if !choices.is_default() {
                return Err(Failure::usage(format!("--vary {name}: the columns have none")));
            }
        }
        // The columns of samples are those of no file.
        let like = RadiationInput {
            vertical: ["layer", "level"].map(str::to_owned),
            vertical_position: 0,
            coordinates: Default::default(),
            temperatures: Default::default(),
            pressures: Default::default(),
            water_of_mass: false,
            below_ground: Vec::new(),
            bad: Vec::new(),
            masked: Vec::new(),
            ..base
        };
        let correlation = choices.correlation;
        Ok(Self { like, fields, layers, columns: count, likeness, sources, varied, correlation, seed })
    }

    /// How it is drawn, in words.
    pub(super) fn in_words(&self) -> String {
        let varied = self.varied.iter().map(|Varied { declared, law, spread }| {
            let how = match law {
                Law::Normal => format!("normal, {spread} {}", declared.unit),
                Law::LogNormal => format!("normal in the logarithm, {spread}"),
                Law::Odds => format!("normal in the logarithm of the odds, {spread}"),
                Law::Uniform => format!("uniform, up to {spread}, folded at -1 and 1"),
            };
            format!("{} ({how})", declared.file_name)
        });
        format!(
            "drawn from {} columns, seed {}, correlation over {} of the logarithm of pressure; changed: {}",
            self.sources.len(),
            self.seed,
            self.correlation,
            varied.collect::<Vec<_>>().join(", ")
        )
    }

    /// These samples.
    pub(super) fn columns(&self, range: Range<usize>) -> Drawn {
        let samples: Vec<Sample> = range.into_par_iter().map(|number| self.sample(number as u64)).collect();
        let mut columns = Columns::<f64>::default();
        let mut clamped = Vec::new();
        let mut next = self.fields.iter();
        columns.each_real(&mut |declared, values| {
            let Some((_, base)) = next.next() else { return };
            let number = self.varied.iter().position(|varied| varied.declared.name == leader(declared.name));
            let drawn = self.field(declared, base, number, &samples);
            if drawn.1 > 0 {
                clamped.push((declared.file_name, drawn.1));
            }
            *values = drawn.0;
        });
        columns.subcolumn_seed = vec![self.seed; samples.len()];
        let horizontal = vec![("column".to_owned(), samples.len())];
        let input = RadiationInput { columns, horizontal, ..self.like.clone() };
        Drawn { input, sources: samples.iter().map(|sample| sample.source).collect(), clamped }
    }

    /// Values of a field `[row * samples + sample]`, and how many of them were clamped.
    fn field(
        &self,
        declared: &'static Declared,
        base: &[f64],
        varied: Option<usize>,
        samples: &[Sample],
    ) -> (Vec<f64>, usize) {
        let count = self.columns;
        let is_one = base.len() == 1 && count * self.rows(declared.shape) > 1;
        if base.is_empty() || (is_one && varied.is_none()) {
            return (base.to_vec(), 0);
        }
        let rows = if is_one { self.rows(declared.shape) } else { base.len() / count };
        let mut values = vec![0.0; rows * samples.len()];
        let (low, high) = declared.accepted.ends();
        let clamped = values.par_chunks_mut(samples.len()).enumerate().map(|(row, values)| {
            let vertical = row * self.rows(&declared.shape[..declared.shape.len().min(1)]) / rows.max(1);
            let point = match declared.shape.first() {
                Some(&LEVEL) => 2 * vertical,
                Some(&LAYER) => 2 * vertical + 1,
                _ => 0,
            };
            let mut clamped = 0;
            for (value, sample) in values.iter_mut().zip(samples) {
                let own = if is_one { base[0] } else { base[row * count + sample.source] };
                *value = match varied {
                    None => own,
                    Some(number) => {
                        let Varied { law, spread, .. } = self.varied[number];
                        let changed = law.apply(own, spread, sample.deviations[number][point]);
                        let within = Real::clamp(changed, low, high);
                        clamped += usize::from(within != changed);
                        within
                    }
                };
            }
            clamped
        });
        let clamped = clamped.sum();
        (values, clamped)
    }

    /// How many rows a shape has that has no bands.
    fn rows(&self, shape: &[Dimension]) -> usize {
        let of = |dimension: &Dimension| match *dimension {
            LAYER => self.layers,
            LEVEL => self.layers + 1,
            _ => 1,
        };
        shape.iter().map(of).product()
    }

    /// The sample of this number.
    fn sample(&self, number: u64) -> Sample {
        let mut random = ChaCha8Rng::seed_from_u64(u64::from(self.seed));
        random.set_stream(number);
        // The product's high word: as likely for each, but for 2^-64 of a column's likelihood.
        let source = ((u128::from(random.next_u64()) * self.sources.len() as u128) >> 64) as usize;
        let source = self.sources[source];
        let likeness = &self.likeness[source];
        let deviations = self.varied.iter().map(|varied| {
            let place = ColumnViews::<f64>::DECLARED.iter().position(|one| one.name == varied.declared.name);
            random.set_word_pos((1 + place.unwrap_or(0) as u128) * WORDS_OF_A_FIELD);
            if varied.law == Law::Uniform {
                return vec![2.0 * unit(&mut random) - 1.0];
            }
            let mut normal = Normal { random: &mut random, other: None };
            let first = normal.next();
            if !matches!(varied.declared.shape.first(), Some(&(LAYER | LEVEL))) {
                return vec![first];
            }
            // Each is as much of the one below as it is like it, and the rest its own.
            let above = likeness.iter().scan(first, |last, [alike, own]| {
                *last = alike * *last + own * normal.next();
                Some(*last)
            });
            std::iter::once(first).chain(above).collect()
        });
        let deviations = deviations.collect();
        Sample { source, deviations }
    }
}

/// Of a column: see [`Draw::likeness`].
fn likeness(
    [levels, layers]: [&[f64]; 2],
    column: usize,
    [count, columns]: [usize; 2],
    correlation: f64,
) -> Vec<[f64; 2]> {
    let at = |values: &[f64], row: usize| if values.len() == 1 { values[0] } else { values[row * columns + column] };
    // Space has no logarithm.
    let points = (0..2 * count + 1)
        .map(|point| Real::ln(Real::max(at(if point % 2 == 0 { levels } else { layers }, point / 2), 1e-3)));
    let points: Vec<f64> = points.collect();
    let of = |pair: &[f64]| {
        let alike = Real::exp(-Real::abs(pair[1] - pair[0]) / correlation);
        [alike, Real::sqrt(1.0 - alike * alike)]
    };
    points.windows(2).map(of).collect()
}

/// The field whose deviations a field has: its own, unless it goes together with another.
fn leader(name: &str) -> &str {
    TOGETHER.iter().find(|[one, _]| *one == name).map_or(name, |[_, leader]| leader)
}

/// What can be changed.
fn all() -> String {
    let names = ColumnViews::<f64>::DECLARED.iter().filter(|declared| Law::of(declared).is_some());
    names.map(|declared| declared.file_name).collect::<Vec<_>>().join(", ")
}

/// A number in (0, 1), with 53 bits.
fn unit(random: &mut ChaCha8Rng) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
}

/// Normal numbers, two at a time (Box and Muller 1958).
struct Normal<'a> {
    random: &'a mut ChaCha8Rng,
    other: Option<f64>,
}

impl Normal<'_> {
    fn next(&mut self) -> f64 {
        if let Some(other) = self.other.take() {
            return other;
        }
        let radius = Real::sqrt(-2.0 * Real::ln(unit(self.random)));
        let angle = TAU * unit(self.random);
        self.other = Some(radius * Real::sin(angle));
        radius * Real::cos(angle)
    }
}

#[cfg(test)]
mod tests {
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
            below_ground: Vec::new(),
            temperatures: Default::default(),
            pressures: Default::default(),
            water_of_mass: false,
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
        assert!(
            refused(&[("pressure", 1.0)]).contains("--vary pressure: it is not changed; what can be: temperature, ")
        );
        assert!(refused(&[("level_temperature", 1.0)]).contains("it is not changed"));
        assert!(refused(&[("warmth", 1.0)]).contains("--vary warmth"));
        assert!(refused(&[("h2o", 1.0), ("h2o", 2.0)]).contains("--vary h2o is given twice"));
        assert!(refused(&[("co2", 1.0)]).contains("--vary co2: the columns have none"));
    }
}
