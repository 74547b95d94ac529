//! What of a control file and of an atmosphere a k-distribution does not have, a line each.

use std::path::Path;

use isobar_ega::NitrogenContinuum;
use isobar_ega::continuum_data::{N2_PER_CM, O2_PER_CM};
use isobar_io::Control;
use isobar_raytrace::Atmosphere;

use crate::program::remarks::warn;

/// Warns of what radiances of the same files have: continua, which count unless their keys are 0, those of
/// `--water-continuum` aside; cloud, surface and extinction of the atmosphere; its hydrostatic pressure.
pub(super) fn tell(
    (control, bands, has_water_continuum): (&Control, &[[f64; 2]], bool),
    (path, atmosphere): (&Path, &Atmosphere),
) {
    let on = control.continua;
    let is_gas = |name: &str| control.emitters.iter().any(|gas| gas.eq_ignore_ascii_case(name));
    let is_in = |(first, last): (f64, f64)| bands.iter().any(|&[low, high]| low <= last && high >= first);
    let continua = [
        ("CTM_H2O", on.h2o && is_gas("H2O") && !has_water_continuum),
        ("CTM_CO2", on.co2 && is_gas("CO2")),
        ("CTM_N2", on.n2 != NitrogenContinuum::Off && is_in(N2_PER_CM)),
        ("CTM_O2", on.o2 && is_in(O2_PER_CM)),
    ];
    let continua: Vec<&str> = continua.into_iter().filter(|(_, counts)| *counts).map(|(key, _)| key).collect();
    if let Some(first) = continua.first() {
        let water = if *first == "CTM_H2O" { "--water-continuum has one of H2O; " } else { "" };
        let off: Vec<String> = continua.iter().map(|key| format!("{key}=0")).collect();
        let (keys, off) = (continua.join(", "), off.join(" "));
        warn(format!("continua of {keys} are not in the k-distribution: {water}with {off} none is meant"));
    }
    let of_file = |what: &str| warn(format!("{}: {what}", path.display()));
    if atmosphere.cloud.as_ref().is_some_and(|cloud| cloud.depth_km > 0.0) {
        of_file("its cloud is not in the k-distribution, which is of gases");
    }
    if atmosphere.extinction_per_km.iter().flatten().any(|&extinction| extinction != 0.0) {
        of_file("its extinction is not in the k-distribution, which is of gases");
    }
    if atmosphere.surface.is_some() {
        of_file("its surface does not count: the ground is black, and as warm as the lowest level");
    }
    if control.hydrostatic_reference_km.is_some() {
        warn("HYDZ does not count: pressures are those of the atmosphere's file");
    }
}
