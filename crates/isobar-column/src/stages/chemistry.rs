//! Chemistry in the layers of columns.

use std::sync::Arc;

use isobar_core::fields::{AnyFieldMut, Extents, InputSet, Kind, OutputSet, SPECIES};
use isobar_core::{Column, Field, FieldMut, Real};
use isobar_launch::{Buffer, Job, Queue, Scheme, Shape};
use isobar_rosenbrock::{
    CellViews, Chemistry as Kinetics, Compiled, DeviceTables, IntegratedViews, Options, RateProgram, Workspace,
};

use super::light::{Light, PhotolysisOptions};
use super::quantity::{PHOTOLYSIS_FACTOR, PRESSURE, TEMPERATURE, TRACERS, WATER};
use crate::cells::{FromCells, NO_ROW, ToCells};
use crate::{Built, Error, Fields, Memory, Precision, Quantity, Stage, State, Step};

/// What chemistry is given besides its mechanism.
#[derive(Clone, Debug)]
pub struct ChemistryOptions<'a> {
    /// Steps and tolerances.
    pub integration: Options,
    /// Mole fraction of each fixed species \[mol/mol\].
    pub fixed_mol_per_mol: Vec<f64>,
    /// The fixed species, by its number among them, that is the column's water vapour, whatever its mole fraction.
    pub vapour: Option<usize>,
    /// Names of the inputs of the rate program, with a value for those that the column does not have. It has `TEMP`
    /// \[K\], `PRESS` \[Pa\], `SUN`, and the molecules of air \[1/cm^3\] ([`part_of_density`]); small letters serve as
    /// well.
    pub inputs: Vec<(&'a str, Option<f64>)>,
    /// What part of the air `CFACTOR` is, if it follows the air.
    pub part_of_air: Option<f64>,
    /// Rates of photolysis; without, `SUN` is the only light.
    pub photolysis: Option<PhotolysisOptions<'a>>,
}

/// What part of the molecules of air \[1/cm^3\] an input of this name is, if it follows them.
#[must_use]
pub fn part_of_density(name: &str, part_of_air: Option<f64>) -> Option<f64> {
    match name.to_lowercase().as_str() {
        "numden" | "cair" | "c_m" => Some(1.0),
        "cfactor" => part_of_air,
        _ => None,
    }
}

/// The kinetics of [`isobar_rosenbrock`] in each layer, with the tracers of the state as the variable species. Of
/// several steps it goes through all in the last one, with the rate constants of the air and the Sun of that one.
pub struct Chemistry<R: Precision> {
    kinetics: Kinetics,
    tables: DeviceTables,
    workspace: Workspace,
    options: Options,
    cells: CellsInPlace,
    fixed: Buffer<f64>,
    /// Which species is the column's vapour, with its mole fractions.
    vapour: Option<(usize, Buffer<R>)>,
    rows: Rows,
    /// Rows of further inputs that follow the molecules of air, with their parts of them.
    parts: Vec<(usize, Buffer<f64>)>,
    light: Option<Light<R>>,
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

impl<R: Precision> Chemistry<R> {
    /// For the columns of a state, which has as many tracers as the mechanism has variable species.
    ///
    /// # Errors
    /// Another number of species, an input that nobody gives, options that do not fit, too many cells, or what the
    /// device answers.
    pub fn new(
        state: &State<R>,
        mechanism: &Arc<Compiled>,
        program: &Arc<RateProgram>,
        options: &ChemistryOptions<'_>,
    ) -> Result<Self, Error> {
        let refuse = |problem: String| Error::Stage { stage: STAGE.into(), problem };
        let sizes = mechanism.tables().sizes();
        let (variable, fixed) = (sizes.variable as usize, sizes.fixed as usize);
        if (variable, fixed) != (state.tracers(), options.fixed_mol_per_mol.len()) {
            return Err(refuse(format!(
                "the mechanism has {variable} variable and {fixed} fixed species; there are {} tracers and {} fixed \
                    fractions",
                state.tracers(),
                options.fixed_mol_per_mol.len()
            )));
        }
        if let Some(number) = options.vapour.filter(|&number| number >= fixed) {
            return Err(refuse(format!("the vapour is fixed species {number}, but there are {fixed}")));
        }
        let count = state.layers() * state.columns();
        let mut inputs = vec![0.0; options.inputs.len() * count];
        let lit: Vec<usize> =
            options.photolysis.iter().flat_map(|options| &options.rates).map(|pair| pair[0] as usize).collect();
        if let Some(row) = lit.iter().find(|&&row| row >= options.inputs.len()) {
            return Err(refuse(format!("photolysis gives input {row}, but there are {}", options.inputs.len())));
        }
        let light = options.photolysis.as_ref().map(|options| Light::new(state, options)).transpose()?;
        let mut rows = Rows { temperature: NO_ROW, pressure: NO_ROW, sun: NO_ROW, air: NO_ROW };
        let mut parts = Vec::new();
        for (i, (name, default)) in options.inputs.iter().enumerate() {
            if let Some(part) = part_of_density(name, options.part_of_air) {
                if part == 1.0 && rows.air == NO_ROW {
                    rows.air = i as u32;
                } else {
                    parts.push((i, state.queue().upload(&[part])?));
                }
                continue;
            }
            let row = match name.to_lowercase().as_str() {
                "temp" => &mut rows.temperature,
                "press" => &mut rows.pressure,
                "sun" => &mut rows.sun,
                _ if lit.contains(&i) => continue,
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
        let kinetics = Kinetics::new(mechanism.clone(), Some(program.clone()));
        let interval = options.integration.over(0.0..0.0);
        let queue = state.queue();
        Kinetics::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let failed = |error: isobar_rosenbrock::Error| refuse(error.to_string());
        let extents = kinetics.extents_of(count, &interval).map_err(failed)?;
        let mut cells = CellsInPlace::new(queue, &extents, &inputs)?;
        let shape = Shape::new(&kinetics, &cells.views().0, &extents, &interval);
        let tables = kinetics.tables(queue)?;
        let workspace = kinetics.workspace(queue, &tables, &shape, count)?;
        let vapour =
            options.vapour.map(|number| Ok::<_, Error>((variable + number, queue.zeros(count)?))).transpose()?;
        let (options, fixed) = (options.integration.clone(), queue.upload(&options.fixed_mol_per_mol)?);
        Ok(Self { kinetics, tables, workspace, options, cells, fixed, vapour, rows, parts, light })
    }
}

/// Memory of cells, which end where they start: a cell's start is read before its end is written.
struct CellsInPlace {
    extents: Extents,
    concentration: Buffer<f64>,
    rate_input: Buffer<f64>,
    first_step_s: Buffer<f64>,
    /// What else there is at the end.
    reals: Buffer<f64>,
    words: Buffer<u32>,
}

impl CellsInPlace {
    /// Cells with these inputs of their rate program.
    fn new(queue: &Queue, extents: &Extents, rate_input: &[f64]) -> Result<Self, isobar_launch::Error> {
        let cells = extents.items();
        let values = |kind| ends_of(kind, extents).iter().sum::<usize>() * cells;
        Ok(Self {
            extents: *extents,
            concentration: queue.zeros(extents.size(SPECIES) * cells)?,
            rate_input: queue.upload(rate_input)?,
            first_step_s: queue.zeros(cells)?,
            reals: queue.zeros(values(Kind::Real))?,
            words: queue.zeros(values(Kind::Word))?,
        })
    }

    /// Concentrations and inputs of the rate program, to write.
    fn starts(&mut self) -> [FieldMut<'_, f64>; 2] {
        let cells = self.extents.items();
        [&mut self.concentration, &mut self.rate_input].map(|values| match values.len() / cells {
            0 => FieldMut::empty(),
            rows => values.item_fastest_mut(rows, cells),
        })
    }

    /// What a step reads and writes.
    fn views(&mut self) -> (CellViews<'_, f64>, IntegratedViews<'_, f64>) {
        let Self { extents, concentration, rate_input, first_step_s, reals, words } = self;
        let cells = extents.items();
        let concentration = concentration.item_fastest_mut(extents.size(SPECIES), cells);
        let first_step = first_step_s.item_fastest_mut(1, cells);
        let mut reals = reals.parts_mut(&ends_of(Kind::Real, extents), cells);
        let mut words = words.parts_mut(&ends_of(Kind::Word, extents), cells);
        let ends = IntegratedViews::build(&mut |declared| match (declared.name, declared.kind) {
            ("concentration", _) => AnyFieldMut::Real(concentration),
            ("first_step_s", _) => AnyFieldMut::Real(first_step),
            (_, Kind::Real) => AnyFieldMut::Real(reals.next().expect("a part a field")),
            (_, Kind::Word) => AnyFieldMut::Word(words.next().expect("a part a field")),
        });
        let starts = CellViews {
            // SAFETY: a cell's start is read before its end is written, and by nobody else.
            concentration: unsafe { concentration.read() },
            rate_constant: Field::empty(),
            rate_input: match rate_input.len() / cells {
                0 => Field::empty(),
                rows => rate_input.item_fastest(rows, cells),
            },
            // SAFETY: as above.
            first_step_s: unsafe { first_step.read() }.row(0),
            ..CellViews::empty()
        };
        (starts, ends)
    }
}

/// The rows of what cells end with besides concentrations and first steps, those of a kind.
fn ends_of(kind: Kind, extents: &Extents) -> Vec<usize> {
    let declared = IntegratedViews::<f64>::DECLARED.iter();
    let ends = declared.filter(|ends| ends.kind == kind && !["concentration", "first_step_s"].contains(&ends.name));
    ends.map(|ends| extents.rows(ends.shape)).collect()
}

impl<R: Precision> Stage<R> for Chemistry<R> {
    fn name(&self) -> &str {
        STAGE
    }

    fn reads(&self) -> Vec<Quantity> {
        let mut reads = vec![TEMPERATURE, PRESSURE, PHOTOLYSIS_FACTOR, TRACERS];
        reads.extend(self.vapour.as_ref().map(|_| WATER));
        for quantity in self.light.iter().flat_map(Light::reads) {
            if !reads.contains(&quantity) {
                reads.push(quantity);
            }
        }
        reads
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![TRACERS]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let (temperature_k, pressure_pa) = (fields.read(TEMPERATURE)?, fields.read(PRESSURE)?);
        let tracers = fields.write(TRACERS)?;
        // SAFETY: nobody writes the tracers before the cells are integrated.
        let before = unsafe { tracers.read() };
        let [concentrations_per_cm3, inputs] = self.cells.starts();
        let kernel = ToCells {
            temperature_k,
            pressure_pa,
            photolysis_factor: fields.read_column(PHOTOLYSIS_FACTOR)?,
            tracers: before,
            fixed: if self.fixed.is_empty() { Column::empty() } else { self.fixed.column() },
            concentrations_per_cm3,
            inputs,
            temperature_row: self.rows.temperature,
            pressure_row: self.rows.pressure,
            sun_row: self.rows.sun,
            air_row: self.rows.air,
        };
        fields.launch_built(&Built::ToCells(kernel))?;
        // The same kernel for a row alone: of a species by its mole fractions, or of a fixed part of the air.
        let row_alone = ToCells {
            fixed: Column::empty(),
            inputs: FieldMut::empty(),
            temperature_row: NO_ROW,
            pressure_row: NO_ROW,
            sun_row: NO_ROW,
            air_row: NO_ROW,
            ..kernel
        };
        if let Some((species, fractions)) = &mut self.vapour {
            let (layers, columns) = (fields.layers(), fields.columns());
            let of_dry = fields.values_on_host(WATER)?;
            // Of all molecules, as fractions of the other species are taken.
            let of_all = |water: R| <R as Real>::from_f64(water.value() / (1.0 + water.value()));
            let of_all: Vec<R> = of_dry.into_iter().map(of_all).collect();
            fields.put_on_device(&of_all, fractions)?;
            let tracers = fractions.item_fastest(layers, columns);
            let concentrations_per_cm3 = concentrations_per_cm3.every(*species, 1, 1);
            fields.launch_built(&Built::ToCells(ToCells { tracers, concentrations_per_cm3, ..row_alone }))?;
        }
        for (row, part) in &self.parts {
            let concentrations_per_cm3 = inputs.every(*row, 1, 1);
            let (tracers, fixed) = (Field::empty(), part.column());
            fields.launch_built(&Built::ToCells(ToCells { tracers, fixed, concentrations_per_cm3, ..row_alone }))?;
        }
        if let Some(light) = &mut self.light {
            light.put(fields, step, before, inputs)?;
        }
        let interval = self.options.over(step.time_s..step.time_s + step.every as f64 * step.length_s);
        let (extents, queue) = (self.cells.extents, fields.queue());
        let (inputs, ends) = self.cells.views();
        let (tables, workspace) = (&self.tables, &mut self.workspace);
        self.kinetics.enqueue(Job { queue, tables, workspace, options: &interval, extents, inputs, outputs: ends })?;
        // SAFETY: nobody writes what cells ended with before the next step.
        let (concentrations_per_cm3, status) = unsafe { (ends.concentration.read(), ends.status.read()) };
        let (cell_status, words, step) = (status.row(0), fields.words(), step.short_number());
        let kernel =
            FromCells { step, temperature_k, pressure_pa, concentrations_per_cm3, cell_status, tracers, words };
        fields.launch_built(&Built::FromCells(kernel))
    }

    fn advances(&self) -> bool {
        true
    }

    fn memory(&self, queue: &Queue) -> Result<Memory, Error> {
        Ok(vec![(FIRST_STEPS, queue.to_host(&self.cells.first_step_s)?)])
    }

    fn recall(&mut self, queue: &Queue, memory: &Memory) -> Result<(), Error> {
        match memory.as_slice() {
            [(FIRST_STEPS, steps)] => Ok(queue.upload_into(steps, &mut self.cells.first_step_s)?),
            _ => Err(Error::Stage { stage: STAGE.into(), problem: "its memory is not its own".into() }),
        }
    }
}
