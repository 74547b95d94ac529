//! Which kernels run to go back from fluxes to columns, and what they leave to each other.

use isobar_core::fields::{AnyFieldMut, OutputSet};
use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Real, WorkMemory};
use isobar_optics::tables::{GasTables, Model};
use isobar_optics::{GasStates, GasStatesAdjoint};

use crate::fields_adjoint::{AdjointViews, CotangentViews, GradientViews};
use crate::host::options::{DeltaScaling, Options};
use crate::order::{Launcher, Tables, Workspace};
use crate::schedule::adjoint::all::{CheckGradients, ClearGradients, FIELDS};
use crate::schedule::adjoint::backward::{Backward, ParticleGradients, SpectrumCotangents};
use crate::schedule::adjoint::longwave::LongwaveAdjoint;
use crate::schedule::adjoint::shortwave::ShortwaveAdjoint;
use crate::schedule::adjoint::{cotangents, longwave, shortwave};
use crate::schedule::warp;

/// What a column has of the memory that kernels share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AdjointRows {
    numbers: usize,
    words: usize,
    levels: usize,
    /// What a GPU's warp keeps.
    saved: usize,
}

impl AdjointRows {
    /// For a spectrum and columns of `layers` layers.
    pub(crate) fn new<R: Real>(tables: &GasTables<'_, R>, layers: usize, gpu: bool) -> Self {
        let layout = GasStates::layout(tables, layers);
        let rows = if tables.is_longwave() { longwave::rows(layers) } else { shortwave::rows(layers) };
        Self {
            numbers: layout.numbers(),
            words: layout.words(),
            levels: (layers + 1) * cotangents::ROWS,
            saved: if gpu { (warp::bytes::<R>(rows, layers) / size_of::<R>()).next_multiple_of(WARP) } else { 0 },
        }
    }

    /// For either of two.
    pub(crate) fn either(self, other: Self) -> Self {
        Self {
            numbers: self.numbers.max(other.numbers),
            words: self.words.max(other.words),
            levels: self.levels.max(other.levels),
            saved: self.saved.max(other.saved),
        }
    }
}

/// Views of that memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjointMemory<'a, R> {
    workspace: Workspace<'a, R>,
    by_states: FieldMut<'a, R>,
    levels: FieldMut<'a, R>,
}

impl<R: Real> AdjointMemory<'_, R> {
    /// That of some columns.
    ///
    /// # Safety
    /// Views are used only while the memory lives.
    pub(crate) unsafe fn new(rows: &AdjointRows, columns: usize, memory: &mut impl WorkMemory) -> Self {
        let AdjointRows { numbers, words, levels, saved } = *rows;
        let forward = crate::order::Rows { numbers, words, saved, ..Default::default() };
        // SAFETY: the caller's.
        unsafe {
            Self {
                workspace: Workspace::new(&forward, columns, memory),
                by_states: memory.level_fastest(numbers, columns),
                levels: memory.level_fastest(levels, columns),
            }
        }
    }
}

impl<'a, R: Real> CotangentViews<'a, R> {
    /// Those of a spectrum.
    fn of(&self, is_longwave: bool) -> SpectrumCotangents<'a, R> {
        if is_longwave {
            return SpectrumCotangents {
                up: self.longwave_up_w_per_m2,
                down: self.longwave_down_w_per_m2,
                direct: Field::empty(),
                heating: self.longwave_heating_k_per_day,
            };
        }
        SpectrumCotangents {
            up: self.shortwave_up_w_per_m2,
            down: self.shortwave_down_w_per_m2,
            direct: self.shortwave_direct_w_per_m2,
            heating: self.shortwave_heating_k_per_day,
        }
    }
}

const _: () = assert!(GradientViews::<f64>::DECLARED.len() <= FIELDS, "more derivatives than there is room for");

impl<'a, R: Real> GradientViews<'a, R> {
    /// All of so many columns.
    fn all(&self, columns: usize) -> ClearGradients<'a, R> {
        let (mut fields, mut number) = ([FieldMut::empty(); FIELDS], 0);
        self.visit(&mut |_, field| {
            if let AnyFieldMut::Real(field) = field {
                fields[number] = field;
                number += 1;
            }
        });
        ClearGradients { fields, status: self.status, columns: columns as u32 }
    }

    fn particles(&self) -> ParticleGradients<'a, R> {
        ParticleGradients {
            liquid: [self.liquid_path_g_per_m2, self.liquid_radius_um],
            ice: [self.ice_path_g_per_m2, self.ice_size_um],
            rain: [self.rain_path_g_per_m2, self.rain_radius_um],
            snow: [self.snow_path_g_per_m2, self.snow_size_um],
        }
    }
}

/// Columns, derivatives by their fluxes, and where those by the columns go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjointWork<'a, R> {
    pub(crate) inputs: AdjointViews<'a, R>,
    pub(crate) gradients: GradientViews<'a, R>,
    pub(crate) memory: AdjointMemory<'a, R>,
}

impl<'a, R: Real> AdjointWork<'a, R> {
    /// All spectra, one after the other.
    pub(crate) fn compute<L: Launcher>(
        &self,
        spectra: &[Tables<'a, R>],
        options: &Options,
        launcher: &mut L,
    ) -> Result<(), L::Error> {
        let all = self.gradients.all(self.inputs.columns.columns());
        launcher.launch(&all)?;
        for tables in spectra {
            self.spectrum(tables, options, launcher)?;
        }
        launcher.launch(&CheckGradients { all })
    }

    fn spectrum<L: Launcher>(
        &self,
        tables: &Tables<'a, R>,
        options: &Options,
        launcher: &mut L,
    ) -> Result<(), L::Error> {
        let Self { inputs: AdjointViews { columns, cotangents }, gradients, memory } = *self;
        let is_longwave = tables.gases.is_longwave();
        let forward =
            GasStates { tables: tables.gases, atmosphere: columns.atmosphere(), states: memory.workspace.states };
        launcher.launch(&forward)?;
        let backward = Backward {
            sweep: columns.sweep(tables, options, memory.workspace, (columns.is_cloudy(), false)),
            by_states: memory.by_states,
            cotangents: cotangents.of(is_longwave),
            levels: memory.levels,
            heating_factor: options.heating_factor(),
            level_pressure_pa: gradients.level_pressure_pa,
            particles: gradients.particles(),
        };
        if is_longwave {
            let (angles, angle_count) = options.angles(tables.gases.model == Model::Ecckd as u32);
            let is_extinction = !columns.aerosol_optical_depth_longwave.is_empty();
            launcher.launch(&LongwaveAdjoint {
                backward,
                emissivity: gradients.emissivity,
                aerosol_depth: if is_extinction {
                    gradients.aerosol_optical_depth_longwave
                } else {
                    gradients.aerosol_absorption_longwave
                },
                aerosol_albedo: gradients.aerosol_albedo_longwave,
                angles,
                angle_count,
            })?;
        } else {
            let is_single = columns.surface_albedo_diffuse.is_empty();
            launcher.launch(&ShortwaveAdjoint {
                backward,
                cosine_zenith: gradients.cosine_zenith,
                total_solar_irradiance_w_per_m2: gradients.total_solar_irradiance_w_per_m2,
                albedo_direct: gradients.surface_albedo_direct,
                albedo_diffuse: if is_single {
                    gradients.surface_albedo_direct
                } else {
                    gradients.surface_albedo_diffuse
                },
                aerosol: [gradients.aerosol_optical_depth, gradients.aerosol_albedo, gradients.aerosol_asymmetry],
                irradiance_w_per_m2: R::from_f64(tables.irradiance_w_per_m2),
                scales_mixture: u32::from(options.delta_scaling == DeltaScaling::Mixture),
            })?;
        }
        launcher.launch(&GasStatesAdjoint { forward, by_states: memory.by_states, gradients: gradients.atmosphere() })
    }
}
