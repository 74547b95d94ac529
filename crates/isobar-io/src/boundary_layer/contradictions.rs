//! What a file says twice, where it says two things: pressures of the surface, thicknesses, Exner functions. What is
//! asked for is taken, and the largest difference is said.

use std::collections::BTreeSet;

use isobar_ysu::Columns;

use super::diagnosed::hydrostatic_thickness;
use crate::columns_file::wrf;

/// Two numbers that a file has for one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    quantity: &'static str,
    /// The largest relative difference.
    difference: f64,
    /// Where that is, and what it is between, in words.
    first: String,
    /// In how many columns there is one.
    columns: usize,
}

impl Contradiction {
    /// What was found in all parts of a file, with that of a further one.
    pub fn merge(all: &mut Vec<Self>, more: Vec<Self>) {
        for one in more {
            match all.iter_mut().find(|known| known.quantity == one.quantity) {
                Some(known) => {
                    let columns = known.columns + one.columns;
                    if one.difference > known.difference {
                        *known = one;
                    }
                    known.columns = columns;
                }
                None => all.push(one),
            }
        }
    }

    /// In words, of so many columns.
    #[must_use]
    pub fn in_words(&self, columns: usize) -> String {
        let Self { first, columns: some, .. } = self;
        format!("{first}: they contradict each other in {some} of {columns} columns, and both are taken")
    }
}

/// What a file has, by which name, what follows from something else, how that is said, and the largest relative
/// difference that may be rounding, another gas constant, or air that is not hydrostatic.
type Pair<'a> = (&'static str, &'a [f64], &'a [f64], &'static str, f64);

/// What contradicts what; `place` says where layer and column are, and no column that is out counts.
pub(super) fn find(
    columns: &Columns<f64>,
    count: usize,
    is_out: impl Fn(usize) -> bool,
    place: impl Fn(Option<(&str, usize)>, usize) -> String,
) -> Vec<Contradiction> {
    let (hydrostatic, exner) = (hydrostatic_thickness(columns), wrf::exner(&columns.pressure_pa));
    // The uppermost layer may end at no pressure.
    let below_top = hydrostatic.len() - count;
    let (thickness, hydrostatic) = (&columns.thickness_m[..below_top], &hydrostatic[..below_top]);
    let lowest = &columns.interface_pressure_pa[..count];
    let pairs: [Pair; 3] = [
        ("surface_pressure", &columns.surface_pressure_pa, lowest, "the interface_pressure", 0.01),
        ("thickness", thickness, hydrostatic, "hydrostatics of pressure and temperature", 0.1),
        ("exner", &columns.exner, &exner, "(pressure / 1e5 Pa)^(2/7)", 0.01),
    ];
    let mut all = Vec::new();
    for (quantity, values, others, of, most) in pairs {
        let (mut worst, mut found) = ((most, None), BTreeSet::new());
        for (i, (value, other)) in values.iter().zip(others).enumerate().filter(|(i, _)| !is_out(i % count)) {
            let difference = (value / other - 1.0).abs();
            if difference > most {
                found.insert(i % count);
            }
            if difference > worst.0 {
                worst = (difference, Some((i, value, other)));
            }
        }
        let (difference, Some((i, value, other))) = worst else { continue };
        let place = place((values.len() > count).then_some((quantity, i / count)), i % count);
        let first = format!("{quantity} = {value} at {place}, but {of} there gives {other}");
        all.push(Contradiction { quantity, difference, first, columns: found.len() });
    }
    all
}
