//! Long-wave radiation.

use isobar_core::fields::{AnyField, AnyFieldMut, BAND, Declared, Extents, InputSet, Kind, LAYER, OutputSet};
use isobar_core::{Field, FieldMut};
use isobar_launch::{Buffer, Given, Job, Scheme, Shape};
use isobar_longwave::{Buffers, ColumnViews, DeviceTables, FluxViews, Longwave as Radiation, Options, constants};

use super::quantity::{OZONE, TRACERS};
use crate::constants::{GRAVITY, HEAT_CAPACITY};
use crate::rcemip;
use crate::{Error, Fields, Precision, Quantity, Stage, State, Step};

/// What is read of the state.
const READ: [&str; 6] =
    ["level_pressure_pa", "pressure_pa", "temperature_k", "level_temperature_k", "surface_temperature_k", "h2o"];
/// What has one value for all: the options' gases, and the emissivity.
const ONES: [&str; 6] = ["co2", "n2o", "co", "ch4", "o2", "emissivity"];

/// Where ozone comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ozone {
    /// The field [`OZONE`].
    #[default]
    Field,
    /// The tracer of this number.
    Tracer(usize),
}

/// Gases that are mixed well, and the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongwaveOptions {
    /// Ozone.
    pub ozone: Ozone,
    /// Mole fractions of carbon dioxide, nitrous oxide, carbon monoxide, methane and oxygen \[mol/mol\].
    pub mixed_mol_per_mol: [f64; 5],
    /// Emissivity of the surface, 0 to 1.
    pub emissivity: f64,
}

/// RCEMIP's gases and a black surface.
impl Default for LongwaveOptions {
    fn default() -> Self {
        Self {
            ozone: Ozone::Field,
            mixed_mol_per_mol: [rcemip::CO2, rcemip::N2O, 0.0, rcemip::CH4, 0.209],
            emissivity: 1.0,
        }
    }
}

/// Long-wave fluxes and heating under clear sky, as [`isobar_longwave`] has them. Heat capacity and gravity are the
/// column model's, so that the heating is the divergence of the fluxes there.
pub struct Longwave<R: Precision> {
    scheme: Radiation<R>,
    shape: Shape<Radiation<R>>,
    tables: DeviceTables<R>,
    workspace: Buffers<R>,
    /// The values of [`ONES`].
    ones: Buffer<R>,
    ozone: Ozone,
}

impl<R: Precision> Longwave<R> {
    /// With a k-distribution, for the columns of a state.
    ///
    /// # Errors
    /// A tracer that is not there, mole fractions or an emissivity out of range, or what the device answers.
    pub fn new(state: &State<R>, scheme: &Radiation<R>, options: &LongwaveOptions) -> Result<Self, Error> {
        let refuse = |problem: String| Err(Error::Stage { stage: "longwave".into(), problem });
        if let Ozone::Tracer(number) = options.ozone
            && number >= state.tracers()
        {
            return refuse(format!("there is no tracer {number}: there are {}", state.tracers()));
        }
        let ones: Vec<f64> = options.mixed_mol_per_mol.into_iter().chain([options.emissivity]).collect();
        if let Some(value) = ones.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            return refuse(format!("{value} is no mole fraction or emissivity in [0, 1]"));
        }
        let heat_capacity_j_per_kg_k = constants::GRAVITY / GRAVITY * HEAT_CAPACITY;
        let options_of_scheme = Options { heat_capacity_j_per_kg_k, ..Options::default() };
        let extents = Extents::default().with(LAYER, state.layers()).with(BAND, scheme.tables().bands.len());
        let given = |declared: &Declared| match declared.name {
            name if READ.contains(&name) || name == "o3" => Given::Rows(extents.rows(declared.shape)),
            name if ONES.contains(&name) => Given::One,
            _ => Given::Nothing,
        };
        let shape = Shape {
            extents,
            given: ColumnViews::<R>::DECLARED.iter().map(given).collect(),
            wanted: FluxViews::<R>::DECLARED.iter().map(|declared| written(&options_of_scheme, declared)).collect(),
            options: options_of_scheme,
        };
        let queue = state.queue();
        <Radiation<R> as Scheme>::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let tables = Scheme::tables(scheme, queue)?;
        let workspace = scheme.workspace(queue, &tables, &shape, state.columns())?;
        let ones: Vec<R> = ones.into_iter().map(R::from_f64).collect();
        let ones = queue.upload(&ones)?;
        Ok(Self { scheme: scheme.clone(), shape, tables, workspace, ones, ozone: options.ozone })
    }
}

/// Is it among the results of clear sky?
fn written(options: &Options, declared: &Declared) -> bool {
    declared.kind == Kind::Real && options.wants(declared, false)
}

impl<R: Precision> Stage<R> for Longwave<R> {
    fn name(&self) -> &str {
        "longwave"
    }

    fn reads(&self) -> Vec<Quantity> {
        let read = ColumnViews::<R>::DECLARED.iter().filter(|declared| READ.contains(&declared.name));
        let ozone = if self.ozone == Ozone::Field { OZONE } else { TRACERS };
        read.map(Quantity::of).chain([ozone]).collect()
    }

    fn writes(&self) -> Vec<Quantity> {
        let written = FluxViews::<R>::DECLARED.iter().filter(|declared| written(&self.shape.options, declared));
        written.map(Quantity::of).collect()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let Self { scheme, shape, tables, workspace, ones, ozone } = self;
        let columns = fields.columns();
        let ozone = match *ozone {
            Ozone::Field => fields.read(OZONE)?,
            Ozone::Tracer(number) => fields.read(TRACERS)?.range(number * columns..(number + 1) * columns),
        };
        let extents = shape.extents.with_items(columns);
        let mut failure = None;
        let inputs = ColumnViews::build(&mut |declared| {
            let one = ONES.iter().position(|&name| name == declared.name);
            let view = match (declared.kind, declared.name, one) {
                (Kind::Word, ..) => return AnyField::Word(Field::empty()),
                (_, "o3", _) => Ok(ozone),
                (_, _, Some(index)) => Ok(ones.constant(index, extents.rows(declared.shape), columns)),
                (_, name, _) if READ.contains(&name) => fields.read(Quantity::of(declared)),
                _ => Ok(Field::empty()),
            };
            AnyField::Real(view.unwrap_or_else(|error| {
                failure.get_or_insert(error);
                Field::empty()
            }))
        });
        let outputs = FluxViews::build(&mut |declared| match declared.kind {
            Kind::Real if written(&shape.options, declared) => {
                let view = fields.write(Quantity::of(declared));
                AnyFieldMut::Real(view.unwrap_or_else(|error| {
                    failure.get_or_insert(error);
                    FieldMut::empty()
                }))
            }
            Kind::Real => AnyFieldMut::Real(FieldMut::empty()),
            Kind::Word => AnyFieldMut::Word(FieldMut::empty()),
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let job = Job { queue: fields.queue(), tables, workspace, options: &shape.options, extents, inputs, outputs };
        Ok(scheme.enqueue(job)?)
    }
}
