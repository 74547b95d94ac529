//! What Shin-Hong makes of the Coriolis parameter south of the equator.

use std::collections::BTreeSet;
use std::path::Path;

use isobar_io::ColumnsInput;
use isobar_ysu::Columns;

use super::options::{Pbl, SchemeOption};
use crate::program::remarks;

/// Takes magnitudes, if the user asks for them.
pub(super) fn take(options: &Pbl, columns: &mut Columns<f64>) {
    if options.coriolis_magnitude {
        columns.coriolis_per_s.iter_mut().for_each(|coriolis| *coriolis = coriolis.abs());
    }
}

/// How many of the columns that are computed have one that the scheme takes for 0.
pub(super) fn negative(options: &Pbl, air: &ColumnsInput<Columns<f64>>) -> usize {
    if options.scheme != SchemeOption::ShinHong {
        return 0;
    }
    let left_out: BTreeSet<usize> = air.left_out().map(|(column, _)| column).collect();
    let all = air.columns.coriolis_per_s.iter().enumerate();
    all.filter(|(column, coriolis)| **coriolis < 0.0 && !left_out.contains(column)).count()
}

/// Says of how many columns that is true.
pub(super) fn warn([negative, columns]: [usize; 2], path: &Path) {
    if negative > 0 {
        remarks::warn(format!(
            "{}: the Coriolis parameter of {negative} of {columns} columns is negative, which Shin-Hong takes for 0, \
             as its authors' code does: mixing lengths there are those of the equator; --coriolis-magnitude takes its \
             magnitude",
            path.display()
        ));
    }
}
