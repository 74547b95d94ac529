//! Isobar from C: `include/isobar.h`, which is made of this crate, and Fortran's modules in `fortran/`.
//!
//! A scheme is made by its name ([`isobar_create`]), says what it reads and writes ([`isobar_describe`]), and computes
//! ([`isobar_run`]) on the caller's arrays, which are named as their fields are. Every function that can fail answers
//! with a [`Status`]; [`isobar_last_error`] has the message of the calling thread's last failure. There is no other
//! state outside of what the caller holds. One scheme serves any number of threads.
//!
//! Structs begin with a version, which is [`ISOBAR_VERSION`]: a program that was compiled for another one gets an
//! error. Null pointers, sizes and strides that do not go together, names that are none: one error each. A panic inside
//! is an error, too, and never leaves the library.
//!
//! | file | what it has |
//! |---|---|
//! | `status` | [`Status`], the message of the last failure, panics |
//! | `array` | [`IsobarArray`] as the interface's arrays |
//! | `even` | copies of arrays whose rows are at no equal distances, as Fortran's `a(column, layer, band)` |
//! | `scheme` | [`IsobarScheme`]: made, described, given back |
//! | `run` | [`IsobarRun`], sizes of results, the computation |
//! | `text` | C's strings |

mod array;
mod even;
mod run;
mod scheme;
mod status;
mod text;

pub use array::{IsobarArray, IsobarKind};
pub use run::{IsobarProgress, IsobarRun, isobar_run, isobar_sizes};
pub use scheme::{
    IsobarField, IsobarScheme, IsobarSetup, isobar_create, isobar_defaults, isobar_describe, isobar_destroy,
    isobar_facts, isobar_field_count, isobar_need, isobar_scheme_name,
};
pub use status::{Status, isobar_last_error};

/// The version of the interface, which is that of its structs.
pub const ISOBAR_VERSION: u32 = 1;

/// The most dimensions of an array, the items among them.
pub const ISOBAR_MOST_DIMENSIONS: usize = 8;

/// The version of the library's interface: compare it with `ISOBAR_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn isobar_version() -> u32 {
    ISOBAR_VERSION
}
