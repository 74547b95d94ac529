//! The distance of the grid's points: one for the scheme and for the gusts of a surface layer that is computed.

use isobar_core::fields::{Declared, Need};
use isobar_ysu::{Chosen, ColumnViews, Columns};

use super::quantity::field;
use super::surface;
use crate::columns_file::wrf::is_wrf;
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::Field;

/// The scheme's, and that of the surface layer.
const NAMES: [&str; 2] = ["grid_distance_m", "grid_length_m"];
/// WRF's files have it as an attribute.
const OF_WRF: &str = "DX";

/// Who needs it: the scheme, the surface layer.
#[derive(Clone, Copy, Default)]
pub(super) struct GridDistance {
    of_scheme: bool,
    of_surface: bool,
}

fn quantities() -> [Quantity; 2] {
    [field(NAMES[0]), surface::field(NAMES[1])]
}

pub(super) fn is_it(declared: &Declared) -> bool {
    declared.name == NAMES[0]
}

impl GridDistance {
    /// Reads it by either name: what a caller says wins over what a file has, and a variable over an attribute.
    pub(super) fn read(reading: &mut Reading, options: &impl Chosen, of_surface: bool) -> Result<Self, Error> {
        let declared = Declared::named(ColumnViews::<f64>::DECLARED, NAMES[0]);
        let of_scheme = options.need(declared) != Need::Ignored;
        let mut all = quantities();
        if !of_scheme {
            if !of_surface {
                return Ok(Self::default());
            }
            all.reverse();
        }
        let is_said = |one: &&Quantity| reading.is_given(one) || reading.file.is_named(one.name);
        let said: Vec<Quantity> = all.iter().filter(is_said).copied().collect();
        if said.is_empty() {
            let found = if reading.has(&all[0])? || !reading.has(&all[1])? { all[0] } else { all[1] };
            reading.maybe(&found)?;
            if !reading.found(&found) && is_wrf(&reading.file) {
                of_wrf(reading, &found)?;
            }
        }
        said.iter().try_for_each(|one| reading.maybe(one))?;
        Ok(Self { of_scheme, of_surface })
    }

    /// Gives it to the columns, if their scheme needs it, and returns it for the surface.
    pub(super) fn take(
        self,
        fields: &mut Fields,
        columns: &mut Columns<f64>,
        derived: &mut Vec<String>,
    ) -> Result<Vec<f64>, Error> {
        let [of_scheme, of_surface] = quantities();
        let is_of_wrf =
            [of_scheme, of_surface].iter().any(|one| fields.name(one.name).is_some_and(|name| name == OF_WRF));
        let mut distance = fields.take(&of_scheme);
        let length = fields.take(&of_surface);
        if let Some((one, other)) = distance.iter().zip(&length).find(|(one, other)| one != other) {
            let [of_scheme, of_surface] = [of_scheme.name, of_surface.name];
            return Err(fields.refuse(format!(
                "{of_scheme} = {one} m, but {of_surface} = {other} m: the grid has one distance, for the scheme and \
                 the surface layer"
            )));
        }
        if distance.is_empty() {
            distance = length;
        }
        if let Some(metres) = distance.first().filter(|_| is_of_wrf) {
            derived.push(format!("grid_distance = {metres} m, the file's attribute {OF_WRF}"));
        }
        if self.of_scheme {
            columns.grid_distance_m.clone_from(&distance);
        }
        Ok(if self.of_surface { distance } else { Vec::new() })
    }
}

/// Takes WRF's attribute for it.
fn of_wrf(reading: &mut Reading, quantity: &Quantity) -> Result<(), Error> {
    let Some(metres) = reading.file.number(OF_WRF)? else { return Ok(()) };
    let spec = quantity.spec(reading.layout);
    if !spec.accepted.contains(metres) {
        let range = spec.accepted;
        return Err(reading.file.invalid(format!("attribute {OF_WRF} = {metres} m lies outside {range}")));
    }
    let dimensions: Vec<_> = spec.axes.iter().map(|axis| axis.dimension).collect();
    let shape = vec![1; dimensions.len()];
    reading.put(quantity, Field { name: OF_WRF.to_owned(), dimensions, shape, values: vec![metres] });
    Ok(())
}
