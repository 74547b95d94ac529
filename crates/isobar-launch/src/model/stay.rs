//! Batches that stay on the devices from run to run.

use std::sync::Arc;

use isobar_core::fields;

use super::checks::in_parts;
use super::{BadItems, Model, RunError};
use crate::resident::Resident;
use crate::scheme::Scheme;
use crate::{Device, Error, Queue};

impl<S: Scheme> Model<S> {
    /// Takes a batch to the devices, where it stays from run to run. Its values are checked.
    ///
    /// # Errors
    /// As [`Model::run`].
    pub fn resident<'a, I>(&self, inputs: I, options: &S::Options) -> Result<Resident<'_, S>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let inputs = inputs.try_into().map_err(fields::Error::from)?;
        self.resident_on(inputs, options, &|device| self.queue(device).map(Arc::new))
    }

    /// Takes a batch to the devices as [`Model::resident`] does, by the queues of another one: what both are given is
    /// computed one after the other.
    ///
    /// # Errors
    /// As [`Model::run`].
    pub fn resident_beside<'a, I>(
        &self,
        other: &Resident<'_, S>,
        inputs: I,
        options: &S::Options,
    ) -> Result<Resident<'_, S>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let inputs = inputs.try_into().map_err(fields::Error::from)?;
        self.resident_on(inputs, options, &|device| {
            let known = other.queues().find(|queue| queue.device() == device);
            known.map_or_else(|| self.queue(device).map(Arc::new), |queue| Ok(queue.clone()))
        })
    }

    fn resident_on(
        &self,
        inputs: S::Inputs<'_>,
        options: &S::Options,
        queue: &dyn Fn(Device) -> Result<Arc<Queue>, Error>,
    ) -> Result<Resident<'_, S>, RunError> {
        if S::HOST_VIEWS {
            return Err(fields::Error::Setup(format!("{}s do not stay on a device", S::ITEM)).into());
        }
        let (inputs, shape, extents) = self.shape(inputs, options)?;
        let items = extents.items();
        if self.bad_items != BadItems::Compute {
            let refused = in_parts(items, |part| self.scheme.check(&inputs, &extents, &shape.options, part));
            if let Some(first) = refused.into_iter().next() {
                return Err(first.into());
            }
        }
        let mut resident = Resident::new(&self.scheme, shape);
        for (number, &device) in self.devices.iter().enumerate() {
            let share = items * number / self.devices.len()..items * (number + 1) / self.devices.len();
            let tables = self.tables_on(&*queue(device)?)?;
            resident.take(&|| queue(device), &tables, &inputs, share)?;
        }
        Ok(resident)
    }
}
