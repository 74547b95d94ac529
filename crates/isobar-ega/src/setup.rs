//! What a forward calculation is asked for.

use isobar_raytrace::PathOptions;

use crate::channel_data::{ChannelSetup, Filter};
use crate::continuum_data::Continua;
use crate::field_of_view::FieldOfView;

/// How the absorption of a gas is followed along a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approximation {
    /// Emissivity growth (EGA).
    #[default]
    EmissivityGrowth,
    /// Curtis-Godson means (CGA).
    CurtisGodson,
}

/// What the ground does to a ray that meets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum GroundKind {
    /// Nothing: the background is cold.
    None = 0,
    /// It emits.
    Emission = 1,
    /// It emits and mirrors the sky.
    #[default]
    Sky = 2,
    /// It emits and mirrors the sky and the Sun.
    SkyAndSun = 3,
}

/// A forward calculation: gases, channels and options. The atmosphere and the rays come when it runs.
#[derive(Clone, Debug, Default)]
pub struct ForwardSetup {
    /// The gases, in the order of the atmosphere's mixing ratios.
    pub gases: Vec<String>,
    /// Centre of each channel \[cm^-1\].
    pub wavenumbers_per_cm: Vec<f64>,
    /// Filter function of each channel.
    pub filters: Vec<Filter>,
    /// How rays are stepped.
    pub path: PathOptions,
    /// How absorption is followed.
    pub approximation: Approximation,
    /// Repeat JURASSIC's arithmetic step by step, for comparison: slower and less exact.
    pub jurassic_exact: bool,
    /// The continua that count; CO2 and H2O need their gas.
    pub continua: Continua,
    /// The extinction window of each channel.
    pub windows: Vec<usize>,
    /// Wavenumber nodes of the cloud's extinction \[cm^-1\].
    pub cloud_wavenumbers_per_cm: Vec<f64>,
    /// Wavenumber nodes of the surface emissivity \[cm^-1\].
    pub surface_wavenumbers_per_cm: Vec<f64>,
    /// What the ground does.
    pub ground: GroundKind,
    /// The solar zenith angle \[deg\]; none: from time and place.
    pub solar_zenith_deg: Option<f64>,
    /// Make the pressure hydrostatic around this height first \[km\].
    pub hydrostatic_reference_km: Option<f64>,
    /// The instrument's vertical field of view.
    pub field_of_view: Option<FieldOfView>,
    /// Give brightness temperatures \[K\] instead of radiances.
    pub brightness_temperature: bool,
}

impl ForwardSetup {
    /// The number of a gas, by its name in any case.
    #[must_use]
    pub fn gas(&self, name: &str) -> Option<usize> {
        self.gases.iter().position(|gas| gas.eq_ignore_ascii_case(name))
    }

    /// What the channels need of it.
    #[must_use]
    pub fn channel_setup(&self) -> ChannelSetup {
        ChannelSetup {
            continua: Continua {
                co2: self.continua.co2 && self.gas("CO2").is_some(),
                h2o: self.continua.h2o && self.gas("H2O").is_some(),
                ..self.continua
            },
            windows: self.windows.clone(),
            cloud_wavenumbers_per_cm: self.cloud_wavenumbers_per_cm.clone(),
            surface_wavenumbers_per_cm: self.surface_wavenumbers_per_cm.clone(),
        }
    }
}
