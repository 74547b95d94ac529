//! Line lists, isotopologues and partition sums as a host owns them, and the files in which users have them.
//!
//! Files are read here and not in `isobar-io`: they are text that belongs to this scheme alone, and who computes
//! spectra compiles nothing of the other schemes.

mod broadening;
mod collision_induced;
mod columns;
mod cross_section;
mod exomol;
mod files;
mod gas;
mod held;
mod isotopologues;
mod made_up;
mod odd;
mod par;
mod partition_sum;
mod record;
mod summary;
mod windows;
mod write_par;

pub use collision_induced::CollisionInduced;
pub use cross_section::{CrossSection, CrossSections};
pub use exomol::{ExoMol, for_each_exomol, read_exomol};
pub use gas::{Gas, Isotopologue};
pub use held::Held;
pub use isotopologues::{KnownIsotopologue, isotopologue, molecule_name, molecule_number};
pub use made_up::made_up_gas;
pub use odd::{Odd, Oddities};
pub use par::{ParOptions, for_each_par, parse_par, read_par};
pub use partition_sum::PartitionSum;
pub use record::ParRecord;
pub use summary::{ListSummary, OfIsotopologue};
pub use windows::{ParWindows, Window};
pub use write_par::write_par;

pub(crate) use files::{number_of, read_lines};
#[cfg(feature = "launch")]
pub(crate) use isotopologues::lightest_u;
