//! Tests of launches, a module for each part.

mod buffers;
mod chunks;
mod devices;
mod model;
mod ptx;
mod threads;
