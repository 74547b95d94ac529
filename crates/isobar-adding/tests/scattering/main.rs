//! Means over the azimuth over surfaces of which emissivities are given.

mod case;
mod closed_forms;
mod golden;
mod limits;
mod reference;
mod sun;
