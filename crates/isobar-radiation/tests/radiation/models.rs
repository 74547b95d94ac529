//! The scheme with the k-distributions that tests have, clouds and all.

use std::path::{Path, PathBuf};

use isobar_radiation::{CloudOptics, Precision, Radiation, Roughness};

use crate::ecrad_clouds;
use crate::reference::{cloud_optics, gas_optics, reference};

/// A k-distribution of the repository.
pub(crate) fn own(wave: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../data/radiation/ecckd-{wave}wave-32.nc"))
}

/// Both spectra with the repository's k-distributions, which always are there.
pub(crate) fn ecckd<R: Precision>() -> Radiation<R> {
    ecckd_with(|clouds| clouds)
}

/// The same with other optics of clouds, made of the repository's.
pub(crate) fn ecckd_with<R: Precision>(change: impl Fn(CloudOptics) -> CloudOptics) -> Radiation<R> {
    ["long", "short"].into_iter().fold(Radiation::new(), |radiation, wave| {
        let clouds = change(CloudOptics::new(&ecrad_clouds::tables(wave), Roughness::Medium));
        radiation.with(&gas_optics(&own(wave)), Some(&clouds)).unwrap()
    })
}

/// Both spectra with those of RRTMGP and clouds by band, if they are there.
pub(crate) fn rrtmgp<R: Precision>(points: [&str; 2]) -> Option<Radiation<R>> {
    let mut radiation = Radiation::new();
    for (wave, points) in ["lw", "sw"].into_iter().zip(points) {
        let clouds = cloud_optics(&reference(&format!("cloud/rrtmgp-clouds-{wave}-bnd.nc"))?);
        let gases = gas_optics(&reference(&format!("coeff/{wave}-{points}.nc"))?);
        radiation = radiation.with(&gases, Some(&clouds)).unwrap();
    }
    Some(radiation)
}
