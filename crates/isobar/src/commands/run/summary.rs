//! What a run did, in words and as JSON.

use isobar::run::{Report, Spent};
use isobar_column::StageReport;

/// For a reader.
pub(super) fn text(report: &Report, precision: &str) -> String {
    let Report { columns, layers, steps, seconds, transfers, budget_errors: [heat, water], .. } = report;
    let mut text = format!(
        "{columns} columns, {layers} layers, {steps} steps on {} in {precision}: {seconds:.3} s, {:.0} columns and \
         steps/s\n",
        report.device(),
        report.columns_and_steps_per_s()
    );
    let mut rest = *seconds;
    for stage in &report.stages {
        let StageReport { name, runs, time, .. } = stage;
        let fraction = report.fraction_of_limit(stage);
        let fraction = fraction.map(|fraction| format!(", {:.2} % of the limit", 100.0 * fraction));
        let fraction = fraction.unwrap_or_default();
        rest -= time.as_secs_f64();
        text += &format!("  {name:<13} {:>9.3} s, {runs} times{fraction}\n", time.as_secs_f64());
    }
    for (name, time) in beside(report).into_iter().filter(|(_, time)| *time > 0.0) {
        rest -= time;
        text += &format!("  {name:<13} {time:>9.3} s\n");
    }
    text += &format!("  other         {rest:>9.3} s\n");
    if let Some(copy) = report.copy_bytes_per_s {
        let rate = copy / 1e9;
        text += &format!("the limit: each field of a stage read and written once, at the {rate:.1} GB/s of a copy\n");
    }
    text += &format!(
        "transfers in the loop: {} bytes to the device, {} bytes to the host\n",
        transfers.to_device, transfers.to_host
    );
    if heat.is_nan() && water.is_nan() {
        text += "budgets have no numbers; ";
    } else {
        text += &format!("budgets close to {heat:.1e} (heat) and {water:.1e} (water) of what columns hold");
        let ground = report.ground_budget_error.map(|error| format!(", {error:.1e} of what the ground holds"));
        text += &format!("{}; ", ground.unwrap_or_default());
    }
    let stopped = if report.stopped > 0 { format!(", {} of them stopped", report.stopped) } else { String::new() };
    text + &format!("{} clamps, {} columns flagged{stopped}", report.clamps, report.flagged)
}

/// The seconds that went by beside the stages.
fn beside(report: &Report) -> [(&'static str, f64); 3] {
    let Spent { output, restart, turns } = report.spent;
    [("output", output), ("restart files", restart), ("taking turns", turns)]
        .map(|(name, time)| (name, time.as_secs_f64()))
}

/// For a program.
pub(super) fn json(report: &Report, precision: &str) -> serde_json::Value {
    let [output, restart, turns] = beside(report).map(|(_, seconds)| seconds);
    let stage = |stage: &StageReport| {
        serde_json::json!({
            "name": stage.name,
            "runs": stage.runs,
            "seconds": stage.time.as_secs_f64(),
            "bytes": stage.bytes,
            "fraction_of_limit": report.fraction_of_limit(stage),
        })
    };
    let first_stopped = report.first_stopped.map(|(column, stopped)| {
        let (what, unit, (low, high)) = stopped.range();
        serde_json::json!({
            "column": column,
            "step": stopped.step,
            "layer": if stopped.is_ground() { None } else { Some(stopped.layer) },
            "what": what,
            "value": stopped.value,
            "unit": unit,
            "range": [low, high],
        })
    });
    serde_json::json!({
        "columns": report.columns,
        "layers": report.layers,
        "steps": report.steps,
        "device": report.device(),
        "processes": report.processes,
        "precision": precision,
        "seconds": report.seconds,
        "columns_and_steps_per_s": report.columns_and_steps_per_s(),
        "stages": report.stages.iter().map(stage).collect::<Vec<_>>(),
        "output_seconds": output,
        "restart_seconds": restart,
        "turns_seconds": turns,
        "copy_bytes_per_s": report.copy_bytes_per_s,
        "bytes_to_device": report.transfers.to_device,
        "bytes_to_host": report.transfers.to_host,
        "heat_budget_error": report.budget_errors[0],
        "water_budget_error": report.budget_errors[1],
        "ground_budget_error": report.ground_budget_error,
        "clamps": report.clamps,
        "flagged_columns": report.flagged,
        "stopped_columns": report.stopped,
        "first_stopped": first_stopped,
    })
}
