//! What `isobar kernel` and `isobar retrieve` take: a measurement of the limb sounder in warmer air than was known
//! before, by the forward model itself.

use std::path::Path;

use isobar_io::{Control, write_atmosphere};
use isobar_raytrace::Atmosphere;

use super::folder::Folder;
use super::{File, control_text, written};

const CONTROL: &str = "retrieval/retrieval.ctl";
const BEFORE: &str = "retrieval/atm_apr.tab";
pub(super) const MEASUREMENT: &str = "retrieval/obs_meas.tab";
pub(super) const KERNEL: &str = "retrieval/kernel.tab";

/// The warming \[K\] of the truth, and the heights \[km\] between which it is.
const WARMER: (f64, std::ops::RangeInclusive<f64>) = (3.0, 10.0..=30.0);

/// What is retrieved, and what is known before.
const RETRIEVED: &str = "
# Temperatures between these heights [km], known to 5 K over 6 km; ozone, known to 20 %
RETT_ZMIN = 10
RETT_ZMAX = 30
ERR_TEMP = 5
ERR_TEMP_CZ = 6
ERR_TEMP_CH = 1000
RETQ_ZMIN[2] = 15
RETQ_ZMAX[2] = 25
ERR_Q[2] = 20
ERR_Q_CZ[2] = -999

# Noise [W/(m^2 sr cm^-1)] and the error of the forward model [%]
ERR_NOISE[*] = 1e-6
ERR_FORMOD[*] = 0.1

# A new Jacobian in each iteration, until the state moves by less than this
KERNEL_RECOMP = 1
CONV_DMIN = 0.01
CONV_ITMAX = 20
";

pub(super) fn inputs(before: &Atmosphere, control: &Control) -> Result<[File; 2], String> {
    let text = control_text("Temperatures and ozone from a limb sounder at 780 km.") + RETRIEVED;
    let atmosphere = written(|out| write_atmosphere(out, before, control))?;
    Ok([(CONTROL.to_owned(), text.into_bytes()), (BEFORE.to_owned(), atmosphere)])
}

/// What the sounder sees in the true atmosphere.
pub(super) fn measurement(data: &Path, before: &Atmosphere, control: &Control) -> Result<Vec<u8>, String> {
    let mut truth = before.clone();
    let (by, heights) = WARMER;
    let levels = truth.temperature_k.iter_mut().zip(&before.height_km);
    levels.filter(|(_, height)| heights.contains(height)).for_each(|(temperature, _)| *temperature += by);
    let folder = Folder::new()?;
    let text = written(|out| write_atmosphere(out, &truth, control))?;
    std::fs::write(folder.path("atm.tab"), text).map_err(|error| error.to_string())?;
    let (ctl, obs) = (data.join(CONTROL), data.join("limb/obs.tab"));
    let (ctl, obs) = (ctl.to_string_lossy(), obs.to_string_lossy());
    let files = ["--ctl", &ctl, "--atm", "atm.tab", "--obs", &obs, "--out", "out.tab"];
    folder.isobar(&[&["forward", "--device", "cpu", "--quiet"], &files[..]].concat())?;
    folder.read("out.tab")
}

/// Its derivatives by the state.
pub(super) fn kernel(data: &Path) -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    let path = |name: &str| data.join(name).to_string_lossy().into_owned();
    let (ctl, atm, obs) = (path(CONTROL), path(BEFORE), path(MEASUREMENT));
    let files = ["--ctl", &ctl, "--atm", &atm, "--obs", &obs, "--out", "out.tab"];
    folder.isobar(&[&["kernel", "--device", "cpu", "--quiet"], &files[..]].concat())?;
    folder.read("out.tab")
}
