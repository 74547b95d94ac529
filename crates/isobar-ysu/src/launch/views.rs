//! What the kernels read and write, wherever it is: one buffer, or fields of a model's state.

use isobar_core::{Column, Field, FieldMut, Real};
use isobar_launch::rows::{reading, row};
use isobar_launch::{Buffer, Error, Plain, Queue};

use super::Precision;
use crate::{Air, Diagnostics, MixTracers, Options, Scratch, Surface, Tendencies, Ysu, YsuArgs};

/// Views of columns on the device of a queue, in the order of the layout's lists. Fields of layers have one layout,
/// neighbouring items side by side; those of tracers have `tracers` rows a layer.
pub struct Views<'a, R> {
    /// Options of the scheme.
    pub options: Options,
    /// The number of tracers.
    pub tracers: usize,
    /// What is read: the arrays of the batch in their order.
    pub inputs: Vec<Field<'a, R>>,
    /// What is written, in the order of the levels of outputs.
    pub outputs: Vec<FieldMut<'a, R>>,
    /// [`super::MARKS`].
    pub marks: Vec<FieldMut<'a, u32>>,
    /// [`super::levels_of_room`].
    pub room: Vec<FieldMut<'a, R>>,
}

impl<R: Precision> Views<'_, R> {
    /// Runs the kernels; there is a status for each item.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn compute(self, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error> {
        R::compute(self, queue, statuses)
    }
}

impl<R: Real + Plain> Views<'_, R> {
    pub(super) fn compute_any(self, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error> {
        let Self { options, tracers, inputs, outputs, marks, room } = self;
        let (mut inputs, mut outputs) = (inputs.into_iter(), outputs.into_iter());
        let (mut marks, mut room) = (marks.into_iter(), room.into_iter());
        let mut input = || inputs.next().expect("as many as there are levels of inputs");
        let mut output = || outputs.next().expect("as many as there are levels of outputs");
        let mut mark = || marks.next().expect("as many as there are levels of marks");
        let mut scratch = || room.next().unwrap_or_else(FieldMut::empty);

        let (air, interface_pressure) = (air(&mut input), input());
        let (surface, tracer_values) = (surface(&mut input), input());
        let arguments = YsuArgs {
            parameters: options.parameters(),
            air: Air { radiative_heating: if options.top_down { input() } else { Field::empty() }, ..air },
            interface_pressure,
            surface: Surface {
                drag_factor: if options.topographic { row_of(&input()) } else { Column::empty() },
                wind_weight: if options.topographic { row_of(&input()) } else { Column::empty() },
                ..surface
            },
            tendencies: Tendencies {
                u: output(),
                v: output(),
                theta: output(),
                vapour: output(),
                cloud_water: output(),
                cloud_ice: output(),
            },
            diffusivity_heat: output(),
            diffusivity_momentum: output(),
            diagnostics: Diagnostics {
                height: output(),
                level: mark(),
                convective_velocity: output(),
                entrainment_depth: output(),
                u_10m: output(),
                v_10m: output(),
                stress_u: output(),
                stress_v: output(),
                heat: output(),
                latent_heat: output(),
                status: mark(),
            },
            scratch: Scratch { heat: scratch(), moisture: scratch(), momentum: scratch() },
            exchange: scratch(),
            reciprocal: scratch(),
        };
        debug_assert!(arguments.layouts_agree());
        if arguments.has_options() || queue.device().is_cpu() {
            queue.launch(&Ysu::<R, true>(arguments), statuses)?;
        } else {
            queue.launch(&Ysu::<R, false>(arguments), statuses)?;
        }
        if tracers == 0 {
            return Ok(());
        }
        let (layers, items) = (arguments.air.temperature.levels(), tracers * arguments.air.temperature.items());
        let tendencies = output();
        // SAFETY: the rows of a layer's tracers lie side by side, so that the part has a level for each layer. What is
        // read was written by the kernel before.
        let kernel = unsafe {
            MixTracers {
                parameters: options.parameters(),
                exchange: reading(&arguments.exchange),
                reciprocal: reading(&arguments.reciprocal),
                tracers: Field::from_raw(tracer_values.as_ptr(), layers, items, items as isize, 1),
                tendencies: FieldMut::from_raw(tendencies.as_ptr(), layers, items, items as isize, 1),
            }
        };
        queue.launch(&kernel, statuses)
    }
}

/// The views of the air in the order of the layout; the radiative heating comes later.
fn air<'a, R: Real>(next: &mut impl FnMut() -> Field<'a, R>) -> Air<'a, R> {
    Air {
        u: next(),
        v: next(),
        temperature: next(),
        vapour: next(),
        cloud_water: next(),
        cloud_ice: next(),
        pressure: next(),
        exner: next(),
        thickness: next(),
        radiative_heating: Field::empty(),
    }
}

/// The same of the surface; what orography needs comes later.
fn surface<'a, R: Real>(next: &mut impl FnMut() -> Field<'a, R>) -> Surface<'a, R> {
    let mut row = || row_of(&next());
    Surface {
        pressure: row(),
        roughness: row(),
        friction_velocity: row(),
        profile_momentum: row(),
        profile_heat: row(),
        land_or_water: row(),
        sensible_heat_flux: row(),
        moisture_flux: row(),
        wind_speed: row(),
        richardson: row(),
        u_10m: row(),
        v_10m: row(),
        u_current: row(),
        v_current: row(),
        drag_factor: Column::empty(),
        wind_weight: Column::empty(),
    }
}

/// A value a column.
fn row_of<'a, R: Real>(field: &Field<'a, R>) -> Column<'a, R> {
    row(field, field.items())
}
