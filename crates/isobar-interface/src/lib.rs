//! Every scheme by name, on arrays by name: what the bindings for other languages share.
//!
//! [`open`] makes a [`Callable`] of a scheme's name and a [`Setup`], which is JSON where the other language has no
//! structs of ours: devices, precision, files. A call takes [`Array`]s, pointers with shapes and strides, in the order
//! of the declarations [`Callable::inputs`] and [`Callable::outputs`], and options by name. Nothing lists the fields
//! of a scheme again.
//!
//! # Shapes
//! A field has its declared dimensions and the items (columns, profiles, cells, rays): [`ItemsAxis`] says whether these
//! come first, `(column, layer)`, or last, `(layer, column)`. The items may have several axes, `(y, x, layer)`, which
//! all fields share, or none: one column is `(layer)`. What is left out is the same for all:
//! - an array without axes is one value for all items and dimensions;
//! - an array with the declared dimensions alone is the same for all items;
//! - an axis of size 1 stands for any size, as in NumPy.
//!
//! # Copies
//! None: the kernels read and write the caller's memory, whatever the strides. Two exceptions. A field of two
//! dimensions besides the items that is turned upside down (see [`Axes::top_first`]) is copied, for its rows are then
//! at no equal distances. Several axes that stand for one and do not lie at equal distances are an error, which says
//! so. And a GPU gets copies of the host's arrays, as always.
//!
//! # Layers
//! A scheme has them from the surface up, or from the top down ([`Callable::is_top_first`]); [`Axes::top_first`] says
//! how the arrays of a call have them, results too.
//!
//! | file | what it has |
//! |---|---|
//! | `array` | [`Array`], [`Element`], [`Location`] |
//! | `axes` | [`Axes`], and where the values of an array lie |
//! | `batch` | arrays of a call as the views that a scheme takes |
//! | `callable` | [`Callable`], [`Call`], [`Plan`]: what a binding uses |
//! | `wrapped` | a [`isobar_launch::Model`] as a [`Callable`] |
//! | `options` | options by name |
//! | `overlap` | do two arrays share values? |
//! | `schemes/` | how each scheme is made of its files; [`Sensitivity`], derivatives of chemistry |
//! | `files` | fields from NetCDF, as the commands read it |
//! | `threads` | pools of threads that a process keeps, and that a fork does not |
//! | `floats` | [`UsualFloats`]: no traps of the caller's, no flags of ours |
//! | `error` | [`CallError`], one line each |

mod array;
mod axes;
mod batch;
mod callable;
mod error;
mod files;
mod floats;
mod options;
mod overlap;
mod schemes;
mod threads;
mod wrapped;

pub use array::{Array, Element, Location, MOST_AXES};
pub use axes::{Axes, ItemsAxis};
pub use callable::{Call, Callable, Chosen, Plan};
pub use error::{CallError, Category};
pub use files::{FileChoices, FileField, FileFields};
pub use floats::UsualFloats;
pub use isobar_core::fields::{Accepted, Declared, Dimension, Error as FieldError, Extents, Kind, Need};
pub use isobar_launch::{BadItems, Device, ForeignStream};
pub use isobar_rosenbrock::{Adjoint, Cells, Perturbation, Tangent};
pub use schemes::{
    ATMOSPHERE, DeclaredScheme, SCHEMES, Sensitivity, Setup, check_windows, declared, missing_gases, open,
};
pub use threads::{install, install_ticking};
