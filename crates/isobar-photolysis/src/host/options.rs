//! What a user chooses.

/// What is chosen for a run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Options {
    /// The part of the light that clouds take from a beam which they scatter; 0 to 1.
    pub cloud_albedo: f64,
    /// The asymmetry of that: 0 to below 1.
    pub cloud_asymmetry: f64,
}

impl Default for Options {
    /// Droplets in the ultraviolet and visible.
    fn default() -> Self {
        Self { cloud_albedo: 0.9999, cloud_asymmetry: 0.85 }
    }
}

impl Options {
    /// Checks them.
    ///
    /// # Errors
    /// One that is out of its range.
    pub fn check(&self) -> Result<(), isobar_core::fields::Error> {
        let range = |name: &str, value: f64, most: f64, fits: bool| {
            let text = format!("the {name} is {value}, not from 0 to {most}");
            if fits { Ok(()) } else { Err(isobar_core::fields::Error::Setup(text)) }
        };
        let albedo = self.cloud_albedo;
        range("albedo of clouds", albedo, 1.0, (0.0..=1.0).contains(&albedo))?;
        let asymmetry = self.cloud_asymmetry;
        range("asymmetry of clouds", asymmetry, 0.999, (0.0..=0.999).contains(&asymmetry))
    }
}
