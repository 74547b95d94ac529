//! Batches that lie in a device's memory: computed there, at once or in the order of another library's stream.

use std::sync::atomic::Ordering;

use isobar_core::fields::{self, InputSet, OutputSet};

use super::places::InPlace;
use super::share::has_short_offsets;
use super::{Model, RunError, Watch};
use crate::chunk::clear_statuses;
use crate::scheme::{Job, Outputs, Scheme, Shape};
use crate::{Device, Error, ForeignStream};

/// A batch in a device's memory.
struct OnDevice<'a, 'o, S: Scheme> {
    inputs: S::Inputs<'a>,
    shape: Shape<S>,
    items: usize,
    results: Outputs<'o, S>,
}

impl<S: Scheme> Model<S> {
    /// Computes a batch that lies in the memory of one of the model's devices, into results there: no field is copied.
    /// The bits are those of [`Model::run`].
    ///
    /// Sizes are checked, but no values: what became of an item is what its status says. All work that the process has
    /// given to the device before comes before, and the results are there when it returns.
    ///
    /// # Errors
    /// Options or sizes that do not fit, a device that is none of the model's or fails, layouts that the kernels do not
    /// take ([`Error::Layout`]), a scheme whose kernels take the host's arrays alone ([`Scheme::HOST_VIEWS`]).
    ///
    /// # Safety
    /// All views are of memory of the device, single values too, and nobody else writes the inputs or uses the results
    /// meanwhile.
    pub unsafe fn run_on<'a, I>(
        &self,
        device: Device,
        inputs: I,
        options: &S::Options,
        results: &Outputs<'_, S>,
        watch: Watch<'_>,
    ) -> Result<(), RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let OnDevice { inputs, shape, items, results } = self.on_device(device, inputs, options, results)?;
        let stopped =
            || [self.stop.as_deref(), watch.stop].into_iter().flatten().any(|stop| stop.load(Ordering::Relaxed));
        let (mut done, mut size) = (0, items);
        let mut place = loop {
            match self.place(device, &shape, size) {
                Err(Error::OutOfMemory { .. }) if size > 1 => size = size.div_ceil(2),
                place => break Some(place?),
            }
        };
        let interrupted = |source, done| RunError::Interrupted { source, done, items, item_name: S::ITEM };
        let queue = |place: &Option<InPlace<S>>| -> Result<(), Error> {
            place.as_ref().map_or(Ok(()), |place| place.queue.synchronize())
        };
        if let Some(InPlace { queue, .. }) = &place {
            queue.synchronize_device()?;
            // SAFETY: the views are of the device's memory, says the caller.
            unsafe { clear_statuses::<S>(queue, &results)? };
        }
        while done < items {
            if stopped() {
                queue(&place)?;
                return Err(interrupted(Error::Stopped, done));
            }
            let range = done..items.min(done + size);
            let views = (inputs.range(&range), results.range(&range));
            match self.job(device, &shape, &mut place, views, range.len()) {
                Ok(()) => {}
                Err(Error::OutOfMemory { .. }) if range.len() > 1 => {
                    size = range.len().div_ceil(2);
                    continue;
                }
                Err(error) => return Err(interrupted(error, done)),
            }
            done = range.end;
            if size < items || watch.progress.is_some() {
                queue(&place)?;
            }
            watch.progress.iter().for_each(|progress| progress(done));
        }
        queue(&place).map_err(|error| interrupted(error, 0))?;
        self.idle_in_place.lock().expect("no worker panics").extend(place);
        Ok(())
    }

    /// Enqueues what [`Model::run_on`] computes in the order of another library's stream, without waiting: the call
    /// returns at once, and the results are there for what the stream is given next. A failure of a kernel shows itself
    /// in a later call.
    ///
    /// A stream that records a graph records the kernels. Nothing can be allocated meanwhile, so that the graph takes
    /// over the work memory of a call before, of the same shapes and options, and keeps it until the model is dropped,
    /// which has to live as long as the graph. Calls of one graph share it: they come one after the other.
    ///
    /// # Errors
    /// As [`Model::run_on`]; work memory that does not fit, or that no call before has left to a graph.
    ///
    /// # Safety
    /// As [`Model::run_on`], until the stream is done with the call or the graph is no more, and the stream is one of
    /// the device.
    pub unsafe fn enqueue_on<'a, I>(
        &self,
        (device, stream): (Device, ForeignStream),
        inputs: I,
        options: &S::Options,
        results: &Outputs<'_, S>,
    ) -> Result<(), RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let OnDevice { inputs, shape, items, results } = self.on_device(device, inputs, options, results)?;
        // SAFETY: it is one of the device, says the caller.
        let graph = unsafe { stream.graph(device)? };
        let mut place = match graph {
            Some(graph) => self.place_for_graph(graph, device, &shape, items)?,
            None => self.place(device, &shape, items)?,
        };
        let InPlace { queue, tables, workspace, .. } = &mut place;
        // SAFETY: as above.
        unsafe { queue.follow_foreign(stream)? };
        // SAFETY: the views are of the device's memory, says the caller.
        let cleared = unsafe { clear_statuses::<S>(queue, &results) };
        let (options, extents) = (&shape.options, shape.extents.with_items(items));
        let enqueued = cleared.and_then(|()| {
            self.scheme.enqueue(Job { queue, tables, workspace, options, extents, inputs, outputs: results })
        });
        // SAFETY: as above. A graph has to come back to its stream after an error, too.
        let led = unsafe { queue.lead_foreign(stream) };
        match graph {
            Some(graph) => self.recorded.lock().expect("no worker panics").push((graph, place)),
            None => self.idle_in_place.lock().expect("no worker panics").push(place),
        }
        Ok(enqueued.and(led)?)
    }

    /// Work memory for a call that a graph records: of another call of the graph, or of one before it.
    fn place_for_graph(
        &self,
        graph: u64,
        device: Device,
        shape: &Shape<S>,
        items: usize,
    ) -> Result<InPlace<S>, RunError> {
        let fits = |place: &InPlace<S>| place.queue.device() == device && place.fits(shape, items);
        let mut recorded = self.recorded.lock().expect("no worker panics");
        if let Some(known) = recorded.iter().position(|(number, place)| *number == graph && fits(place)) {
            return Ok(recorded.swap_remove(known).1);
        }
        let mut idle = self.idle_in_place.lock().expect("no worker panics");
        match idle.iter().position(fits) {
            Some(known) => Ok(idle.swap_remove(known)),
            None => {
                let text = "a graph that is recorded takes over the work memory of a call before it, of the same \
                            shapes and options, with a stream: there is none";
                Err(fields::Error::Setup(text.to_owned()).into())
            }
        }
    }

    /// A batch in a device's memory, whose sizes and layouts are checked.
    fn on_device<'a, 'o, I>(
        &self,
        device: Device,
        inputs: I,
        options: &S::Options,
        results: &Outputs<'o, S>,
    ) -> Result<OnDevice<'a, 'o, S>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        if S::HOST_VIEWS {
            let text = format!("{}s are computed from arrays of the host alone", S::ITEM);
            return Err(fields::Error::Setup(text).into());
        }
        if !self.devices.contains(&device) {
            let own: Vec<String> = self.devices.iter().map(ToString::to_string).collect();
            let text = format!("the arrays are on {device}, and the model computes on {}", own.join(", "));
            return Err(fields::Error::Setup(text).into());
        }
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        let results = Self::wanted(&shape, &extents, results)?;
        let items = extents.items();
        let fits = match device.is_cpu() {
            true => self.scheme.fits_layout(&inputs, &results),
            false => self.scheme.fits_device_layout(&inputs, &results),
        };
        if !(fits && has_short_offsets(&inputs, &results) && items <= shape.most_items()) {
            return Err(Error::Layout { what: "fields" }.into());
        }
        Ok(OnDevice { inputs, shape, items, results })
    }
}
