//! WRF's layout.

use isobar_core::fields::{Declared, Need};
use isobar_ysu::{Chosen, ColumnViews, Columns};

use super::BoundaryLayerRequest;
use super::own::{LEAST_LAYERS, STAY, read_surface, read_towns, take_columns};
use super::quantity::{self as q, field};
use super::read::{Read, Surroundings};
use super::water::Water;
use crate::columns_file::wrf::{self, Air, any};
use crate::columns_file::{Fields, Per, Quantity, Reading, Stated, between};
use crate::error::{Error, Place};
use crate::netcdf::{Axis, Dataset, Dimension, VariableSpec};

use Dimension::{Layer, SouthNorth, SouthNorthStaggered, Time, WestEast, WestEastStaggered};

const HEATING: [Quantity; 2] = [any("RTHRATLW", "K s-1", Per::Layer), any("RTHRATSW", "K s-1", Per::Layer)];

const fn wind(name: &'static str, axes: &'static [Axis]) -> VariableSpec<'static> {
    VariableSpec { name, aliases: &[], standard_names: &[], unit: "m s-1", axes, accepted: q::WIND }
}

const U: VariableSpec = wind(
    "U",
    &[Axis::required(Layer), Axis::optional(Time), Axis::optional(SouthNorth), Axis::required(WestEastStaggered)],
);
const V: VariableSpec = wind(
    "V",
    &[Axis::required(Layer), Axis::optional(Time), Axis::required(SouthNorthStaggered), Axis::optional(WestEast)],
);

/// Cosine and sine of the angle by which the grid's axes are turned counterclockwise from east and north.
const TURN: [Quantity; 2] = [turn("COSALPHA"), turn("SINALPHA")];

const fn turn(name: &'static str) -> Quantity {
    Quantity::new(name, &[], &[], "1", Per::Column, between(-1.0, 1.0))
}

/// What becomes of winds, in words.
const TURNED: &str = "u, v: turned eastward and northward by COSALPHA and SINALPHA";
const TAKEN: &str =
    "u, v: along the axes of the grid, taken for eastward and northward for want of COSALPHA and SINALPHA";

pub(super) fn read(file: Dataset, options: &impl Chosen, request: &BoundaryLayerRequest) -> Result<Read, Error> {
    let path = file.path().to_owned();
    let mut reading = request.begin(file)?;
    wrf::read(&mut reading)?;
    let water = Water::read(&mut reading)?;
    reading.need_as(&U)?;
    reading.need_as(&V)?;
    read_turn(&mut reading)?;
    let heating = Declared::named(ColumnViews::<f64>::DECLARED, "radiative_heating_k_per_s");
    let needs_heating = options.need(heating) == Need::Required;
    if needs_heating {
        // RTHRATEN may be multiplied by the column's mass.
        if reading.converts(&field("radiative_heating_k_per_s"))? {
            reading.need(&field("radiative_heating_k_per_s"))?;
        } else {
            HEATING.iter().try_for_each(|quantity| reading.need(quantity))?;
        }
    }
    read_towns(&mut reading, options)?;
    let surface_pressure = field("surface_pressure_pa");
    reading.need(&surface_pressure)?;
    let stated = [Stated::of(&reading.file, &surface_pressure.spec(reading.layout)).map(Stated::of_columns), None];
    let below = read_surface(&mut reading, options, request.surface)?;

    let mut fields = reading.arrange("PB", LEAST_LAYERS)?;
    let around = Surroundings::of(&fields)
        .also([("pressure", "P + PB".to_owned()), ("temperature", "(T + 300 K) exner".to_owned())]);
    let air = Air::take(&mut fields);
    let refuse = |problem: String| Error::invalid(Place::File(path.clone()), problem);
    let mut winds = [
        faces(&mut fields, "U", (3, WestEast)).map_err(refuse)?,
        faces(&mut fields, "V", (2, SouthNorth)).map_err(refuse)?,
    ];
    let (is_along_grid, how) = turn_winds(&mut fields, &mut winds, request.surface.is_start());
    let [u_m_per_s, v_m_per_s] = winds;
    let surface_pressure_pa = fields.take(&field("surface_pressure_pa"));
    let mut columns = Columns {
        u_m_per_s,
        v_m_per_s,
        interface_pressure_pa: air.interface_pressure(&surface_pressure_pa),
        surface_pressure_pa,
        temperature_k: air.temperature,
        pressure_pa: air.pressure,
        exner: air.exner,
        ..Columns::default()
    };
    take_columns(&mut fields, &mut columns);
    if needs_heating && columns.radiative_heating_k_per_s.is_empty() {
        columns.radiative_heating_k_per_s = wrf::sum(&mut fields, &HEATING);
    }
    let mut derived = vec![
        "temperature = (T + 300 K) exner".to_owned(),
        "exner = ((P + PB) / 1e5 Pa)^(2/7)".to_owned(),
        "interface_pressure: PSFC at the surface, P + PB between layers".to_owned(),
        "interface_height = (PH + PHB) / g".to_owned(),
    ];
    derived.extend(how.map(str::to_owned));
    water.take(&mut fields, &mut columns, &mut derived);
    let mut read = around.read(fields, columns, (air.heights, below), derived, ["bottom_top", "bottom_top_stag"])?;
    read.raw.stated = stated;
    Ok(Read { is_along_grid, ..read })
}

/// Reads how the grid lies, if it is there.
fn read_turn(reading: &mut Reading) -> Result<(), Error> {
    let [cosine, sine] = &TURN;
    if reading.has(cosine)? && reading.has(sine)? {
        TURN.iter().try_for_each(|quantity| reading.need(quantity))?;
    }
    Ok(())
}

/// Turns winds along the grid's axes eastward and northward, if they are to be; says whether they are along those, or
/// may be, and what became of them in words.
fn turn_winds(fields: &mut Fields, [u, v]: &mut [Vec<f64>; 2], to_east: bool) -> (bool, Option<&'static str>) {
    let [cosine, sine] = TURN.map(|quantity| fields.take(&quantity));
    let is_known = !cosine.is_empty();
    if is_known && sine.iter().all(|&sine| sine == 0.0) && cosine.iter().all(|&cosine| cosine == 1.0) {
        return (false, None);
    }
    if !to_east {
        return (true, Some(STAY));
    }
    if !is_known {
        return (true, Some(TAKEN));
    }
    let count = cosine.len();
    for (i, (u, v)) in u.iter_mut().zip(v).enumerate() {
        let (cosine, sine) = (cosine[i % count], sine[i % count]);
        (*u, *v) = (*u * cosine - *v * sine, *v * cosine + *u * sine);
    }
    (false, Some(TURNED))
}

/// Means of neighbours along an axis of the faces of cells; of a file without a dimension of cells, of its one cell.
fn faces(fields: &mut Fields, name: &str, (axis, of_cells): (usize, Dimension)) -> Result<Vec<f64>, String> {
    let grid = fields.grid();
    let cells = grid.dimensions.iter().find(|(dimension, ..)| *dimension == of_cells).map_or(1, |&(.., size)| size);
    let Some(field) = fields.take_field(name) else { return Ok(Vec::new()) };
    let (size, run) = (field.shape[axis], field.shape[axis + 1..].iter().product::<usize>());
    if size != cells + 1 {
        return Err(format!("{name} has {size} faces for {cells} cells; n cells have n + 1 faces"));
    }
    let block = size * run;
    let mean = |block: &[f64]| block.iter().zip(&block[run..]).map(|(a, b)| 0.5 * (a + b)).collect::<Vec<_>>();
    Ok(field.values.chunks_exact(block).flat_map(mean).collect())
}
