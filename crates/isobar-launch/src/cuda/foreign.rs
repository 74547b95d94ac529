//! Streams of other libraries: what comes before and after them, and whether they record a graph.

use cust::sys::{
    CUevent, CUevent_flags_enum, CUstream, CUstreamCaptureStatus_enum, cuEventCreate, cuEventDestroy_v2, cuEventRecord,
    cuStreamGetCaptureInfo, cuStreamWaitEvent, cudaError_enum,
};

use super::gpu::{self, Gpu};
use crate::{Error, ForeignStream};

impl ForeignStream {
    fn handle(self) -> CUstream {
        std::ptr::with_exposed_provenance_mut(self.0)
    }

    /// The number of the graph that the stream of this GPU records at the moment.
    ///
    /// # Safety
    /// It is one.
    pub(crate) unsafe fn graph_on(self, number: u32) -> Result<Option<u64>, Error> {
        let gpu = gpu::get(number)?;
        gpu.enter()?;
        let (mut status, mut number) = (CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_NONE, 0);
        // SAFETY: there is room for both answers, and the caller vouches for the stream.
        answer(gpu, unsafe { cuStreamGetCaptureInfo(self.handle(), &raw mut status, &raw mut number) })?;
        Ok((status == CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_ACTIVE).then_some(number))
    }
}

/// An event that puts a stream of ours before or after another library's.
pub(super) struct Order(CUevent);

// SAFETY: a handle of the driver's, which any thread may use.
unsafe impl Send for Order {}
// SAFETY: as above.
unsafe impl Sync for Order {}

impl Order {
    /// An event of the GPU that has been entered.
    pub(super) fn new(gpu: &Gpu) -> Result<Self, Error> {
        let mut event = std::ptr::null_mut();
        // SAFETY: there is room for the handle.
        let made = unsafe { cuEventCreate(&raw mut event, CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32) };
        answer(gpu, made)?;
        Ok(Self(event))
    }

    /// What `own` is given from now on comes after what the other stream was given until now.
    ///
    /// # Safety
    /// They are streams of the GPU, which has been entered.
    pub(super) unsafe fn follow(&self, gpu: &Gpu, own: CUstream, other: ForeignStream) -> Result<(), Error> {
        // SAFETY: the caller vouches for the streams.
        unsafe { self.between(gpu, other.handle(), own) }
    }

    /// What the other stream is given from now on comes after what `own` was given until now.
    ///
    /// # Safety
    /// As [`Order::follow`].
    pub(super) unsafe fn lead(&self, gpu: &Gpu, own: CUstream, other: ForeignStream) -> Result<(), Error> {
        // SAFETY: the caller vouches for the streams.
        unsafe { self.between(gpu, own, other.handle()) }
    }

    unsafe fn between(&self, gpu: &Gpu, earlier: CUstream, later: CUstream) -> Result<(), Error> {
        // SAFETY: the event is there until this is dropped, and the caller vouches for the streams.
        answer(gpu, unsafe { cuEventRecord(self.0, earlier) })?;
        // SAFETY: as above.
        answer(gpu, unsafe { cuStreamWaitEvent(later, self.0, 0) })
    }
}

impl Drop for Order {
    fn drop(&mut self) {
        // SAFETY: nobody else has the handle, and the driver keeps what streams still wait for. If it fails, the device
        // is lost.
        unsafe { cuEventDestroy_v2(self.0) };
    }
}

fn answer(gpu: &Gpu, result: cudaError_enum) -> Result<(), Error> {
    match result {
        cudaError_enum::CUDA_SUCCESS => Ok(()),
        error => Err(Error::Driver {
            device: gpu.device(),
            doing: "follow another library's stream",
            what: format!("{error:?}"),
        }),
    }
}
