//! Every kernel gives the same bits on the CPU, whatever the threads, and on every GPU, in f32 and f64.
//!
//! A case is a function that runs a kernel on a queue and returns its outputs; [`conformance`] makes its tests.

#[path = "../common/mod.rs"]
mod common;

mod adding;
mod bits;
mod boundary_layer;
mod chemistry;
mod column;
mod infrared;
mod jacobian;
mod longwave;
mod scattering;
mod selftest;
#[path = "../common/column.rs"]
mod small_column;
#[path = "../common/chemistry.rs"]
mod stratosphere;

use bits::Outputs;
use isobar_launch::{Device, Error, Queue, with_threads};

/// Tests a case, a function generic over [`isobar_core::Real`], in both precisions on all devices.
macro_rules! conformance {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[test]
            fn f32() {
                crate::same_bits_everywhere(super::$name::<f32>);
            }
            #[test]
            fn f64() {
                crate::same_bits_everywhere(super::$name::<f64>);
            }
        }
    )*};
}
pub(crate) use conformance;

/// Runs a case everywhere and compares with the CPU's calling thread.
fn same_bits_everywhere(case: impl Fn(&Queue) -> Result<Outputs, Error> + Send + Sync) {
    let serial = case(&Queue::new(Device::Cpu).unwrap()).unwrap();
    for threads in [1, 3] {
        let parallel = with_threads(threads, || case(&Queue::parallel(Device::Cpu)?)).unwrap().unwrap();
        serial.assert_same(&parallel, &format!("cpu, {threads} threads"));
    }
    for device in common::devices() {
        let outputs = Queue::new(device).and_then(|queue| case(&queue)).unwrap_or_else(|e| panic!("{device}: {e}"));
        serial.assert_same(&outputs, &device.to_string());
    }
}
