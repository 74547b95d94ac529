//! The layout of ecCKD's `ckd-definition.nc`.

use super::names::Names;

/// What ecCKD calls it.
pub(super) const NAMES: Names = Names {
    kind: "ecCKD",
    gases: "constituent_id",
    absorption: "_molar_absorption_coeff",
    dependence: "_conc_dependence_code",
    bands: ["wavenumber1_band", "wavenumber2_band"],
    band_of_point: "band_number",
    interval: "wavenumber",
    intervals: ["wavenumber1", "wavenumber2"],
    fraction: "gpoint_fraction",
    interval_solar: "solar_spectral_irradiance",
    planck_temperature: "temperature_planck",
    planck: "planck_function",
    solar: "solar_irradiance",
    rayleigh: "rayleigh_molar_scattering_coeff",
};
