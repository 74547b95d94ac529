//! The same bits on all devices.

#[cfg(feature = "adjoint")]
mod adjoint;
mod radiation;
mod rrtmg;
