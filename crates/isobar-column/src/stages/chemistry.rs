//! Chemistry in the layers of columns.

use isobar_core::Column;
use isobar_launch::rows::reading;
use isobar_launch::{Buffer, Queue};
use isobar_rosenbrock::launch::{Chemistry as Batches, Resident};
use isobar_rosenbrock::{Cells, Compiled, Options, RateProgram};

use super::quantity::{PHOTOLYSIS_FACTOR, PRESSURE, TEMPERATURE, TRACERS};
use crate::cells::{FromCells, NO_ROW, ToCells};
use crate::{Built, Error, Fields, Memory, Precision, Quantity, Stage, State, Step};

/// What chemistry is given besides its mechanism.
#[derive(Clone, Debug)]
pub struct ChemistryOptions<'a> {
    /// Steps and tolerances.
    pub integration: Options,
    /// Mole fraction of each fixed species \[mol/mol\].
    pub fixed: Vec<f64>,
    /// Names of the inputs of the rate program, with a value for those that the column does not have. It has `TEMP`
    /// \[K\], `PRESS` \[Pa\], `SUN`, and `CFACTOR`, `CAIR` and `C_M`, the molecules of air \[1/cm^3\]; small letters
    /// serve as well.
    pub inputs: Vec<(&'a str, Option<f64>)>,
}

/// The kinetics of [`isobar_rosenbrock`] in each layer, with the tracers of the state as the variable species. Rate
/// constants hold for the whole of a step.
pub struct Chemistry {
    resident: Resident,
    fixed: Buffer<f64>,
    rows: Rows,
}

/// The rows of what the column has among the inputs.
#[derive(Clone, Copy, Debug)]
struct Rows {
    temperature: u32,
    pressure: u32,
    sun: u32,
    air: u32,
}

const STAGE: &str = "chemistry";
/// What the first steps are called in a restart file.
const FIRST_STEPS: &str = "first_step";

impl Chemistry {
    /// For the columns of a state, which has as many tracers as the mechanism has variable species.
    ///
    /// # Errors
    /// Other numbers of species, an input that nobody gives, options that do not fit, too many cells, or what the
    /// device answers.
    pub fn new<R: Precision>(
        state: &State<R>,
        mechanism: &Compiled,
        program: &RateProgram,
        options: &ChemistryOptions<'_>,
    ) -> Result<Self, Error> {
        let refuse = |problem: String| Error::Stage { stage: STAGE.into(), problem };
        let sizes = mechanism.tables().sizes();
        let (variable, fixed) = (sizes.variable as usize, sizes.fixed as usize);
        if (variable, fixed) != (state.tracers(), options.fixed.len()) {
            return Err(refuse(format!(
                "the mechanism has {variable} variable and {fixed} fixed species; there are {} tracers and {} fixed fractions",
                state.tracers(),
                options.fixed.len()
            )));
        }
        let count = state.layers() * state.columns();
        let mut inputs = vec![0.0; options.inputs.len() * count];
        let mut rows = Rows { temperature: NO_ROW, pressure: NO_ROW, sun: NO_ROW, air: NO_ROW };
        for (i, (name, default)) in options.inputs.iter().enumerate() {
            let row = match name.to_lowercase().as_str() {
                "temp" => &mut rows.temperature,
                "press" => &mut rows.pressure,
                "sun" => &mut rows.sun,
                "cfactor" | "cair" | "c_m" => &mut rows.air,
                _ => {
                    let value = default.ok_or_else(|| {
                        refuse(format!("the mechanism's rates need {name}, which a column does not have"))
                    })?;
                    inputs[i * count..(i + 1) * count].fill(value);
                    continue;
                }
            };
            *row = i as u32;
        }
        let concentrations = vec![0.0; (variable + fixed) * count];
        let cells = Cells { count, concentrations, inputs, ..Cells::default() };
        let failed = |error: isobar_rosenbrock::Error| refuse(error.to_string());
        cells.validate_sizes(mechanism, Some(program), &options.integration).map_err(failed)?;
        let queue = state.queue();
        let batch = (&cells, &options.integration);
        let in_flight = Batches::IN_FLIGHT.min(count);
        let mut resident = Resident::new(queue, mechanism, Some(program), batch, count, in_flight)?;
        resident.load(queue, &cells, &(0..count))?;
        Ok(Self { resident, fixed: queue.upload(&options.fixed)?, rows })
    }
}

impl<R: Precision> Stage<R> for Chemistry {
    fn name(&self) -> &str {
        STAGE
    }

    fn reads(&self) -> Vec<Quantity> {
        vec![TEMPERATURE, PRESSURE, PHOTOLYSIS_FACTOR, TRACERS]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![TRACERS]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let (temperature, pressure) = (fields.read(TEMPERATURE)?, fields.read(PRESSURE)?);
        let tracers = fields.write(TRACERS)?;
        let [concentrations, inputs] = self.resident.starts();
        let kernel = ToCells {
            temperature,
            pressure,
            photolysis_factor: fields.read_column(PHOTOLYSIS_FACTOR)?,
            // SAFETY: nobody writes the tracers before the cells are integrated.
            tracers: unsafe { reading(&tracers) },
            fixed: if self.fixed.is_empty() { Column::empty() } else { self.fixed.column() },
            concentrations,
            inputs,
            temperature_row: self.rows.temperature,
            pressure_row: self.rows.pressure,
            sun_row: self.rows.sun,
            air_row: self.rows.air,
        };
        fields.launch_built(&Built::ToCells(kernel))?;
        let interval = step.time_s..step.time_s + step.every as f64 * step.length_s;
        self.resident.compute(fields.queue(), &interval)?;
        self.resident.keep_steps();
        let (concentrations, cell_status) = self.resident.ends();
        let flags = fields.flags();
        let kernel = FromCells { temperature, pressure, concentrations, cell_status, tracers, flags };
        fields.launch_built(&Built::FromCells(kernel))
    }

    fn memory(&self, queue: &Queue) -> Result<Memory, Error> {
        Ok(vec![(FIRST_STEPS, self.resident.first_steps(queue)?)])
    }

    fn recall(&mut self, queue: &Queue, memory: &Memory) -> Result<(), Error> {
        match memory.as_slice() {
            [(FIRST_STEPS, steps)] => Ok(self.resident.set_first_steps(queue, steps)?),
            _ => Err(Error::Stage { stage: STAGE.into(), problem: "its memory is not its own".into() }),
        }
    }
}
