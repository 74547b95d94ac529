//! Which kernels run in which order, whoever runs them, and what they leave to each other.

#[cfg(feature = "launch")]
use isobar_core::CountedBytes;
use isobar_core::{Field, FieldMut, Kernel, Real, WorkMemory};
use isobar_optics::GasStates;
use isobar_optics::state::States;
use isobar_optics::tables::{GasTables, Model};

use crate::arguments::{
    ANY_SKY, BAND_SUMS, BandTotals, BandViews, CLEAR, CLOUDY, LongwaveSweeps, LongwaveTwoStream, RESCALED, SUMS,
    ShortwaveSweeps, SpectrumViews, Sweep, Totals, TripleLongwaveSweeps, TripleShortwaveSweeps,
};
use crate::cloud_tables::CloudTables;
use crate::fields::{ColumnViews, FluxViews};
use crate::host::options::{CloudSolver, DeltaScaling, LongwaveScattering, Options};
use crate::schedule::{longwave, longwave_two_stream, shortwave, triple_longwave, triple_shortwave};

/// Whoever runs kernels, one after the other.
pub(crate) trait Launcher {
    /// What can go wrong.
    type Error;

    /// Computes all items.
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error>;
}

/// A spectrum on one device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables<'a, R> {
    pub(crate) gases: GasTables<'a, R>,
    pub(crate) clouds: CloudTables<'a, R>,
    pub(crate) irradiance_w_per_m2: f64,
}

/// What a column has of the memory that kernels share: numbers and words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) numbers: usize,
    pub(crate) words: usize,
    pub(crate) sums: usize,
    /// Sums of bands.
    pub(crate) band_sums: usize,
    /// What a GPU's warps keep.
    pub(crate) saved: usize,
    /// The most items of a kernel, of 32 columns.
    pub(crate) items: usize,
}

impl Rows {
    /// For a spectrum and columns of `layers` layers.
    pub(crate) fn new<R: Real>(tables: &GasTables<'_, R>, layers: usize, options: &Options, gpu: bool) -> Self {
        let layout = GasStates::layout(tables, layers);
        let segments = tables.segments as usize;
        let triple = options.cloud_solver == CloudSolver::Tripleclouds;
        let saved = match options.longwave_scattering {
            // They are more than those without clouds.
            _ if triple && tables.is_longwave() => triple_longwave::rows(layers),
            _ if triple => triple_shortwave::rows(layers),
            _ if !tables.is_longwave() => shortwave::rows(layers),
            LongwaveScattering::None => longwave::rows(CLEAR, layers),
            LongwaveScattering::Rescaled => longwave::rows(RESCALED, layers),
            LongwaveScattering::TwoStream => longwave_two_stream::rows(layers),
        };
        Self {
            numbers: layout.numbers(),
            words: layout.words(),
            sums: segments * (layers + 1) * SUMS,
            band_sums: if options.band_fluxes { tables.flux_runs.len() * (layers + 1) * BAND_SUMS } else { 0 },
            saved: if gpu { segments * saved * isobar_core::kernel::WARP } else { 0 },
            items: (32 * segments).max(layers.div_ceil(32) * 32).max(layers + 1),
        }
    }

    /// For either of two.
    #[cfg(feature = "launch")]
    pub(crate) fn either(self, other: Self) -> Self {
        Self {
            numbers: self.numbers.max(other.numbers),
            words: self.words.max(other.words),
            sums: self.sums.max(other.sums),
            band_sums: self.band_sums.max(other.band_sums),
            saved: self.saved.max(other.saved),
            items: self.items.max(other.items),
        }
    }

    /// Bytes of a column.
    #[cfg(feature = "launch")]
    pub(crate) fn bytes<R: Real>(&self) -> usize {
        let mut counted = CountedBytes(self.items.div_ceil(32) * size_of::<u32>());
        // SAFETY: nobody uses the views.
        unsafe { Workspace::<R>::new(self, 1, &mut counted) };
        counted.0
    }
}

/// Views of that memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace<'a, R> {
    pub(crate) states: States<'a, R>,
    pub(crate) sums: FieldMut<'a, R>,
    pub(crate) band_sums: FieldMut<'a, R>,
    pub(crate) saved: FieldMut<'a, R>,
}

impl<R: Real> Workspace<'_, R> {
    /// That of some of the columns.
    ///
    /// # Safety
    /// Views are used only while the memory lives.
    pub(crate) unsafe fn new(rows: &Rows, columns: usize, memory: &mut impl WorkMemory) -> Self {
        // SAFETY: the caller's.
        unsafe {
            Self {
                states: States {
                    numbers: memory.level_fastest(rows.numbers, columns),
                    words: memory.level_fastest(rows.words, columns),
                },
                sums: memory.level_fastest(rows.sums, columns),
                band_sums: memory.level_fastest(rows.band_sums, columns),
                saved: memory.level_fastest(rows.saved, columns),
            }
        }
    }
}

/// Columns on one device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work<'a, R> {
    pub(crate) columns: ColumnViews<'a, R>,
    pub(crate) fluxes: FluxViews<'a, R>,
    pub(crate) workspace: Workspace<'a, R>,
}

impl<'a, R: Real> ColumnViews<'a, R> {
    /// What the kernels of a spectrum are given, with clouds or without, and with sums by band or without.
    pub(crate) fn sweep(
        mut self,
        tables: &Tables<'a, R>,
        options: &Options,
        workspace: Workspace<'a, R>,
        (cloudy, bands): (bool, bool),
    ) -> Sweep<'a, R> {
        if !cloudy {
            self.cloud_fraction = Field::empty();
        }
        // What the spectrum has no table of is nowhere: it was checked. Kernels know by the path what there is.
        if !cloudy || tables.clouds.rain.table.is_empty() {
            self.rain_path_g_per_m2 = Field::empty();
        }
        if !cloudy || tables.clouds.snow.table.is_empty() {
            self.snow_path_g_per_m2 = Field::empty();
        }
        if !self.aerosol_optical_depth_longwave.is_empty() {
            // Kernels know by the albedo what it is.
            self.aerosol_absorption_longwave = self.aerosol_optical_depth_longwave;
        }
        Sweep {
            tables: tables.gases,
            states: workspace.states,
            columns: self,
            clouds: tables.clouds,
            saved: workspace.saved,
            sums: workspace.sums,
            band_sums: if bands { workspace.band_sums } else { FieldMut::empty() },
            overlap: options.overlap.number(),
            decorrelation_m: options.decorrelation_m as f32,
        }
    }
}

impl<'a, R: Real> Work<'a, R> {
    /// One spectrum of all columns.
    pub(crate) fn compute<L: Launcher>(
        &self,
        tables: &Tables<'a, R>,
        options: &Options,
        launcher: &mut L,
    ) -> Result<(), L::Error> {
        let Self { columns, fluxes, workspace } = *self;
        launcher.launch(&GasStates {
            tables: tables.gases,
            atmosphere: columns.atmosphere(),
            states: workspace.states,
        })?;
        let longwave = tables.gases.is_longwave();
        let (all, clear) = if longwave {
            (SpectrumViews::longwave(&fluxes), SpectrumViews::longwave_clear(&fluxes))
        } else {
            (SpectrumViews::shortwave(&fluxes), SpectrumViews::shortwave_clear(&fluxes))
        };
        let bands = BandViews::new(&fluxes, longwave);
        self.sweep(tables, options, &all, (columns.is_cloudy(), !bands.up.is_empty()), launcher)?;
        launcher.launch(&self.totals(tables, options, all))?;
        if !bands.up.is_empty() {
            launcher.launch(&BandTotals {
                band_sums: workspace.band_sums,
                runs: tables.gases.flux_runs,
                bands: tables.gases.flux_bands,
                columns,
                fluxes: bands,
                with_beam: u32::from(!longwave),
                status: fluxes.status,
            })?;
        }
        if clear.up.is_empty() {
            return Ok(());
        }
        if columns.is_cloudy() {
            self.sweep(tables, options, &clear, (false, false), launcher)?;
        }
        launcher.launch(&self.totals(tables, options, clear))
    }

    /// The sweeps of a spectrum, with clouds or without, and with fluxes by band or without.
    fn sweep<L: Launcher>(
        &self,
        tables: &Tables<'a, R>,
        options: &Options,
        fluxes: &SpectrumViews<'a, R>,
        (cloudy, bands): (bool, bool),
        launcher: &mut L,
    ) -> Result<(), L::Error> {
        let sweep = self.columns.sweep(tables, options, self.workspace, (cloudy, bands));
        let columns = &sweep.columns;
        // Kernels for clouds of liquid and ice alone are left as fast as they are.
        let more_species = !columns.rain_path_g_per_m2.is_empty() || !columns.snow_path_g_per_m2.is_empty();
        let triple = cloudy && options.cloud_solver == CloudSolver::Tripleclouds;
        if !tables.gases.is_longwave() {
            let irradiance_w_per_m2 = R::from_f64(tables.irradiance_w_per_m2);
            let mixture = options.delta_scaling == DeltaScaling::Mixture;
            macro_rules! of_the_sun {
                ($sky:expr) => {{
                    let scales_mixture = u32::from(mixture);
                    launcher.launch(&ShortwaveSweeps::<R, $sky> { sweep, irradiance_w_per_m2, scales_mixture })
                }};
            }
            return match cloudy {
                _ if triple => launcher.launch(&TripleShortwaveSweeps { sweep, irradiance_w_per_m2 }),
                _ if mixture || bands || more_species => of_the_sun!(ANY_SKY),
                true => of_the_sun!(CLOUDY),
                false => of_the_sun!(CLEAR),
            };
        }
        let (angles, angle_count) = options.angles(tables.gases.model == Model::Ecckd as u32);
        let derivative = u32::from(!fluxes.derivative.is_empty());
        if triple {
            let scatters = u32::from(options.longwave_scattering != LongwaveScattering::None);
            return launcher.launch(&TripleLongwaveSweeps { sweep, secant: angles[0][0], scatters, derivative });
        }
        macro_rules! along_paths {
            ($kind:expr) => {
                launcher.launch(&LongwaveSweeps::<R, { $kind }> { sweep, angles, angle_count, derivative })
            };
        }
        match options.longwave_scattering {
            LongwaveScattering::None if bands || more_species => along_paths!(ANY_SKY),
            LongwaveScattering::None if cloudy => along_paths!(CLOUDY),
            LongwaveScattering::None => along_paths!(CLEAR),
            LongwaveScattering::Rescaled => along_paths!(ANY_SKY | RESCALED),
            LongwaveScattering::TwoStream => {
                launcher.launch(&LongwaveTwoStream { sweep, secant: angles[0][0], derivative })
            }
        }
    }

    fn totals(&self, tables: &Tables<'a, R>, options: &Options, fluxes: SpectrumViews<'a, R>) -> Totals<'a, R> {
        Totals {
            sums: self.workspace.sums,
            columns: self.columns,
            fluxes,
            segments: tables.gases.segments,
            with_beam: u32::from(!tables.gases.is_longwave()),
            heating_factor: options.heating_factor(),
            status: self.fluxes.status,
        }
    }
}
