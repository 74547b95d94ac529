//! Plots of results: functions from data to a [`Figure`], which is SVG.
//!
//! Each module is there with the feature of the crate whose results it draws. A figure shows a few curves: of many
//! rays, columns or channels, those that are evenly spread.
//!
//! | module | features | what is drawn |
//! |---|---|---|
//! | `forward` | `io` | radiances of an observation |
//! | `raytrace` | `raytrace` | paths, and the atmosphere that bends them |
//! | `kernel`, `retrieve` | `retrieval` | Jacobians; what was retrieved |
//! | `adding`, `directions` | `adding`, `netcdf` | radiances of layered profiles; seen from any direction |
//! | `radiation` | `radiation` | the same, long wave and short wave |
//! | `pbl` | `ysu` | the boundary layer before and after |
//! | `chem` | `kpp` | concentrations against time |
//! | `explain` | `kpp` | the steps of one cell |
//! | `spectra` | `line-by-line` | line lists and absorption spectra |
//! | `run` | `run` | a run of the column model |
//! | `chart` | any of these that has curves | curves of any numbers |

mod figure;
#[cfg(feature = "radiation")]
mod heights;
#[cfg(any(feature = "kpp", feature = "radiation", feature = "raytrace", feature = "ysu"))]
mod legend;
// One of these is there with each of the modules below.
#[cfg(any(feature = "kpp", feature = "radiation", feature = "raytrace", feature = "ysu"))]
mod panel;
#[cfg(any(feature = "kpp", feature = "radiation", feature = "raytrace", feature = "ysu"))]
mod style;

#[cfg(all(feature = "adding", feature = "netcdf"))]
pub mod adding;
#[cfg(any(feature = "kpp", feature = "radiation", feature = "raytrace", feature = "ysu"))]
pub mod chart;
#[cfg(feature = "kpp")]
pub mod chem;
#[cfg(all(feature = "adding", feature = "netcdf"))]
pub mod directions;
#[cfg(feature = "kpp")]
pub mod explain;
#[cfg(feature = "io")]
pub mod forward;
#[cfg(feature = "retrieval")]
pub mod kernel;
#[cfg(feature = "ysu")]
pub mod pbl;
#[cfg(feature = "radiation")]
pub mod radiation;
#[cfg(feature = "raytrace")]
pub mod raytrace;
#[cfg(feature = "retrieval")]
pub mod retrieve;
#[cfg(feature = "run")]
pub mod run;
#[cfg(feature = "line-by-line")]
pub mod spectra;

pub use figure::{Error, Figure};

/// At most `most` of `count` items, evenly spread, first and last among them.
#[cfg(any(feature = "kpp", feature = "radiation", feature = "raytrace", feature = "ysu"))]
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| (i * (count - 1) + (most - 1) / 2) / (most - 1)).collect()
}

#[cfg(all(test, feature = "raytrace"))]
mod tests {
    #[test]
    fn a_few_stand_for_many() {
        assert_eq!(super::spread(3, 8), [0, 1, 2]);
        assert_eq!(super::spread(14, 5), [0, 3, 7, 10, 13]);
        assert_eq!(super::spread(1_000, 2), [0, 999]);
    }
}
