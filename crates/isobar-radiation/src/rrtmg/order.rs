//! Which kernels run in which order, whoever runs them.

use isobar_core::{Kernel, Real};

use crate::host::options::{CloudSolver, Options};
use crate::rrtmg::angles::Slant;
use crate::rrtmg::arguments::{
    self, AddSlant, CloudEntries, CloudMask, Layers, ListTerms, Slants, Sources, Spread, Sweeps, Totals, Transfer,
    TransferArgs,
};
use crate::rrtmg::clouds::Clouds;
use crate::rrtmg::constants::{DAY_S, GRAVITY};
use crate::rrtmg::host::options::Transmittance;
use crate::rrtmg::jump::Jumps;
use crate::rrtmg::tables::Tables;
use crate::rrtmg::views::{ColumnViews, FluxViews};
use crate::rrtmg::workspace::Workspace;

/// Whoever runs kernels, one after the other: a loop, or the queue of a device.
pub(crate) trait Launcher {
    /// What can go wrong.
    type Error;

    /// Is it known, when kernels are compiled, that those of [`crate::rrtmg::spread`] are taken, or not?
    const SPREAD: Option<bool>;

    /// Computes all items.
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error>;

    /// Does a GPU run them? [`Transfer`] of one sky only is compiled for CPUs.
    fn is_gpu(&self) -> bool;
}

/// Columns on one device, for which the workspace has memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work<'a, R> {
    pub(crate) tables: Tables<'a, R>,
    pub(crate) columns: ColumnViews<'a, R>,
    pub(crate) workspace: Workspace<'a, R>,
    /// As in [`Clouds::diameters`].
    diameters: u32,
    /// What is wanted.
    all_fluxes: FluxViews<'a, R>,
    /// What transfer computes: under a clear sky that alone, and not twice.
    fluxes: FluxViews<'a, R>,
}

impl<'a, R: Real> Work<'a, R> {
    pub(crate) fn new(
        tables: Tables<'a, R>,
        columns: ColumnViews<'a, R>,
        workspace: Workspace<'a, R>,
        (all_fluxes, diameters): (FluxViews<'a, R>, bool),
    ) -> Self {
        let fluxes = if columns.is_cloudy() { all_fluxes } else { all_fluxes.without_clear() };
        let diameters = u32::from(diameters);
        Self { tables, columns, workspace, diameters, all_fluxes, fluxes }
    }

    /// Computes all columns, which are valid, with options that are.
    pub(crate) fn compute<L: Launcher>(&self, options: &Options, launcher: &mut L) -> Result<(), L::Error> {
        if !self.workspace.mask.is_empty() {
            launcher.launch(&self.cloud_mask(options))?;
        }
        if !self.workspace.entries.is_empty() {
            launcher.launch(&self.cloud_entries(options))?;
        }
        self.states(launcher)?;
        if const { !matches!(L::SPREAD, Some(false)) } {
            let (clouds, spread) = (self.clouds(options), self.workspace.spread);
            if !spread.is_empty() {
                launcher.launch(&ListTerms { sources: self.sources(), clouds, spread })?;
            }
        }
        self.along_angles(options, launcher)?;
        if self.columns.is_cloudy() {
            return Ok(());
        }
        for [all_sky, clear_sky] in self.all_fluxes.skies() {
            if !clear_sky.is_empty() {
                // SAFETY: the transfer is over.
                let values = unsafe { all_sky.read() };
                launcher.launch(&AddSlant { values, sums: clear_sky, weight: R::ONE, first: 1 })?;
            }
        }
        Ok(())
    }

    /// Fluxes along the angles of the options.
    fn along_angles<L: Launcher>(&self, options: &Options, launcher: &mut L) -> Result<(), L::Error> {
        let slants = options.slants().expect("the options are valid");
        if let [Slant { secant, .. }] = slants[..] {
            return self.launch(self.transfer(options, secant), launcher);
        }
        let slant = self.workspace.slant.range(&(0..self.columns.columns()));
        let slant = FluxViews { status: self.fluxes.status, ..slant };
        for (number, &Slant { secant, weight }) in slants.iter().enumerate() {
            self.launch(TransferArgs { fluxes: slant, ..self.transfer(options, secant) }, launcher)?;
            for (values, sums) in slant.results().into_iter().zip(self.fluxes.results()) {
                if sums.is_empty() {
                    continue;
                }
                let (weight, first) = (R::from_f64(weight), u32::from(number == 0));
                // SAFETY: the transfer is over, and writes again after the sum.
                let values = unsafe { values.read() };
                launcher.launch(&AddSlant { values, sums, weight, first })?;
            }
        }
        Ok(())
    }

    /// Computes what the optics need of layers and columns.
    pub(crate) fn states<L: Launcher>(&self, launcher: &mut L) -> Result<(), L::Error> {
        launcher.launch(&self.layers())?;
        launcher.launch(&Slants { tables: self.tables, columns: self.columns, states: self.workspace.states })
    }

    fn cloud_mask(&self, options: &Options) -> CloudMask<'a, R> {
        let (length_m, centre_deg) = options.rrtmg.decorrelation.parameters();
        CloudMask {
            overlap: options.overlap.number(),
            skip: options.rrtmg.seed,
            jumps: Jumps::new(options.overlap.number(), self.columns.layers()),
            points: self.tables.points,
            columns: self.columns,
            length_m,
            centre_deg,
            follows: self.workspace.follows,
            mask: self.workspace.mask,
        }
    }

    fn cloud_entries(&self, options: &Options) -> CloudEntries<'a, R> {
        CloudEntries {
            columns: self.columns,
            ice: options.rrtmg.ice.flag(),
            liquid: options.rrtmg.liquid.flag(),
            bands: self.tables.band_count() as u32,
            entries: self.workspace.entries,
        }
    }

    /// The kernel of layers.
    pub(crate) fn layers(&self) -> Layers<'a, R> {
        Layers { tables: self.tables, columns: self.columns, states: self.workspace.states }
    }

    /// What the optics read.
    pub(crate) fn sources(&self) -> Sources<'a, R> {
        Sources { tables: self.tables, states: self.workspace.states, columns: self.columns }
    }

    fn clouds(&self, options: &Options) -> Clouds<'a> {
        let Workspace { mask, entries, .. } = self.workspace;
        // SAFETY: their kernels come first.
        let (entries, mask) =
            unsafe { (entries.read(), if mask.is_empty() { self.columns.cloud_mask } else { mask.read() }) };
        Clouds {
            entries,
            mask,
            words: self.tables.points.div_ceil(32),
            ice: options.rrtmg.ice.flag(),
            liquid: options.rrtmg.liquid.flag(),
            diameters: self.diameters,
        }
    }

    /// The arguments of transfer along the angle of this secant; 0 for the diffusivity angles.
    fn transfer(&self, options: &Options, secant: f64) -> TransferArgs<'a, R> {
        TransferArgs {
            sources: self.sources(),
            clouds: self.clouds(options),
            heating_factor: R::from_f64(GRAVITY * DAY_S / (options.heat_capacity_j_per_kg_k * 100.0)),
            secant: R::from_f64(secant),
            sky: match options.cloud_solver {
                _ if !self.columns.is_cloudy() => arguments::CLEAR,
                CloudSolver::Fractions if options.is_maximum_random() => arguments::MAXIMUM_RANDOM,
                CloudSolver::Fractions => arguments::RANDOM,
                CloudSolver::McIca | CloudSolver::Tripleclouds => arguments::SUBCOLUMNS,
            },
            table: u32::from(options.rrtmg.transmittance == Transmittance::Table),
            fluxes: self.fluxes,
        }
    }

    /// The fast kernels where there are any; those that leave much to each other where there is memory for it.
    #[allow(clippy::collapsible_if, reason = "kernels behind a condition that is a constant are not compiled")]
    fn launch<L: Launcher>(&self, arguments: TransferArgs<'a, R>, launcher: &mut L) -> Result<(), L::Error> {
        let spread: Spread<'_, R> = self.workspace.spread;
        if const { !matches!(L::SPREAD, Some(false)) } {
            if !spread.is_empty() {
                if arguments.sky == arguments::CLEAR {
                    launcher.launch(&Sweeps::<R, { arguments::CLEAR }> { arguments, spread })?;
                } else {
                    launcher.launch(&Sweeps::<R, { arguments::SUBCOLUMNS }> { arguments, spread })?;
                }
                return launcher.launch(&Totals { arguments, spread });
            }
        }
        if const { matches!(L::SPREAD, Some(true)) } {
            unreachable!("there is memory for them");
        }
        if const { L::SPREAD.is_some() } {
            // In any type of numbers: one kernel is enough to compile.
            return launcher.launch(&Transfer::<R, { arguments::ANY }>(arguments));
        }
        match (arguments.sky, arguments.table) {
            _ if launcher.is_gpu() => launcher.launch(&Transfer::<R, { arguments::ANY }>(arguments)),
            (arguments::CLEAR, 0) => launcher.launch(&Transfer::<R, { arguments::CLEAR }>(arguments)),
            (arguments::SUBCOLUMNS, 0) => launcher.launch(&Transfer::<R, { arguments::SUBCOLUMNS }>(arguments)),
            _ => launcher.launch(&Transfer::<R, { arguments::ANY }>(arguments)),
        }
    }
}
