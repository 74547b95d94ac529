//! The kernels of radiances: which ray, gas, channel or point an item is, and where its results go.
#![allow(unsafe_code, reason = "the contract of a kernel is unsafe")]

mod along;
mod brightness_temperature;
mod check_coverage;
mod grow;
mod integrate;
mod locate_cells;
mod sun_on_ground;
mod tile;

pub use brightness_temperature::BrightnessTemperature;
pub use check_coverage::CheckCoverage;
pub use grow::Grow;
pub use integrate::Integrate;
pub use locate_cells::LocateCells;
pub use sun_on_ground::SunOnGround;
pub use tile::Rows;
