//! Tests of the command and of the library, a file each.

#![cfg(feature = "cli")]

mod common;

mod adding;
mod adding_readings;
mod aerosol_humidity;
mod aerosols;
mod albedo_of_files;
mod alike_clouds;
mod bad_input;
mod bands_of_files;
mod chem;
mod chem_air;
mod chem_budget;
mod chem_cells;
mod chem_explain;
mod chem_explain_inputs;
mod chem_labels;
mod chem_notes;
mod chem_restart_cells;
mod chem_units;
mod cli;
mod compared;
mod data_fetch;
mod dimensions_of_columns;
mod directions;
mod ecrad;
mod exit_codes;
#[cfg(target_os = "linux")]
mod faults;
mod files_in_time;
#[cfg(all(feature = "adding", feature = "radiation", feature = "retrieval", feature = "run"))]
mod flips;
mod gases_by_mass;
mod golden;
mod gradient_of_bands;
mod hybrid_levels;
mod items_of_grids;
mod jurassic_2026;
mod jurassic_ranges;
mod kernel;
mod left_out;
#[cfg(all(feature = "run", feature = "plot"))]
mod library;
mod longwave;
mod longwave_bad_input;
mod longwave_layouts;
mod masked_columns;
mod model_files;
mod mpas_radii;
mod netcdf_edit;
mod one_spectrum;
mod options;
mod outside_ecckd;
#[cfg(unix)]
mod overwrite;
mod pbl;
mod pbl_mesh_files;
mod pbl_model_files;
mod pbl_parts;
mod pbl_readings;
mod pbl_steps;
mod pbl_suite;
mod pbl_sums;
mod pbl_surface;
mod points_and_negatives;
mod pressure_levels;
mod properties;
mod radiation;
mod radiation_gradient;
mod radiation_options;
mod radiation_ranks;
mod radiation_readings;
mod radiation_samples;
mod rain_and_snow;
mod retrieve;
mod rrtmg_names;
mod run;
mod run_chemistry;
mod run_clouds;
mod run_forcing;
mod run_keys;
mod run_photolysis;
mod run_report;
mod run_satellite;
mod run_soil;
mod run_species;
mod run_start;
mod run_suite;
mod run_surface;
mod said_of_cases;
mod scattering;
mod segments;
mod shared_coordinates;
mod spectra;
mod spectra_said;
mod spectra_tables;
mod sun_of_files;
mod top_layer;
#[cfg(unix)]
mod unfinished;
mod unrelated_variables;
mod vertical_coordinates;
mod zarr;
