//! Batches in, results out: items are checked, computed, and refused where they are bad.

use isobar_core::fields::{self, AnyFieldMut, Extents, OutputSet, OwnedOutputs};
use isobar_core::{FieldMut, Status};

use super::checks::{in_parts, set_status};
use super::{BadItems, Model, RunError, Watch};
use crate::scheme::{Outputs, Scheme, Shape};
use crate::{Device, Error};

impl<S: Scheme> Model<S> {
    /// The results of a batch: vectors whose sizes are right, or views.
    ///
    /// # Errors
    /// Options, sizes or the first item that is not valid; a device that fails.
    pub fn run<'a, I>(&self, inputs: I, options: &S::Options) -> Result<S::Results, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let mut results = S::Results::default();
        self.run_into(inputs, options, &mut results)?;
        Ok(results)
    }

    /// Writes what [`Model::run`] gives into results of before, whose memory is used again where it has the right size:
    /// to touch new memory takes the host of a GPU longer than the copies. The answer is what is wrong with flagged
    /// items.
    ///
    /// # Errors
    /// As [`Model::run`]. After [`RunError::Interrupted`] finished items have their results; after another error no
    /// value means anything.
    pub fn run_into<'a, I>(
        &self,
        inputs: I,
        options: &S::Options,
        results: &mut S::Results,
    ) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        results.resize(&extents, &|declared| self.scheme.wants(declared, &extents, &shape.options))?;
        self.run_shaped(&inputs, &shape, &extents, &results.views(extents.items()), Watch::default())
    }

    /// Writes what [`Model::run`] gives into the caller's memory, in any layout. A field that the options do not want
    /// may be left out, and is not written.
    ///
    /// # Errors
    /// As [`Model::run_into`]; a field that is wanted and has another size.
    pub fn run_views<'a, I>(
        &self,
        inputs: I,
        options: &S::Options,
        results: &Outputs<'_, S>,
    ) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        self.run_watched(inputs, options, results, Watch::default())
    }

    /// Runs as [`Model::run_views`], with a flag that stops it and its progress.
    ///
    /// # Errors
    /// As [`Model::run_views`].
    pub fn run_watched<'a, I>(
        &self,
        inputs: I,
        options: &S::Options,
        results: &Outputs<'_, S>,
        watch: Watch<'_>,
    ) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        let wanted = Self::wanted(&shape, &extents, results)?;
        self.run_shaped(&inputs, &shape, &extents, &wanted, watch)
    }

    /// What is wrong with the items of a batch, one error a bad item.
    ///
    /// # Errors
    /// Options or sizes that do not fit.
    pub fn check<'a, I>(&self, inputs: I, options: &S::Options) -> Result<Vec<fields::Error>, RunError>
    where
        I: TryInto<S::Inputs<'a>>,
        fields::Error: From<I::Error>,
    {
        let (inputs, shape, extents) = self.shape(inputs.try_into().map_err(fields::Error::from)?, options)?;
        Ok(in_parts(extents.items(), |part| self.scheme.check(&inputs, &extents, &shape.options, part)))
    }

    /// The views to write that are wanted, whose sizes are right.
    pub(super) fn wanted<'o>(
        shape: &Shape<S>,
        extents: &Extents,
        results: &Outputs<'o, S>,
    ) -> Result<Outputs<'o, S>, fields::Error> {
        let mut fields = Vec::new();
        results.visit(&mut |_, field| fields.push(field));
        let (mut given, mut wrong) = (fields.into_iter().zip(&shape.wanted), None);
        let wanted = <Outputs<'_, S>>::build(&mut |declared| match given.next().expect("one a field") {
            (field, true) => {
                let (rows, items) = field.extent();
                if (rows, items) != (extents.rows(declared.shape), extents.items()) {
                    wrong.get_or_insert_with(|| fields::check::size_error(declared, rows * items, extents, S::ITEM));
                }
                field
            }
            (AnyFieldMut::Real(_), false) => AnyFieldMut::Real(FieldMut::empty()),
            (AnyFieldMut::Word(_), false) => AnyFieldMut::Word(FieldMut::empty()),
        });
        match wrong {
            Some(error) => Err(error),
            None => Ok(wanted),
        }
    }

    fn run_shaped(
        &self,
        inputs: &S::Inputs<'_>,
        shape: &Shape<S>,
        extents: &Extents,
        results: &Outputs<'_, S>,
        watch: Watch<'_>,
    ) -> Result<Vec<fields::Error>, RunError> {
        let (items, options) = (extents.items(), &shape.options);
        set_status::<S>(results, 0..items, Status::NOT_COMPUTED);
        let compute = || self.compute(inputs, shape, results, items, watch);
        // A bad item does no harm to others, so that the check need not come first.
        let check = |part| match self.bad_items {
            BadItems::Compute => Vec::new(),
            BadItems::Stop | BadItems::Flag => self.scheme.check(inputs, extents, options, part),
        };
        let one_thread = self.devices.iter().all(|&device| device == Device::Thread);
        let (done, mut refused) =
            if one_thread { (compute(), check(0..items)) } else { rayon::join(compute, || in_parts(items, check)) };
        if self.bad_items == BadItems::Stop
            && let Some(first) = refused.first()
        {
            return Err(first.clone().into());
        }
        for item in refused.iter().filter_map(fields::Error::item) {
            results.refuse(item);
            set_status::<S>(results, item..item + 1, Status::OUT_OF_RANGE);
        }
        done.map_err(|(source, done)| RunError::Interrupted { source, done, items, item_name: S::ITEM })?;
        let check = |part| match self.bad_items {
            BadItems::Compute => Vec::new(),
            BadItems::Stop | BadItems::Flag => self.scheme.check_results(results, extents, options, part),
        };
        let not_finite = if one_thread { check(0..items) } else { in_parts(items, check) };
        if self.bad_items == BadItems::Stop
            && let Some(first) = not_finite.first()
        {
            return Err(first.clone().into());
        }
        for item in not_finite.iter().filter_map(fields::Error::item) {
            results.refuse(item);
            set_status::<S>(results, item..item + 1, Status::NOT_FINITE);
        }
        refused.extend(not_finite);
        Ok(refused)
    }

    /// The inputs with single values stretched over all items, what memory for a chunk depends on, and the sizes.
    pub(super) fn shape<'a>(
        &self,
        inputs: S::Inputs<'a>,
        options: &S::Options,
    ) -> Result<(S::Inputs<'a>, Shape<S>, Extents), RunError> {
        if self.devices.is_empty() {
            return Err(Error::NoDevice.into());
        }
        let extents = self.scheme.extents(&inputs, options)?;
        let need = |declared: &fields::Declared| self.scheme.need(declared, options);
        let inputs = fields::check::complete(&inputs, &extents, S::ITEM, &need)?;
        let shape = Shape::new(&self.scheme, &inputs, &extents, options);
        Ok((inputs, shape, extents))
    }
}
