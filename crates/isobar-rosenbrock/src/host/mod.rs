//! What a host owns: mechanisms, cells, options and results.

pub(crate) mod batch_on_host;
pub(crate) mod cell_file;
pub(crate) mod cells;
pub(crate) mod compiled;
pub(crate) mod elimination;
pub(crate) mod error;
pub(crate) mod evaluation;
pub(crate) mod network;
pub(crate) mod options;
pub(crate) mod rates;
pub(crate) mod setup;
pub(crate) mod symbolic;
pub(crate) mod tables;
pub(crate) mod validate;
