//! What a forward calculation is asked for.

use std::borrow::Cow;

use isobar_raytrace::{Atmosphere, PathOptions};

use crate::channel_data::{ChannelSetup, Filter};
use crate::continuum_data::Continua;
use crate::field_of_view::FieldOfView;
use crate::interpolation::Interpolation;
use crate::table_data::TableData;

/// How the absorption of a gas is followed along a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Approximation {
    /// Emissivity growth (EGA).
    #[default]
    EmissivityGrowth,
    /// Curtis-Godson means (CGA).
    CurtisGodson,
}

/// What the ground does to a ray that meets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
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
    /// How tables are interpolated; they must have been packed for it.
    pub interpolation: Interpolation,
    /// Repeat JURASSIC's arithmetic step by step, for comparison: slower and less exact, and the ground mirrors the Sun
    /// by JURASSIC's formula, not by Lambert's.
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

/// Why radiances could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForwardError {
    /// The atmosphere, or a ray.
    #[error(transparent)]
    Atmosphere(#[from] isobar_raytrace::Error),
    /// Setup, tables and atmosphere do not fit together.
    #[error("{what}: {got}, expected {expected}")]
    Setup {
        /// What does not fit.
        what: &'static str,
        /// What was found.
        got: usize,
        /// What fits.
        expected: String,
    },
    /// What goes on in a line beyond its nodes leaves its range.
    #[error(
        "channel {channel} ({wavenumber_per_cm} cm^-1): the {what} lies outside {range} on the line beyond its nodes, \
         {nodes}"
    )]
    Beyond {
        /// The channel, from 0.
        channel: usize,
        /// Its centre \[cm^-1\].
        wavenumber_per_cm: f64,
        /// What leaves its range, in words.
        what: String,
        /// Its range.
        range: &'static str,
        /// From where to where the nodes are.
        nodes: String,
    },
    /// The tables were packed for the other interpolation.
    #[error("the tables are packed for {packed:?} interpolation, the setup has {wanted:?}")]
    Interpolation {
        /// The interpolation for which the tables were packed.
        packed: Interpolation,
        /// The interpolation that the setup wants.
        wanted: Interpolation,
    },
}

impl ForwardSetup {
    /// Checks that the parts of a setup fit together, and the tables to it.
    ///
    /// # Errors
    /// The first part of the wrong size.
    pub fn check(&self, tables: &TableData) -> Result<(), ForwardError> {
        let channels = self.wavenumbers_per_cm.len();
        if channels == 0 {
            return Err(ForwardError::Setup { what: "channels", got: 0, expected: "at least 1".into() });
        }
        let heads = (self.gases.len() * channels).max(1);
        expect("filters", self.filters.len(), channels, ", one a channel")?;
        expect("windows", self.windows.len(), channels, ", one a channel")?;
        expect("tables", tables.parts().tables.len(), heads, ", one a gas and channel")?;
        if let Some(view) = &self.field_of_view {
            let offsets = view.offset_km.len();
            if offsets == 0 {
                let what = "offsets of the field of view";
                return Err(ForwardError::Setup { what, got: 0, expected: "at least 1".into() });
            }
            expect("weights of the field of view", view.weight.len(), offsets, ", one an offset")?;
        }
        let (packed, wanted) = (tables.interpolation(), self.interpolation);
        if packed == wanted { Ok(()) } else { Err(ForwardError::Interpolation { packed, wanted }) }
    }

    /// An atmosphere as the setup wants it: checked, and its pressure hydrostatic where that is asked for.
    ///
    /// # Errors
    /// An invalid atmosphere, or one that has not the gases, windows and spectral nodes of the setup; a spectrum of
    /// cloud or surface that leaves its range beyond its nodes; a surface above all air; a height whose pressure stays
    /// that lies outside the levels.
    pub fn prepare<'a>(&self, atmosphere: &'a Atmosphere) -> Result<Cow<'a, Atmosphere>, ForwardError> {
        atmosphere.validate()?;
        expect("gases in the atmosphere", atmosphere.mixing_ratio.len(), self.gases.len(), "")?;
        if let Some(&window) = self.windows.iter().max()
            && window > 0
            && window >= atmosphere.extinction_per_km.len()
        {
            let (what, expected) = ("extinction windows in the atmosphere", format!("at least {}", window + 1));
            return Err(ForwardError::Setup { what, got: atmosphere.extinction_per_km.len(), expected });
        }
        if let Some(cloud) = &atmosphere.cloud {
            expect("cloud extinctions", cloud.extinction_per_km.len(), self.cloud_wavenumbers_per_cm.len(), "")?;
        }
        if let Some(surface) = &atmosphere.surface {
            expect("surface emissivities", surface.emissivity.len(), self.surface_wavenumbers_per_cm.len(), "")?;
        }
        self.check_spectra(atmosphere)?;
        let mut atmosphere = Cow::Borrowed(atmosphere);
        if let Some(reference_km) = self.hydrostatic_reference_km {
            atmosphere.reference_levels(reference_km)?;
            atmosphere.to_mut().make_hydrostatic(reference_km, self.gas("H2O"));
        }
        atmosphere.check_surface()?;
        Ok(atmosphere)
    }

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

fn expect(what: &'static str, got: usize, expected: usize, of_what: &str) -> Result<(), ForwardError> {
    if got == expected {
        Ok(())
    } else {
        Err(ForwardError::Setup { what, got, expected: format!("{expected}{of_what}") })
    }
}
