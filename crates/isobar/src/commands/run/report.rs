//! What a run did, at its end.

use std::time::Duration;

use isobar_column::stages::quantity as q;
use isobar_column::{Precision, Quantity, StageReport, Transfers};
use isobar_launch::Device;

use super::blocks::Spent;
use super::{Records, Setup};
use crate::team::Member;

/// What a run did.
pub(super) struct Report {
    columns: usize,
    layers: usize,
    steps: u64,
    seconds: f64,
    processes: usize,
    /// Of all members.
    devices: Vec<String>,
    /// Of the member that was the longest at each.
    stages: Vec<StageReport>,
    /// Of the member that was the longest at each.
    spent: Spent,
    /// Bytes a second that a copy moves, of all devices together; none where it could not be measured.
    copy: Option<f64>,
    /// Bytes to and from the devices within the loop.
    transfers: Transfers,
    pub(super) clamps: f64,
    pub(super) flagged: usize,
    /// The largest relative errors of the budgets of heat and water.
    budgets: [f64; 2],
}

impl Report {
    /// Of all members, at the first one.
    pub(super) fn new<R: Precision>(
        setup: &Setup,
        (member, processes, device): (&Member<'_>, usize, Device),
        (mut stages, transfers, spent): (Vec<StageReport>, Transfers, Spent),
        (records, flags): (&Records<R>, &[u32]),
        (steps, time): (u64, Duration),
        copy: Option<f64>,
    ) -> Option<Self> {
        let last = records.times.len() - 1;
        let clamps = records.at(q::CLAMPS, last).unwrap_or_default().iter().map(|clamps| clamps.value()).sum();
        let budgets = [error(records, q::ENTHALPY, q::HEAT_GAINED), error(records, q::WATER_CONTENT, q::WATER_GAINED)];
        let flagged = flags.iter().filter(|&&flags| flags != 0).count();
        let copy = copy.unwrap_or(f64::NAN);
        let numbers = [transfers.to_device as f64, transfers.to_host as f64, flagged as f64, clamps, copy];
        let (numbers, budgets) = (member.gather(numbers.to_vec()), member.gather(budgets.to_vec()));
        let beside = [spent.output, spent.restart, spent.turns];
        let times = stages.iter().map(|stage| stage.time).chain(beside);
        let times = member.gather(times.map(|time| time.as_secs_f64()).collect());
        let bytes = member.gather(stages.iter().map(|stage| stage.bytes).collect());
        let devices = member.gather(device.to_string().into_bytes())?;
        let (numbers, budgets, times, bytes) = (numbers?, budgets?, times?, bytes?);
        let sum = |number: usize| numbers.iter().map(|numbers| numbers[number]).sum::<f64>();
        let most = |all: &[Vec<f64>], number: usize| all.iter().map(|own| own[number]).fold(0.0, f64::max);
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
            copy: Some(sum(4)).filter(|copy| copy.is_finite()),
            transfers: Transfers { to_device: sum(0) as u64, to_host: sum(1) as u64 },
            clamps: sum(3),
            flagged: sum(2) as usize,
            budgets: [most(&budgets, 0), most(&budgets, 1)],
        })
    }

    /// The least time that memory allows a stage's fields, of its time: above 1 where caches hold them.
    fn fraction(&self, stage: &StageReport) -> Option<f64> {
        Some(stage.bytes as f64 / self.copy? / stage.time.as_secs_f64()).filter(|fraction| fraction.is_finite())
    }

    /// The devices, as a reader wants them.
    fn device(&self) -> String {
        let mut names = self.devices.clone();
        names.dedup();
        let names = names.join(", ");
        if self.processes > 1 { format!("{names} ({} processes)", self.processes) } else { names }
    }

    /// Columns and steps in a second.
    fn rate(&self) -> f64 {
        self.columns as f64 * self.steps as f64 / self.seconds
    }

    /// For a reader.
    pub(super) fn text(&self, precision: &str) -> String {
        let Self { columns, layers, steps, seconds, transfers, budgets: [heat, water], .. } = self;
        let mut text = format!(
            "{columns} columns, {layers} layers, {steps} steps on {} in {precision}: {seconds:.3} s, {:.0} columns and \
             steps/s\n",
            self.device(),
            self.rate()
        );
        let mut rest = *seconds;
        for stage in &self.stages {
            let StageReport { name, runs, time, .. } = stage;
            let fraction = self.fraction(stage);
            let fraction = fraction.map(|fraction| format!(", {:.2} % of the limit", 100.0 * fraction));
            let fraction = fraction.unwrap_or_default();
            rest -= time.as_secs_f64();
            text += &format!("  {name:<13} {:>9.3} s, {runs} times{fraction}\n", time.as_secs_f64());
        }
        for (name, time) in self.beside().into_iter().filter(|(_, time)| *time > 0.0) {
            rest -= time;
            text += &format!("  {name:<13} {time:>9.3} s\n");
        }
        text += &format!("  other         {rest:>9.3} s\n");
        if let Some(copy) = self.copy {
            let rate = copy / 1e9;
            text +=
                &format!("the limit: each field of a stage read and written once, at the {rate:.1} GB/s of a copy\n");
        }
        text += &format!(
            "transfers in the loop: {} bytes to the device, {} bytes to the host\n",
            transfers.to_device, transfers.to_host
        );
        text += &format!("budgets close to {heat:.1e} (heat) and {water:.1e} (water) of what columns hold; ");
        text + &format!("{} clamps, {} columns flagged", self.clamps, self.flagged)
    }

    /// The seconds that went by beside the stages.
    fn beside(&self) -> [(&'static str, f64); 3] {
        let Spent { output, restart, turns } = self.spent;
        [("output", output), ("restart files", restart), ("taking turns", turns)]
            .map(|(name, time)| (name, time.as_secs_f64()))
    }

    /// For a program.
    pub(super) fn json(&self, precision: &str) -> serde_json::Value {
        let [output, restart, turns] = self.beside().map(|(_, seconds)| seconds);
        let stage = |stage: &StageReport| {
            serde_json::json!({
                "name": stage.name,
                "runs": stage.runs,
                "seconds": stage.time.as_secs_f64(),
                "bytes": stage.bytes,
                "fraction_of_limit": self.fraction(stage),
            })
        };
        serde_json::json!({
            "columns": self.columns,
            "layers": self.layers,
            "steps": self.steps,
            "device": self.device(),
            "processes": self.processes,
            "precision": precision,
            "seconds": self.seconds,
            "columns_and_steps_per_s": self.rate(),
            "stages": self.stages.iter().map(stage).collect::<Vec<_>>(),
            "output_seconds": output,
            "restart_seconds": restart,
            "turns_seconds": turns,
            "copy_bytes_per_s": self.copy,
            "bytes_to_device": self.transfers.to_device,
            "bytes_to_host": self.transfers.to_host,
            "heat_budget_error": self.budgets[0],
            "water_budget_error": self.budgets[1],
            "clamps": self.clamps,
            "flagged_columns": self.flagged,
        })
    }
}

/// By how much what columns hold does not change by what comes in, relative to what they hold: the worst column.
fn error<R: Precision>(records: &Records<R>, content: Quantity, gained: Quantity) -> f64 {
    let last = records.times.len() - 1;
    let at = |quantity, record| records.at(quantity, record).unwrap_or_default();
    let (start, end, gain) = (at(content, 0), at(content, last), at(gained, last));
    let errors = start
        .iter()
        .zip(end)
        .zip(gain)
        .map(|((start, end), gain)| ((end.value() - start.value() - gain.value()) / end.value()).abs());
    errors.fold(0.0, f64::max)
}
