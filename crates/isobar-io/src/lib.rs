//! JURASSIC's own files, read and written: control files, atmospheres, observations, filters and fields of view,
//! emissivity tables in text and binary. With the feature `netcdf`, which is on by default: columns, cells and results
//! in NetCDF.
//!
//! | file | what |
//! |---|---|
//! | [`control`], `setup`, [`retrieval`] | control files, and the setups that they ask for |
//! | [`atmosphere`], [`observation`] | profiles; rays with their radiances |
//! | `grid` | profiles of weather models: columns on a grid of longitudes and latitudes |
//! | [`table`] | emissivity tables |
//! | [`shape`] | filter functions and fields of view |
//! | [`matrix`] | Jacobians and covariances, written |
//! | [`calendar`] | dates as seconds since 2000 |
//! | `column`, `number`, `text` | columns of text tables, numbers with their ranges, rows |
//! | [`output`], [`error`] | files that are there as a whole or not at all; what went wrong, and where |
//! | `netcdf` | variables by name, with unit, orientation and range; files written with provenance |
//! | `columns_file` | what readers of columns share |
//! | `boundary_layer`, `radiation`, `adding`, `chemistry` | the columns or cells of each scheme |
//! | `water_continuum` | coefficients of the water continuum MT_CKD |
//! | `k_distribution` | coefficients of gas, cloud and aerosol optics: RRTMGP's, ecCKD's, our own |
//!
//! Readers check what they read and name the file, the line and the accepted range of what they refuse; where the
//! reference skips a line that it cannot read, they stop. Writers lose no digit and write what the reference reads.
//!
//! ```no_run
//! use std::path::Path;
//! use isobar_io::{AtomicFile, Control, read_atmosphere, read_observation, read_tables, write_observation};
//!
//! let (control, warnings) = Control::read(Path::new("limb.ctl"), &[])?;
//! for warning in &warnings {
//!     eprintln!("warning: {warning}");
//! }
//! let atmosphere = read_atmosphere(Path::new("atm.tab"), &control)?;
//! let observation = read_observation(Path::new("obs.tab"), &control)?;
//! let tables = read_tables(&control)?;
//! AtomicFile::write_with(Path::new("rad.tab"), |out| write_observation(out, &observation, &control))?;
//! # Ok::<(), isobar_io::Error>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "netcdf")]
pub mod adding;
pub mod atmosphere;
mod binary;
#[cfg(feature = "netcdf")]
pub mod boundary_layer;
pub mod calendar;
#[cfg(feature = "netcdf")]
pub mod chemistry;
mod column;
#[cfg(feature = "netcdf")]
mod columns_file;
pub mod control;
pub mod error;
#[cfg(feature = "netcdf")]
pub mod grid;
#[cfg(feature = "netcdf")]
pub mod k_distribution;
pub mod matrix;
#[cfg(feature = "netcdf")]
pub mod netcdf;
mod number;
pub mod observation;
pub mod output;
#[cfg(feature = "zarr")]
mod output_folder;
#[cfg(feature = "netcdf")]
mod profiles;
mod protect;
#[cfg(feature = "netcdf")]
pub mod radiation;
pub mod retrieval;
mod setup;
pub mod shape;
pub mod sun;
pub mod table;
mod text;
#[cfg(feature = "netcdf")]
mod tuv_x;
mod unfinished;
#[cfg(feature = "netcdf")]
mod water_continuum;
mod zarr_path;

#[cfg(feature = "netcdf")]
pub use adding::{
    AddingInput, AddingOptions, DirectionsInput, Phase, Scattering, SurfaceKind, has_directions, read_adding,
    read_directions,
};
pub use atmosphere::{
    ProfileMeaning, atmosphere_remarks, lost_in_binary, read_atmosphere, unread_of_atmosphere, write_atmosphere,
    write_atmosphere_as_asked, write_atmosphere_binary, write_profiles, write_profiles_as_asked,
};
#[cfg(feature = "netcdf")]
pub use atmosphere::{
    add_atmospheres_netcdf, count_atmospheres_netcdf, read_atmospheres_netcdf, read_each_atmosphere_netcdf,
    write_atmospheres_netcdf,
};
#[cfg(feature = "netcdf")]
pub use boundary_layer::{
    BoundaryLayerInput, BoundaryLayerRequest, Contradiction, Diagnosed, SurfaceLayerSource, Whereabouts,
    read_boundary_layer, read_boundary_layer_files, set_lowest_layer,
};
pub use calendar::{date_of_seconds, seconds_of_date};
#[cfg(feature = "netcdf")]
pub use chemistry::{
    ChemistryInput, ChemistryRequest, is_model_cell, is_restart, read_chemistry, read_model_cells, read_restart,
};
#[cfg(feature = "netcdf")]
pub use columns_file::{
    BadColumn, BelowGround, ColumnsInput, FilePressures, NO_CLOUD_FRACTION, Outside, Parts, Temperatures,
    columns_differ, constants_not_read, masked_in_words, names_not_read, open_results,
};
pub use control::{Control, ProfileFormat, TableFormat, Warning};
pub use error::{Error, Place};
#[cfg(feature = "netcdf")]
pub use grid::{Grid, GridPlace, GridProfiles, GridRequest, is_grid, places_along};
#[cfg(feature = "netcdf")]
pub use k_distribution::{
    KDistribution, KDistributionAttributes, PublishedFile, RRTMG_LW_FILES, RRTMGP_FILES, coefficient_doubt,
    read_aerosol_tables, read_cloud_tables, read_k_distribution, read_rrtmg_lw, read_scattering_table, rrtmg_lw_doubt,
    write_cloud_tables, write_k_distribution,
};
pub use matrix::{Label, Matrix, MatrixView, Space, matrix_format, read_matrix, read_matrix_binary, write_matrix};
#[cfg(feature = "netcdf")]
pub use matrix::{add_matrices_netcdf, matrix_datasets, read_matrix_netcdf, write_matrices_netcdf};
pub use observation::{
    Observation, is_measured, line_of_row, observation_remark, read_measurement, read_observation,
    read_observation_and_titles, write_observation, write_observation_as_asked, write_observation_binary,
};
#[cfg(feature = "netcdf")]
pub use observation::{
    add_observations_netcdf, count_observations_netcdf, read_each_observation_netcdf, read_observations_netcdf,
    write_observations_netcdf,
};
pub use output::AtomicFile;
pub use protect::FilesInUse;
#[cfg(feature = "netcdf")]
pub use radiation::{ColumnSlopes, FileSlopes, NO_MEAN_SUN, RadiationInput, RadiationRequest, SunAt, read_radiation};
pub use retrieval::{NumberControl, ProfileControl, RetrievalControl, SharedFiles, SharedMatrix, SharedOutput};
pub use setup::read_setup;
pub use shape::{Shape, read_shape, write_shape};
pub use table::{
    TableFile, TableReport, TableSet, filter_path, read_filters, read_table, read_table_file, read_tables, table_path,
    table_warning, table_warnings,
};
#[cfg(feature = "netcdf")]
pub use tuv_x::{TuvX, read_tuv_x};
pub use unfinished::remove_unfinished;
#[cfg(feature = "netcdf")]
pub use water_continuum::{WaterContinuum, read_water_continuum};
