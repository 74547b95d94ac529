//! What a run did, at its end.

use std::time::Duration;

use isobar_launch::column::stages::quantity as q;
use isobar_launch::column::{Pipeline, Quantity, StageReport, State, Transfers};
use isobar_launch::{Device, Precision};

use super::{Records, Setup};
use crate::commands::Failure;

/// What a run did.
pub(super) struct Report {
    columns: usize,
    layers: usize,
    steps: u64,
    seconds: f64,
    stages: Vec<StageReport>,
    /// Bytes to and from the device within the loop.
    transfers: Transfers,
    pub(super) clamps: f64,
    pub(super) flags: Vec<u32>,
    pub(super) flagged: usize,
    /// The largest relative errors of the budgets of heat and water.
    budgets: [f64; 2],
}

impl Report {
    pub(super) fn new<R: Precision>(
        setup: &Setup,
        state: &State<R>,
        pipeline: &Pipeline<R>,
        records: &Records<R>,
        (steps, time, before): (u64, Duration, Transfers),
    ) -> Result<Self, Failure> {
        let after = state.transfers();
        let flags = state.flags()?;
        let last = records.times.len() - 1;
        let clamps = records.at(q::CLAMPS, last).unwrap_or_default().iter().map(|clamps| clamps.value()).sum();
        Ok(Self {
            columns: setup.columns(),
            layers: setup.layers(),
            steps,
            seconds: time.as_secs_f64(),
            stages: pipeline.report(),
            transfers: Transfers {
                to_device: after.to_device - before.to_device,
                to_host: after.to_host - before.to_host,
            },
            clamps,
            flagged: flags.iter().filter(|&&flags| flags != 0).count(),
            flags,
            budgets: [error(records, q::ENTHALPY, q::HEAT_GAINED), error(records, q::WATER_CONTENT, q::WATER_GAINED)],
        })
    }

    /// Columns and steps in a second.
    fn rate(&self) -> f64 {
        self.columns as f64 * self.steps as f64 / self.seconds
    }

    /// For a reader.
    pub(super) fn text(&self, device: Device, precision: &str) -> String {
        let Self { columns, layers, steps, seconds, transfers, budgets: [heat, water], .. } = self;
        let mut text = format!(
            "{columns} columns, {layers} layers, {steps} steps on {device} in {precision}: {seconds:.3} s, {:.0} columns and steps/s\n",
            self.rate()
        );
        let sum: f64 = self.stages.iter().map(|stage| stage.time.as_secs_f64()).sum();
        for StageReport { name, runs, time } in &self.stages {
            text += &format!("  {name:<13} {:>9.3} s, {runs} times\n", time.as_secs_f64());
        }
        text += &format!("  other         {:>9.3} s\n", seconds - sum);
        text += &format!(
            "transfers in the loop: {} bytes to the device, {} bytes to the host\n",
            transfers.to_device, transfers.to_host
        );
        text += &format!("budgets close to {heat:.1e} (heat) and {water:.1e} (water) of what columns hold; ");
        text + &format!("{} clamps, {} columns flagged", self.clamps, self.flagged)
    }

    /// For a program.
    pub(super) fn json(&self, device: Device, precision: &str) -> serde_json::Value {
        let stage = |stage: &StageReport| serde_json::json!({ "name": stage.name, "runs": stage.runs, "seconds": stage.time.as_secs_f64() });
        serde_json::json!({
            "columns": self.columns,
            "layers": self.layers,
            "steps": self.steps,
            "device": device.to_string(),
            "precision": precision,
            "seconds": self.seconds,
            "columns_and_steps_per_s": self.rate(),
            "stages": self.stages.iter().map(stage).collect::<Vec<_>>(),
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
