//! What a host owns besides the cells: mechanisms, rate programs, options, files of cells.

mod bits;
pub(crate) mod cell_file;
pub(crate) mod cells;
pub(crate) mod compiled;
pub(crate) mod elimination;
pub(crate) mod evaluation;
pub(crate) mod network;
pub(crate) mod options;
pub(crate) mod rates;
pub(crate) mod reduction;
pub(crate) mod symbolic;
pub(crate) mod tables;
