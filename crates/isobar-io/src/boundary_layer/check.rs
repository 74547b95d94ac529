//! Columns that are complete and valid, or an error, or bad columns that are left out.

use std::collections::BTreeSet;

use isobar_core::Status;
use isobar_ysu::{Chosen, ColumnViews};

use super::derive::Problem;
use super::read::Read;
use super::{BoundaryLayerInput, contradictions, surface};
use crate::columns_file::stand_in;
use crate::error::Error;

pub(super) fn complete(mut read: Read, options: &impl Chosen) -> Result<BoundaryLayerInput, Error> {
    read.raw.check_units()?;
    for (column, text) in read.below_ground() {
        read.raw.note(column, Status::OUT_OF_RANGE, text)?;
    }
    // First, for much is derived from pressures.
    for (column, text) in read.pressures() {
        read.raw.note(column, Status::OUT_OF_RANGE, text)?;
    }
    for (column, text) in read.derive() {
        read.raw.note(column, Status::OUT_OF_RANGE, text)?;
    }
    read.turbulence(options);
    let is_start = read.start.is_some();
    let mut has_step_before = false;
    let Read { mut raw, surface, boundary_layer_height, start, made_up, mut diagnosed, is_along_grid, .. } = read;
    let mut surface = surface;
    if let Some((surface, _)) = &mut surface {
        let completed = surface::complete(surface, &mut raw.columns, &boundary_layer_height, &mut raw.derived);
        has_step_before = completed.map_err(|problem| raw.invalid(problem))?;
    }
    let count = raw.columns();
    let views = ColumnViews::try_from(&raw.columns).map_err(|problem| raw.invalid(problem.to_string()))?;
    let mut problems = views.check(&raw.columns.extents(), 0..count);
    if let Some((surface, options)) = &surface {
        problems.extend(surface::check(surface, options).map_err(|problem| raw.invalid(problem))?);
    }
    raw.leave_out(&problems)?;
    options.check().map_err(|problem| raw.invalid(problem.to_string()))?;
    let place = |level: Option<(&str, usize)>, column: usize| raw.place(level, column);
    let of_all = || contradictions::find(&raw.columns, count, |column| raw.is_out(column), place);
    let contradictions = if is_start { Vec::new() } else { of_all() };
    let air = raw.input((0, None));
    let left_out: BTreeSet<usize> = air.left_out().map(|(column, _)| column).collect();
    diagnosed.stand_in(&left_out, count);
    if let Some((surface, _)) = &mut surface {
        stand_in(surface, count, |column| left_out.contains(&column));
    }
    let surface = surface.map(|(surface, _)| surface);
    Ok(BoundaryLayerInput { air, surface, has_step_before, start, made_up, diagnosed, contradictions, is_along_grid })
}

impl Read {
    /// The columns with layers below the ground.
    fn below_ground(&self) -> Vec<Problem> {
        let some = self.below_ground.iter().enumerate().filter(|(_, below)| **below > 0);
        let in_words = |(column, below): (usize, &usize)| {
            let (place, layers) = (self.raw.place(None, column), self.layers);
            let text = format!(
                "{below} of {layers} pressure levels lie below the ground at {place}: a boundary layer needs the air \
                 next to the ground, which model levels have; --keep-going leaves such columns out"
            );
            (column, text)
        };
        some.map(in_words).collect()
    }

    /// The columns whose pressure does not fall with height, or is not between that of the interfaces.
    fn pressures(&self) -> Vec<Problem> {
        let (count, columns) = (self.raw.columns(), &self.raw.columns);
        let mut problems = Vec::new();
        for (variable, values) in
            [("pressure", &columns.pressure_pa), ("interface_pressure", &columns.interface_pressure_pa)]
        {
            for (i, (below, value)) in values.iter().zip(&values[count..]).enumerate() {
                // NaN was refused before.
                if value >= below {
                    let place = self.raw.place(Some((variable, i / count + 1)), i % count);
                    let text = format!(
                        "{variable} = {value} Pa at {place} lies outside [0, {below}): pressure falls with height"
                    );
                    problems.push((i % count, text));
                }
            }
        }
        let interfaces = &columns.interface_pressure_pa;
        for (i, value) in columns.pressure_pa.iter().enumerate() {
            let (below, above) = (interfaces[i], interfaces[i + count]);
            if *value > below || *value < above {
                let place = self.raw.place(Some(("pressure", i / count)), i % count);
                let text = format!("pressure = {value} Pa at {place} lies outside [{above}, {below}], its interfaces'");
                problems.push((i % count, text));
            }
        }
        problems
    }
}
