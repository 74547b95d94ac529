//! What a run did, at its end.

use std::time::Duration;

use isobar_column::limits::Stopped;
use isobar_column::stages::quantity as q;
use isobar_column::{Precision, Quantity, StageReport, Transfers};
use isobar_launch::Device;

use super::blocks::Spent;
use super::team::Member;
use super::{Records, Setup};

/// What a run did, and how long it took.
#[derive(Clone, Debug)]
pub struct Report {
    /// Columns.
    pub columns: usize,
    /// Layers of each.
    pub layers: usize,
    /// Steps that were done; fewer than the case has where the run went on from a restart file.
    pub steps: u64,
    /// Time of the steps, with output and restart files \[s\].
    pub seconds: f64,
    /// Processes.
    pub processes: usize,
    /// Devices of all processes.
    pub devices: Vec<String>,
    /// The stages with their time and bytes, each of the device that was the longest at it.
    pub stages: Vec<StageReport>,
    /// The time beside the stages, each of the device that was the longest at it.
    pub spent: Spent,
    /// Bytes a second that a copy moves, of all devices together; none where it was not measured.
    pub copy_bytes_per_s: Option<f64>,
    /// Bytes to and from the devices within the loop.
    pub transfers: Transfers,
    /// Values of water vapour below 0 that radiation took for 0; none without radiation.
    pub clamps: f64,
    /// Columns with a status other than success, but for those without values at the start.
    pub flagged: usize,
    /// Those among them whose state left its range: they stopped there, and have no results from then on.
    pub stopped: usize,
    /// The first of these, and where it stopped.
    pub first_stopped: Option<(usize, Stopped)>,
    /// The largest relative errors of the budgets of heat and of water in a column that did not stop; NaN if all did.
    pub budget_errors: [f64; 2],
    /// The largest relative error of the budget of a slab's heat, likewise; none where the ground's temperature is
    /// given.
    pub ground_budget_error: Option<f64>,
}

impl Report {
    /// The report of all members, at the first one.
    pub(super) fn new<R: Precision>(
        setup: &Setup,
        (member, processes, device): (&Member<'_>, usize, Device),
        (mut stages, transfers, spent): (Vec<StageReport>, Transfers, Spent),
        (records, words): (&Records<R>, &[u32]),
        (steps, time): (u64, Duration),
        copy: Option<f64>,
    ) -> Option<Self> {
        let last = records.times.len() - 1;
        let clamps = records.at(q::CLAMPS, last).unwrap_or_default().iter().map(|clamps| clamps.value());
        // A column that has stopped has no number.
        let clamps = clamps.filter(|clamps| clamps.is_finite()).fold(0.0, |sum, clamps| sum + clamps);
        let capacity = setup.ground_heat_capacity();
        let budgets = [
            error(records, (q::ENTHALPY, 1.0), q::HEAT_GAINED),
            error(records, (q::WATER_CONTENT, 1.0), q::WATER_GAINED),
            capacity.map_or(0.0, |capacity| ground_error(records, setup, capacity)),
        ];
        let own = member.columns(setup.columns());
        let masked = setup.masked.iter().filter(|column| own.contains(column)).count();
        let flagged = words[..own.len()].iter().filter(|&&flags| flags != 0).count() - masked;
        let stopped = Stopped::of_columns(words, own.len());
        let stops = stopped.iter().flatten().count();
        // The column and its words, of the first one that stopped.
        let first = stopped.iter().position(Option::is_some).map_or(Vec::new(), |place| {
            let words = words.iter().skip(place).step_by(own.len()).map(|&word| u64::from(word));
            [(own.start + place) as u64].into_iter().chain(words).collect()
        });
        let firsts = member.gather(first);
        let copy = copy.unwrap_or(f64::NAN);
        let numbers =
            [transfers.to_device as f64, transfers.to_host as f64, flagged as f64, clamps, copy, stops as f64];
        let (numbers, budgets) = (member.gather(numbers.to_vec()), member.gather(budgets.to_vec()));
        let beside = [spent.output, spent.restart, spent.turns];
        let times = stages.iter().map(|stage| stage.time).chain(beside);
        let times = member.gather(times.map(|time| time.as_secs_f64()).collect());
        let bytes = member.gather(stages.iter().map(|stage| stage.bytes).collect());
        let devices = member.gather(device.to_string().into_bytes())?;
        let (numbers, budgets, times, bytes) = (numbers?, budgets?, times?, bytes?);
        let sum = |number: usize| numbers.iter().map(|numbers| numbers[number]).sum::<f64>();
        let most = |all: &[Vec<f64>], number: usize| all.iter().map(|own| own[number]).fold(f64::NAN, f64::max);
        for (number, stage) in stages.iter_mut().enumerate() {
            stage.time = Duration::from_secs_f64(most(&times, number));
            stage.bytes = bytes.iter().map(|own| own[number]).sum();
        }
        let beside = |number| Duration::from_secs_f64(most(&times, stages.len() + number));
        let spent = Spent { output: beside(0), restart: beside(1), turns: beside(2) };
        Some(Self {
            columns: setup.columns(),
            layers: setup.layers(),
            steps,
            seconds: time.as_secs_f64(),
            processes,
            devices: devices.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect(),
            stages,
            spent,
            copy_bytes_per_s: Some(sum(4)).filter(|copy| copy.is_finite()),
            transfers: Transfers { to_device: sum(0) as u64, to_host: sum(1) as u64 },
            clamps: sum(3),
            flagged: sum(2) as usize,
            stopped: sum(5) as usize,
            first_stopped: firsts.into_iter().flatten().find_map(|first| {
                let (&column, words) = first.split_first()?;
                let words = std::array::from_fn(|word| words[word] as u32);
                Some((column as usize, Stopped::of_words(words)?))
            }),
            budget_errors: [most(&budgets, 0), most(&budgets, 1)],
            ground_budget_error: capacity.map(|_| most(&budgets, 2)),
        })
    }

    /// The least time that memory allows a stage's fields, of its time: above 1 where caches hold them. None where no
    /// copy was measured, or the stage took no time.
    #[must_use]
    pub fn fraction_of_limit(&self, stage: &StageReport) -> Option<f64> {
        let least = stage.bytes as f64 / self.copy_bytes_per_s?;
        Some(least / stage.time.as_secs_f64()).filter(|fraction| fraction.is_finite())
    }

    /// The devices, as a reader wants them.
    #[must_use]
    pub fn device(&self) -> String {
        let mut names = self.devices.clone();
        names.dedup();
        let names = names.join(", ");
        if self.processes > 1 { format!("{names} ({} processes)", self.processes) } else { names }
    }

    /// Columns and steps in a second.
    #[must_use]
    pub fn columns_and_steps_per_s(&self) -> f64 {
        self.columns as f64 * self.steps as f64 / self.seconds
    }

    /// What the user should know at the end, a line each.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.flagged > 0 {
            warnings.push(format!("{} of {} columns are flagged: see the variable flags", self.flagged, self.columns));
        }
        if let Some((column, stopped)) = &self.first_stopped {
            let Stopped { layer, step, value, .. } = *stopped;
            let (what, unit, (low, high)) = stopped.range();
            let layer = if stopped.is_ground() { String::new() } else { format!(" of layer {layer}") };
            warnings.push(format!(
                "column {column} stopped in step {step}: its {what}{layer} would be {value} {unit}, which is not in \
                 [{low}, {high}]; {} of {} columns stopped, with fill values from then on",
                self.stopped, self.columns
            ));
        }
        if self.clamps > 0.0 {
            warnings.push(format!("radiation took {} values of water vapour below 0 for 0", self.clamps));
        }
        warnings
    }
}

/// That of slab and soil.
fn ground_error<R: Precision>(records: &Records<R>, setup: &Setup, capacity: f64) -> f64 {
    let Some(soil) = &setup.soil else {
        return error(records, (q::SURFACE_TEMPERATURE, capacity), q::GROUND_HEAT_GAINED);
    };
    let last = records.times.len() - 1;
    let at = |quantity, record| records.at(quantity, record).unwrap_or_default();
    let (slab, gained) = (at(q::SURFACE_TEMPERATURE, last), at(q::GROUND_HEAT_GAINED, last));
    let columns = slab.len();
    let content = |record: usize, column: usize| {
        let layers = at(soil.layers.temperature(), record).iter().skip(column).step_by(columns);
        let capacities = soil.layers.heat_capacity_j_per_m2_k();
        let below: f64 = layers.zip(capacities).map(|(temperature, capacity)| capacity * temperature.value()).sum();
        below + capacity * at(q::SURFACE_TEMPERATURE, record)[column].value()
    };
    let errors = (0..columns).map(|column| {
        let (start, end) = (content(0, column), content(last, column));
        relative(end - start - gained[column].value(), end)
    });
    errors.fold(f64::NAN, f64::max)
}

/// A difference of what is held; where nothing is held, there is none.
fn relative(difference: f64, held: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { (difference / held).abs() }
}

/// The worst column's difference between the change of what it holds, `times` a field, and what comes in, relative to
/// what it holds; NaN where none has a number, for all have stopped.
fn error<R: Precision>(records: &Records<R>, (content, times): (Quantity, f64), gained: Quantity) -> f64 {
    let last = records.times.len() - 1;
    let at = |quantity, record| records.at(quantity, record).unwrap_or_default();
    let (start, end, gain) = (at(content, 0), at(content, last), at(gained, last));
    let errors = start.iter().zip(end).zip(gain).map(|((start, end), gain)| {
        let (start, end) = (times * start.value(), times * end.value());
        relative(end - start - gain.value(), end)
    });
    errors.fold(f64::NAN, f64::max)
}
