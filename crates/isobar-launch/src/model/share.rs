//! How devices and their workers share the items of a batch.

use isobar_core::fields::{AnyField, AnyFieldMut, InputSet, OutputSet};

use super::{Model, Watch};
use crate::pool::Pool;
use crate::scheme::{Outputs, Scheme, Shape};
use crate::{Device, Error};

impl<S: Scheme> Model<S> {
    /// Computes all items; with an error comes how many are done.
    pub(super) fn compute(
        &self,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        results: &Outputs<'_, S>,
        items: usize,
        watch: Watch<'_>,
    ) -> Result<(), (Error, usize)> {
        let progress = |done: usize| {
            if let Some(progress) = &self.progress {
                progress(done);
            }
            if let Some(progress) = watch.progress {
                progress(done);
            }
        };
        let pool = Pool::new(items, &progress, [self.stop.as_deref(), watch.stop]);
        // The host's arrays are the CPU's, so that nothing is copied; kernels compute offsets in all of them with 32
        // bits.
        let in_place = S::HOST_VIEWS
            || self.items_per_chunk.is_none()
                && items <= shape.most_items()
                && self.devices.iter().all(|device| device.is_cpu())
                && has_short_offsets(inputs, results)
                && self.scheme.fits_layout(inputs, results);
        let workers = |device| match device {
            // Each thread copies, too.
            Device::Cpu if !in_place => rayon::current_num_threads(),
            device => self.workers(device),
        };
        pool.run(&self.devices, workers, |device, pool| {
            if in_place {
                self.in_place(device, inputs, shape, results, pool)
            } else {
                self.in_chunks(device, inputs, shape, results, pool)
            }
        })
    }

    /// The workers that a device gets: see [`Scheme::job_a_thread`] and [`Scheme::gpu_workers`].
    pub fn workers(&self, device: Device) -> usize {
        match device {
            Device::Cpu if self.scheme.job_a_thread() => rayon::current_num_threads(),
            Device::Thread | Device::Cpu => 1,
            Device::Cuda(_) => self.scheme.gpu_workers(),
        }
    }

    /// The size of a chunk of a batch of `items`, if a device's memory holds it.
    pub(super) fn usual_items(&self, device: Device, shape: &Shape<S>, items: usize) -> usize {
        let share = items.div_ceil(self.devices.len());
        let usual = || self.scheme.chunk_items(device, &shape.extents.with_items(share));
        // A GPU's memory is for larger batches to come, too; a CPU's is had at no cost.
        let most = if device.is_cpu() { shape.most_items().min(items) } else { shape.most_items() };
        self.items_per_chunk.unwrap_or_else(usual).min(most).max(1)
    }

    /// Is the device still there? Always, but for tests.
    pub(super) fn present(&self, device: Device, pool: &Pool<'_>) -> Result<(), Error> {
        match self.lost_after {
            Some(items) if pool.finished() >= items => Err(Error::DeviceLost { device, what: "a test".into() }),
            _ => Ok(()),
        }
    }
}

/// Are the offsets in all views numbers of 32 bits, as kernels compute them? Parts of a larger array may be far apart.
pub(super) fn has_short_offsets<'a, 'b>(inputs: &impl InputSet<'a>, results: &impl OutputSet<'b>) -> bool {
    fn is_short((rows, items): (usize, usize), (row, item): (isize, isize)) -> bool {
        let reach = |count: usize, stride: isize| count.saturating_sub(1).saturating_mul(stride.unsigned_abs());
        reach(rows, row).saturating_add(reach(items, item)) < i32::MAX as usize
    }
    let mut short = true;
    inputs.visit(&mut |_, field| {
        short &= match field {
            AnyField::Real(real) => is_short(field.extent(), real.strides()),
            AnyField::Word(word) => is_short(field.extent(), word.strides()),
        };
    });
    results.visit(&mut |_, field| {
        short &= match field {
            AnyFieldMut::Real(real) => is_short(field.extent(), real.strides()),
            AnyFieldMut::Word(word) => is_short(field.extent(), word.strides()),
        };
    });
    short
}
