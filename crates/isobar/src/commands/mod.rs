//! The commands, and what they have in common: first those of JURASSIC's cases, then those of columns and cells.

pub(crate) mod devices;
pub(crate) mod examples;
mod fits;
pub(crate) mod forward;
pub(crate) mod jurassic;
pub(crate) mod kernel;
mod path_table;
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "files of columns need more of it"))]
mod ranks;
pub(crate) mod raytrace;
mod retrieval_subject;
pub(crate) mod retrieve;
mod shared;
pub(crate) mod shell;
pub(crate) mod tables;

#[cfg(feature = "cli")]
pub(crate) mod adding;
#[cfg(feature = "cli")]
pub(crate) mod check;
#[cfg(feature = "cli")]
pub(crate) mod chem;
#[cfg(feature = "cli")]
mod column_results;
#[cfg(feature = "cli")]
mod compare;
#[cfg(feature = "cli")]
pub(crate) mod data;
#[cfg(feature = "cli")]
mod history;
#[cfg(feature = "cli")]
pub(crate) mod kpp;
#[cfg(feature = "cli")]
pub(crate) mod lbl;
#[cfg(feature = "cli")]
pub(crate) mod longwave;
#[cfg(feature = "cli")]
mod mechanism_file;
#[cfg(feature = "cli")]
pub(crate) mod pbl;
#[cfg(feature = "cli")]
pub(crate) mod radiation;
#[cfg(feature = "cli")]
mod radiation_files;
#[cfg(feature = "cli")]
pub(crate) mod run;
#[cfg(feature = "cli")]
pub(crate) mod spectra;
#[cfg(feature = "cli")]
mod stop;
#[cfg(feature = "cli")]
mod summary;

#[cfg(feature = "cli")]
pub(crate) use self::history::{arguments, history, history_of_all_ranks};
#[cfg(feature = "cli")]
pub(crate) use self::summary::{counted, json_summary, print_json, say_remarks, with_remarks};
