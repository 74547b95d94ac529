//! What was read, surface first.

use super::fields::Fields;
use super::reading::Reading;
use crate::error::{Error, Place};
use crate::netcdf::{Dimension, Field, Orientation};

impl Reading {
    /// Everything surface first and of full size. Where the file does not say which end that is, this pressure does.
    pub(crate) fn arrange(self, pressure: &str, least_layers: usize) -> Result<Fields, Error> {
        self.arrange_by(pressure, None, least_layers)
    }

    /// As [`Reading::arrange`], where something else than a pressure says which end the surface is.
    pub(crate) fn arrange_by(
        mut self,
        pressure: &str,
        known: Option<Orientation>,
        least_layers: usize,
    ) -> Result<Fields, Error> {
        if !self.missing.is_empty() {
            return Err(self.file.invalid(self.missing.join("; ")));
        }
        let layers = self.file.size(Dimension::Layer).unwrap_or(0);
        if layers < least_layers {
            let problem = format!("dimension {} = {layers}: at least {least_layers} are needed", Dimension::Layer);
            return Err(Error::invalid(Place::File(self.file.path().to_owned()), problem));
        }
        let field = self.fields.iter().find(|(name, _)| *name == pressure);
        let orientation = match self.file.orientation_evidence()? {
            Some(stated) => {
                if known.is_some_and(|known| known != stated.says) {
                    let said = stated.in_words();
                    return Err(self.file.invalid(format!("{said}, but pressures are those of the other order")));
                }
                if let Some((_, field)) = field
                    && is_contradicted(stated.says, field)
                {
                    let (does, other) = match stated.says {
                        Orientation::TopFirst => ("falls", "the bottom"),
                        Orientation::BottomFirst => ("rises", "the top"),
                    };
                    let (said, name) = (stated.in_words(), &field.name);
                    return Err(self.file.invalid(format!("{said}, but {name} {does} with the index, from {other}")));
                }
                stated.says
            }
            None => known.unwrap_or_else(|| field.map_or(Orientation::TopFirst, |(_, field)| by_pressure(field))),
        };
        for (_, field) in &mut self.fields {
            field.bottom_first(orientation);
        }
        Ok(Fields::new(self, orientation, layers))
    }
}

/// In how many columns pressure falls with the index, and in how many it rises.
fn falls_and_rises(field: &Field) -> (usize, usize) {
    let row: usize = field.shape[1..].iter().product();
    let last = &field.values[field.values.len() - row..];
    let count = |is: fn(f64, f64) -> bool| field.values.iter().zip(last).filter(|(a, b)| is(**a, **b)).count();
    (count(|first, last| first > last), count(|first, last| first < last))
}

/// The end at which most columns have their highest pressure.
fn by_pressure(field: &Field) -> Orientation {
    let (falls, rises) = falls_and_rises(field);
    if falls >= rises { Orientation::BottomFirst } else { Orientation::TopFirst }
}

/// Whether pressure has the other order in all columns. In some, it is these that are wrong.
fn is_contradicted(stated: Orientation, field: &Field) -> bool {
    let (falls, rises) = falls_and_rises(field);
    match stated {
        Orientation::TopFirst => falls > 0 && rises == 0,
        Orientation::BottomFirst => rises > 0 && falls == 0,
    }
}
