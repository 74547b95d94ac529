//! What the options of both schemes have in common.

use std::format;
use std::string::{String, ToString};

use isobar_core::Real;
use isobar_core::fields::{Declared, Error, Need};

use crate::physical::Constants;
use crate::shin_hong::ShinHongOptions;
use crate::version::{Options, Parameters, Version};

/// Far beyond what the schemes are for \[s\].
const LONGEST_STEP_S: f64 = 1e6;
/// How far a physical constant may be from WRF's, as a factor: other planets are within, other units are not.
const FARTHEST: f64 = 100.0;

/// Which kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// YSU in the air.
    Ysu,
    /// YSU in a town.
    Urban,
    /// Shin-Hong.
    ShinHong,
}

/// The options of a scheme of this crate: [`Options`] of YSU, [`ShinHongOptions`].
pub trait Chosen: Clone + Copy + PartialEq + Send + Sync + 'static {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::Setup`].
    fn check(&self) -> Result<(), Error>;

    /// What these options make of an input.
    fn need(&self, declared: &Declared) -> Need;

    /// Does the scheme have a result?
    fn wants(&self, declared: &Declared) -> bool;

    /// The parameters of the kernel.
    fn parameters<R: Real>(&self) -> Parameters<R>;

    /// The kernel.
    fn form(&self) -> Form;

    /// Is a workspace of momentum used on a CPU, too?
    fn keeps_momentum(&self) -> bool;
}

/// Checks a time step.
fn check_step(step: f64) -> Result<(), Error> {
    if step > 0.0 && step <= LONGEST_STEP_S {
        return Ok(());
    }
    Err(Error::Setup(format!("the time step is {step} s, which is not in (0, {LONGEST_STEP_S}] s")))
}

impl Constants {
    /// Checks the constants.
    ///
    /// # Errors
    /// [`Error::Setup`]: one that is not positive, or not within a hundredth and a hundred times WRF's; a heat capacity
    /// that is not above the gas constant.
    pub fn check(&self) -> Result<(), Error> {
        for ((short, name, value), (_, _, usual)) in self.each().into_iter().zip(Self::WRF.each()) {
            let (least, largest) = (usual / FARTHEST, usual * FARTHEST);
            if !(value >= least && value <= largest) {
                let place = if short == name { String::new() } else { format!(" ({short})") };
                let text = format!("the constant {name}{place} is {value}, which is not in [{least}, {largest}]");
                return Err(Error::Setup(text));
            }
        }
        let (cp, rd) = (self.heat_capacity_j_per_kg_k, self.gas_constant_j_per_kg_k);
        if cp <= rd {
            let text = format!("the constant heat_capacity_j_per_kg_k (cp) is {cp}, which is not above rd = {rd}");
            return Err(Error::Setup(text));
        }
        Ok(())
    }
}

/// Is a result of Shin-Hong alone?
fn is_of_energy(name: &str) -> bool {
    matches!(name, "turbulent_energy_m2_per_s2" | "mixing_length_m")
}

impl Options {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::Setup`]: a time step out of (0, 1e6] s, options that the version does not have or that exclude each
    /// other, a constant that cannot be one.
    pub fn check(&self) -> Result<(), Error> {
        check_step(self.time_step_s)?;
        let refusal = |text: &str| Err(Error::Setup(text.to_string()));
        if self.top_down && self.version == Version::Wrf361 {
            return refusal("WRF 3.6.1 has no top-down mixing");
        }
        if self.urban && self.version == Version::Wrf361 {
            return refusal("WRF 3.6.1 has no urban canopy: urban is true, and wanted is false, or version wrf4");
        }
        if self.limited_entrainment && !self.top_down {
            return refusal(
                "limited_entrainment is true, and wanted is false without top_down: it limits what cloud tops entrain",
            );
        }
        self.constants.check()
    }

    /// What these options make of an input.
    #[must_use]
    pub fn need(&self, declared: &Declared) -> Need {
        let needed = match declared.name {
            "radiative_heating_k_per_s" => self.top_down,
            "drag_factor" | "wind_weight" => self.topographic,
            "urban_share" => self.urban && self.topographic,
            "turbulent_energy_m2_per_s2" | "grid_distance_m" | "coriolis_per_s" => false,
            name if name.starts_with("urban_") => self.urban,
            _ => return declared.need(),
        };
        if needed { Need::Required } else { Need::Ignored }
    }
}

impl Chosen for Options {
    fn check(&self) -> Result<(), Error> {
        self.check()
    }

    fn need(&self, declared: &Declared) -> Need {
        self.need(declared)
    }

    fn wants(&self, declared: &Declared) -> bool {
        !is_of_energy(declared.name)
    }

    fn parameters<R: Real>(&self) -> Parameters<R> {
        self.parameters()
    }

    fn form(&self) -> Form {
        if self.urban { Form::Urban } else { Form::Ysu }
    }

    fn keeps_momentum(&self) -> bool {
        self.topographic
    }
}

impl ShinHongOptions {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::Setup`]: a time step out of (0, 1e6] s, a constant that cannot be one.
    pub fn check(&self) -> Result<(), Error> {
        check_step(self.time_step_s)?;
        self.constants.check()
    }

    /// What these options make of an input.
    #[must_use]
    pub fn need(&self, declared: &Declared) -> Need {
        let needed = match declared.name {
            "radiative_heating_k_per_s" => self.cloud_mixing,
            "drag_factor" | "wind_weight" => self.topographic,
            "turbulent_energy_m2_per_s2" | "grid_distance_m" | "coriolis_per_s" => true,
            name if name.starts_with("urban_") => false,
            _ => return declared.need(),
        };
        if needed { Need::Required } else { Need::Ignored }
    }
}

impl Chosen for ShinHongOptions {
    fn check(&self) -> Result<(), Error> {
        self.check()
    }

    fn need(&self, declared: &Declared) -> Need {
        self.need(declared)
    }

    fn wants(&self, _declared: &Declared) -> bool {
        true
    }

    fn parameters<R: Real>(&self) -> Parameters<R> {
        self.parameters()
    }

    fn form(&self) -> Form {
        Form::ShinHong
    }

    fn keeps_momentum(&self) -> bool {
        false
    }
}
