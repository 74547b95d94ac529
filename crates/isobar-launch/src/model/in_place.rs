//! Items that are computed in the memory of the caller.

use isobar_core::Status;
use isobar_core::fields::{InputSet, OutputSet};

use super::Model;
use super::checks::set_status;
use super::places::InPlace;
use crate::pool::Pool;
use crate::scheme::{Job, Outputs, Scheme, Shape};
use crate::{Device, Error};

impl<S: Scheme> Model<S> {
    /// Computes what the pool has left in the memory of the caller.
    pub(super) fn in_place(
        &self,
        device: Device,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        results: &Outputs<'_, S>,
        pool: &Pool<'_>,
    ) -> Result<(), Error> {
        let (mut size, mut place) = (self.usual_items(device, shape, pool.items()), None);
        while let Some(range) = pool.take(size) {
            // Kernels that write no status leave it as it is in the new memory of a device.
            set_status::<S>(results, range.clone(), Status::OK);
            let views = (inputs.range(&range), results.range(&range));
            match self.present(device, pool).and_then(|()| self.job(device, shape, &mut place, views, range.len())) {
                Ok(()) => pool.done(range.len()),
                Err(error) => {
                    set_status::<S>(results, range.clone(), Status::NOT_COMPUTED);
                    size = range.len().div_ceil(2);
                    let halved = matches!(error, Error::OutOfMemory { .. }) && range.len() > 1;
                    pool.put_back(range);
                    if !halved {
                        return Err(error);
                    }
                }
            }
        }
        self.idle_in_place.lock().expect("no worker panics").extend(place);
        Ok(())
    }

    /// Computes some items in the memory of the caller.
    pub(super) fn job(
        &self,
        device: Device,
        shape: &Shape<S>,
        place: &mut Option<InPlace<S>>,
        (inputs, outputs): (S::Inputs<'_>, Outputs<'_, S>),
        items: usize,
    ) -> Result<(), Error> {
        let InPlace { queue, tables, workspace, .. } = match place {
            Some(place) if place.items >= items => place,
            _ => place.insert(self.place(device, shape, items)?),
        };
        let extents = shape.extents.with_items(items);
        self.scheme.enqueue(Job { queue, tables, workspace, options: &shape.options, extents, inputs, outputs })
    }

    /// A queue of a CPU with a workspace for `items` items: an idle one that fits, or a new one.
    pub(super) fn place(&self, device: Device, shape: &Shape<S>, items: usize) -> Result<InPlace<S>, Error> {
        let mut idle = self.idle_in_place.lock().expect("no worker panics");
        // What does not fit now gives its memory back.
        idle.retain(|place| place.queue.device() != device || place.fits(shape, items));
        if let Some(known) = idle.iter().position(|place| place.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        let queue = self.queue(device)?;
        let tables = self.tables_on(&queue)?;
        let workspace = self.scheme.workspace(&queue, &tables, shape, items)?;
        Ok(InPlace { queue, tables, shape: shape.clone(), items, workspace })
    }
}
