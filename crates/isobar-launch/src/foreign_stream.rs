//! Streams of other libraries.

use crate::{Device, Error};

/// A stream of another library of the process, by its handle: a `CUstream` or `cudaStream_t` as a number.
///
/// For a CPU it is any number: nothing there is given to streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignStream(pub usize);

impl ForeignStream {
    /// The number of the graph that it records at the moment.
    ///
    /// # Safety
    /// It is a stream of the device.
    pub(crate) unsafe fn graph(self, device: Device) -> Result<Option<u64>, Error> {
        match device {
            Device::Thread | Device::Cpu => Ok(None),
            // SAFETY: the caller vouches for it.
            Device::Cuda(number) => unsafe { self.graph_on(number) },
        }
    }
}
