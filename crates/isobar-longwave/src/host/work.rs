//! Which kernels run in which order, whoever runs them.

use isobar_core::{Field, FieldMut, Kernel, Real};

use crate::angles::slants;
use crate::arguments::{
    self, AddSlant, CloudMask, LayerStates, Layers, ListTerms, Slants, Sources, Spread, Sweeps, Totals, Transfer,
    TransferArgs,
};
use crate::clouds::Clouds;
use crate::constants::{DAY_S, GRAVITY};
use crate::fluxes::Fluxes;
use crate::host::inputs::{Inputs, row};
use crate::host::options::{Options, Solver, Transmittance};
use crate::jump::Jumps;
use crate::tables::Tables;

/// Whoever runs kernels, one after the other: a loop, threads, the queue of a device.
pub trait Launcher {
    /// What can go wrong.
    type Error;

    /// Computes all items. Their statuses are those of the columns from `first` on; without it they are not wanted.
    ///
    /// # Errors
    /// What the launcher cannot do.
    fn launch<K: Kernel>(&mut self, kernel: &K, first: Option<usize>) -> Result<(), Self::Error>;

    /// Does a GPU run them? [`Transfer`] of one sky only is compiled for CPUs.
    fn is_gpu(&self) -> bool {
        false
    }
}

/// Memory for what kernels leave to each other, of some columns at a time.
#[derive(Clone, Copy, Debug)]
pub struct Room<'a, R> {
    /// What [`Layers`] leaves; its columns are those that are computed at a time.
    pub states: LayerStates<'a, R>,
    /// Masks, where they are generated.
    pub mask: FieldMut<'a, u32>,
    /// What [`CloudMask`] needs for itself.
    pub follows: FieldMut<'a, f64>,
    /// Memory of the kernels of [`crate::spread`]; without items where they are not to be taken, as on a CPU.
    pub spread: Spread<'a, R>,
    /// Results of one of several angles.
    pub slant: Fluxes<'a, R>,
}

/// A batch on one device.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// The columns.
    pub inputs: Inputs<'a, R>,
    /// Memory.
    pub room: Room<'a, R>,
    /// Results.
    pub fluxes: Fluxes<'a, R>,
}

impl<'a, R: Real> Work<'a, R> {
    /// Computes all columns, as many at a time as the workspace is for. The options are valid.
    ///
    /// # Errors
    /// Those of the launcher.
    pub fn compute<L: Launcher>(&self, options: &Options, launcher: &mut L) -> Result<(), L::Error> {
        let (count, most) = (self.inputs.columns(), self.room.states.indices.items());
        for first in (0..count).step_by(most) {
            let columns = first..count.min(first + most);
            let here = 0..columns.len();
            let (room, states) = (&self.room, &self.room.states);
            let some = Self {
                tables: self.tables,
                inputs: self.inputs.range(&columns),
                room: Room {
                    states: LayerStates {
                        values: states.values.range(here.clone()),
                        indices: states.indices.range(here.clone()),
                        lower_layers: states.lower_layers.range(here.clone()),
                        precipitable_water: states.precipitable_water.range(here.clone()),
                        secants: states.secants.range(here.clone()),
                    },
                    mask: room.mask.range(here.clone()),
                    follows: room.follows.range(here.clone()),
                    spread: room.spread.range(&here),
                    slant: room.slant.range(&here),
                },
                fluxes: self.fluxes.range(&columns),
            };
            some.compute_some(options, first, launcher)?;
        }
        Ok(())
    }

    fn compute_some<L: Launcher>(&self, options: &Options, first: usize, launcher: &mut L) -> Result<(), L::Error> {
        if let Some(kernel) = self.cloud_mask(options) {
            launcher.launch(&kernel, None)?;
        }
        launcher.launch(&self.layers(), None)?;
        launcher.launch(&self.slants(), None)?;
        let spread = self.room.spread;
        let spread = (!spread.is_empty()).then_some(spread);
        if let Some(spread) = spread {
            launcher.launch(&self.list_terms(spread), None)?;
        }
        let slants = slants(options.slants).expect("the options are valid");
        if let [(secant, _)] = slants {
            return launch(self.transfer(options, *secant), spread, launcher, first);
        }
        for (number, &(secant, weight)) in slants.iter().enumerate() {
            let arguments = TransferArgs { fluxes: self.room.slant, ..self.transfer(options, secant) };
            launch(arguments, spread, launcher, first)?;
            let (values, sums) = (self.room.slant.fields(), self.fluxes.fields());
            for (values, sums) in values.iter().zip(sums).filter(|(values, _)| !values.is_empty()) {
                let (weight, first) = (R::from_f64(weight), u32::from(number == 0));
                // SAFETY: the transfer is over, and writes again after the sum.
                let values = unsafe { reading(values) };
                launcher.launch(&AddSlant { values, sums, weight, first }, None)?;
            }
        }
        Ok(())
    }

    /// The kernel of masks; nothing where they are given, or not needed.
    fn cloud_mask(&self, options: &Options) -> Option<CloudMask<'a, R>> {
        let clouds = self.inputs.clouds.as_ref().filter(|_| !self.room.mask.is_empty())?;
        let [thickness, latitude] = self.inputs.spread;
        let choice = &options.subcolumns;
        let (length_m, centre_deg) = choice.decorrelation.parameters();
        Some(CloudMask {
            overlap: choice.overlap.number(),
            skip: choice.seed,
            jumps: Jumps::new(choice.overlap.number(), clouds.fraction.levels()),
            points: self.tables.points,
            pressure: self.inputs.air.pressure,
            fraction: clouds.fraction,
            thickness,
            latitude,
            length_m,
            centre_deg,
            follows: self.room.follows,
            mask: self.room.mask,
        })
    }

    /// The kernel of layers.
    #[must_use]
    pub fn layers(&self) -> Layers<'a, R> {
        Layers { tables: self.tables, air: self.inputs.air, states: self.room.states }
    }

    /// The kernel of diffusivity angles, which comes after it.
    #[must_use]
    pub fn slants(&self) -> Slants<'a, R> {
        Slants { tables: self.tables, level_pressure: self.inputs.air.level_pressure, states: self.room.states }
    }

    /// What the optics read.
    #[must_use]
    pub fn sources(&self) -> Sources<'a, R> {
        Sources {
            tables: self.tables,
            states: self.room.states,
            temperature: self.inputs.air.temperature,
            level_temperature: self.inputs.level_temperature,
            aerosol: self.inputs.aerosol,
        }
    }

    /// The kernel of lists.
    fn list_terms(&self, spread: Spread<'a, R>) -> ListTerms<'a, R> {
        ListTerms { sources: self.sources(), clouds: self.clouds().unwrap_or_else(Clouds::none), spread }
    }

    /// Clouds with their mask.
    fn clouds(&self) -> Option<Clouds<'a, R>> {
        self.inputs.clouds.map(|clouds| match self.room.mask.is_empty() {
            true => clouds,
            // SAFETY: the kernel of masks comes first.
            false => Clouds { mask: unsafe { reading(&self.room.mask) }, ..clouds },
        })
    }

    /// The arguments of transfer along the angle of this secant; 0 for the diffusivity angles.
    #[must_use]
    pub fn transfer(&self, options: &Options, secant: f64) -> TransferArgs<'a, R> {
        let clouds = self.clouds();
        TransferArgs {
            sources: self.sources(),
            level_pressure: self.inputs.air.level_pressure,
            surface_temperature: row(&self.inputs.surface_temperature),
            emissivity: self.inputs.emissivity,
            clouds: clouds.unwrap_or_else(Clouds::none),
            heating_factor: R::from_f64(GRAVITY * DAY_S / (options.heat_capacity * 100.0)),
            secant: R::from_f64(secant),
            sky: match options.solver {
                _ if clouds.is_none() => arguments::CLEAR,
                Solver::Subcolumns => arguments::SUBCOLUMNS,
                Solver::Random => arguments::RANDOM,
                Solver::MaximumRandom => arguments::MAXIMUM_RANDOM,
            },
            table: u32::from(options.transmittance == Transmittance::Table),
            fluxes: self.fluxes,
        }
    }
}

/// The fast kernels where there are any; those that leave much to each other where there is memory for it.
fn launch<R: Real, L: Launcher>(
    arguments: TransferArgs<'_, R>,
    spread: Option<Spread<'_, R>>,
    launcher: &mut L,
    first: usize,
) -> Result<(), L::Error> {
    if let Some(spread) = spread {
        if arguments.sky == arguments::CLEAR {
            launcher.launch(&Sweeps::<R, { arguments::CLEAR }> { arguments, spread }, None)?;
        } else {
            launcher.launch(&Sweeps::<R, { arguments::SUBCOLUMNS }> { arguments, spread }, None)?;
        }
        return launcher.launch(&Totals { arguments, spread }, Some(first));
    }
    match (arguments.sky, arguments.table) {
        _ if launcher.is_gpu() => launcher.launch(&Transfer::<R, { arguments::ANY }>(arguments), Some(first)),
        (arguments::CLEAR, 0) => launcher.launch(&Transfer::<R, { arguments::CLEAR }>(arguments), Some(first)),
        (arguments::SUBCOLUMNS, 0) => {
            launcher.launch(&Transfer::<R, { arguments::SUBCOLUMNS }>(arguments), Some(first))
        }
        _ => launcher.launch(&Transfer::<R, { arguments::ANY }>(arguments), Some(first)),
    }
}

/// What a kernel wrote, for the next to read.
///
/// # Safety
/// Nobody writes while the view is read.
unsafe fn reading<'a, T: Copy>(field: &FieldMut<'a, T>) -> Field<'a, T> {
    let (level, item) = field.strides();
    // SAFETY: as the view itself.
    unsafe { Field::from_raw(field.as_ptr(), field.levels(), field.items(), level, item) }
}
