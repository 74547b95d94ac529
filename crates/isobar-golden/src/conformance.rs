//! Every kernel gives the same bits on the CPU, whatever the threads, and on every GPU, in f32 and f64.

use isobar_launch::{Device, Error, Queue, with_threads};

use crate::{Outputs, gpus};

/// Tests cases in both precisions on all devices. A case is a function, generic over the precision, that runs kernels
/// on a queue and returns their outputs; its tests are `NAME::f32` and `NAME::f64`.
#[macro_export]
macro_rules! conformance {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[test]
            fn f32() {
                $crate::same_bits_everywhere(super::$name::<f32>);
            }
            #[test]
            fn f64() {
                $crate::same_bits_everywhere(super::$name::<f64>);
            }
        }
    )*};
}

/// Runs a case everywhere and compares with the CPU's calling thread.
///
/// # Panics
/// If the bits of some device are others, or it fails.
pub fn same_bits_everywhere(case: impl Fn(&Queue) -> Result<Outputs, Error> + Send + Sync) {
    let serial = case(&Queue::new(Device::Cpu).unwrap()).unwrap();
    let parallel = with_threads(3, || case(&Queue::parallel(Device::Cpu)?)).unwrap().unwrap();
    serial.assert_same(&parallel, "cpu, 3 threads");
    for device in gpus() {
        let outputs = Queue::new(device).and_then(|queue| case(&queue)).unwrap_or_else(|e| panic!("{device}: {e}"));
        serial.assert_same(&outputs, &device.to_string());
    }
}
