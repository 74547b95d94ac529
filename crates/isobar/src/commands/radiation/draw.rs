//! Columns that are drawn from those of a file, each changed at random: training data.
//!
//! A sample has a stream of random numbers of its own, and each field its place there: samples do not depend on how
//! many there are, in which parts they are computed, and by whom; changes of a field not on which others change.

mod law;
mod random;

use std::ops::Range;

use isobar_core::Real;
use isobar_core::fields::{Declared, Dimension, LAYER, LEVEL, OwnedInputs};
use isobar_io::{RadiationInput, Temperatures};
use isobar_radiation::{ColumnViews, Columns};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::sample_choices::SampleChoices;
use crate::program::failure::Failure;
use law::{Law, all, leader};
use random::{Normal, likeness, unit};

/// A field that is changed.
#[derive(Clone, Copy, Debug)]
struct Varied {
    declared: &'static Declared,
    law: Law,
    spread: f64,
}

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
    /// Of its sub-columns of clouds: 31 bits, for files have signed numbers.
    seed: u32,
}

/// Columns that were drawn.
pub(super) struct Drawn {
    pub(super) input: RadiationInput,
    /// The column of the file that each was.
    pub(super) sources: Vec<usize>,
    /// How many numbers of a field were brought into the range that is accepted.
    pub(super) clamped: Vec<(&'static str, usize)>,
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
        // The columns of samples are those of no file, whose temperatures follow from others as in the file, though.
        let has = |name: &str| fields.iter().any(|(declared, values)| declared.name == name && !values.is_empty());
        let temperatures = match base.temperatures {
            Temperatures::Levels(levels) if levels.is_empty() => Temperatures::Levels(levels),
            Temperatures::Levels(_) => Temperatures::Both,
            other if has("level_temperature_k") => other,
            _ => Temperatures::Both,
        };
        let like = RadiationInput {
            vertical: ["layer", "level"].map(str::to_owned),
            vertical_position: 0,
            coordinates: Default::default(),
            temperatures,
            pressures: Default::default(),
            water_of_mass: false,
            below_ground: Default::default(),
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
        let follower = self.like.temperatures.follower();
        columns.each_real(&mut |declared, values| {
            let Some((_, base)) = next.next() else { return };
            let is_changed = |varied: &Varied| varied.declared.name == leader(declared.name);
            let number = self.varied.iter().position(is_changed).filter(|_| follower != Some(declared.name));
            let drawn = self.field(declared, base, number, &samples);
            if drawn.1 > 0 {
                clamped.push((declared.file_name, drawn.1));
            }
            *values = drawn.0;
        });
        columns.subcolumn_seed = samples.iter().map(|sample| sample.seed).collect();
        let horizontal = vec![("column".to_owned(), samples.len())];
        let sources: Vec<usize> = samples.iter().map(|sample| sample.source).collect();
        let temperatures = self.like.temperatures.of_drawn(&sources, self.columns);
        let mut input = RadiationInput { columns, horizontal, temperatures, ..self.like.clone() };
        clamped.extend(self.follow(&mut input, &sources));
        Drawn { input, sources, clamped }
    }

    /// Lets temperatures that follow from others in the file change as they do there; says how many were clamped.
    ///
    /// What follows is linear in the others: where these have not changed it is the file's to the bit.
    fn follow(&self, input: &mut RadiationInput, sources: &[usize]) -> Option<(&'static str, usize)> {
        let follower = input.temperatures.follower()?;
        if !self.varied.iter().any(|varied| varied.declared.name == leader(follower)) {
            return None;
        }
        let is_of_levels = follower == "level_temperature_k";
        let leading = if is_of_levels { "temperature_k" } else { "level_temperature_k" };
        let (_, base) = self.fields.iter().find(|(declared, _)| declared.name == leading)?;
        let (declared, _) = self.fields.iter().find(|(declared, _)| declared.name == follower)?;
        let Columns { temperature_k, level_temperature_k, .. } = &input.columns;
        let drawn = if is_of_levels { temperature_k } else { level_temperature_k };
        let before = base.chunks(self.columns).flat_map(|row| sources.iter().map(|&source| row[source]));
        let changes: Vec<f64> = drawn.iter().zip(before).map(|(drawn, before)| drawn - before).collect();
        let changes = input.following_changes(&changes)?;
        let (low, high) = declared.accepted.ends();
        let Columns { temperature_k, level_temperature_k, .. } = &mut input.columns;
        let values = if is_of_levels { level_temperature_k } else { temperature_k };
        let mut clamped = 0;
        for (value, change) in values.iter_mut().zip(changes) {
            let changed = *value + change;
            *value = Real::clamp(changed, low, high);
            clamped += usize::from(*value != changed);
        }
        (clamped > 0).then_some((declared.file_name, clamped))
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
        let place = |name: &str| {
            let place = ColumnViews::<f64>::DECLARED.iter().position(|one| one.name == name);
            (1 + place.unwrap_or(0) as u128) * WORDS_OF_A_FIELD
        };
        random.set_word_pos(place("subcolumn_seed"));
        let seed = random.next_u32() >> 1;
        let deviations = self.varied.iter().map(|varied| {
            random.set_word_pos(place(varied.declared.name));
            if varied.law == Law::Uniform {
                return vec![2.0 * unit(&mut random) - 1.0];
            }
            let mut normal = Normal::new(&mut random);
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
        Sample { source, deviations, seed }
    }
}

#[cfg(test)]
mod tests;
