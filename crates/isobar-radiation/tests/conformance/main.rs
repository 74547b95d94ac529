//! The same bits on all devices.

mod radiation;
mod rrtmg;
