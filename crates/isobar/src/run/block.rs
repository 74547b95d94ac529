//! Some columns of a run: on their device, or in the host's memory while others are there.

use std::ops::Range;

use isobar_column::{Memory, Pipeline, Precision, Quantity, State};
use isobar_core::Real;
use isobar_launch::Queue;

use super::error::Error;
use super::model::{Model, NoStart};
use super::team::share::cut;

/// Neighbouring columns with everything that a run needs to go on with them.
pub(super) struct Block<R: Precision> {
    /// Their numbers among all columns of the run.
    pub(super) columns: Range<usize>,
    pub(super) place: Storage<R>,
}

/// Where the columns are.
pub(super) enum Storage<R: Precision> {
    Device(Box<Loaded<R>>),
    Host(Parked<R>),
}

/// Columns on a device.
pub(super) struct Loaded<R: Precision> {
    pub(super) state: State<R>,
    pub(super) pipeline: Pipeline<R>,
}

/// Columns in the host's memory.
pub(super) struct Parked<R> {
    sizes: [usize; 3],
    fields: Vec<(Quantity, Vec<R>)>,
    words: Vec<u32>,
    memory: Vec<(String, Memory)>,
}

impl<R: Precision> Loaded<R> {
    /// The columns as the case starts them.
    pub(super) fn start(model: &Model<'_, R>, columns: &Range<usize>) -> Result<Self, NoStart> {
        let queue = Queue::parallel(model.device)?;
        let whole = &model.setup.initial;
        // All columns are not copied.
        let mut state =
            if columns.len() == whole.columns { whole.state(queue)? } else { model.initial(columns).state(queue)? };
        if let Some(soil) = &model.setup.soil {
            let start = soil.at_start(&whole.ground_mean_k[columns.clone()]);
            let start: Vec<R> = start.into_iter().map(<R as Real>::from_f64).collect();
            state.insert(soil.layers.temperature(), &start)?;
        }
        let pipeline = model.pipeline(&mut state)?;
        Ok(Self { state, pipeline })
    }

    /// Columns that were parked.
    pub(super) fn load(model: &Model<'_, R>, parked: &Parked<R>) -> Result<Self, Error> {
        let mut state = State::new(Queue::parallel(model.device)?, parked.sizes)?;
        parked.fields.iter().try_for_each(|(quantity, values)| state.insert(*quantity, values))?;
        state.set_words(&parked.words)?;
        let mut pipeline = model.pipeline(&mut state)?;
        pipeline.recall(state.queue(), &parked.memory)?;
        Ok(Self { state, pipeline })
    }

    /// All that is needed to load them again.
    pub(super) fn park(&self) -> Result<Parked<R>, Error> {
        let state = &self.state;
        let field = |quantity| Ok::<_, Error>((quantity, state.to_host(quantity)?));
        Ok(Parked {
            sizes: [state.columns(), state.layers(), state.tracers()],
            fields: state.quantities().map(field).collect::<Result<_, _>>()?,
            words: state.words()?,
            memory: self.pipeline.memory(state.queue())?,
        })
    }
}

impl<R: Precision> Block<R> {
    /// The fields that the columns have.
    pub(super) fn quantities(&self) -> Vec<Quantity> {
        match &self.place {
            Storage::Device(loaded) => loaded.state.quantities().collect(),
            Storage::Host(parked) => parked.fields.iter().map(|(quantity, _)| *quantity).collect(),
        }
    }

    /// The values of a field.
    pub(super) fn values(&self, wanted: Quantity) -> Result<Vec<R>, Error> {
        match &self.place {
            Storage::Device(loaded) => Ok(loaded.state.to_host(wanted)?),
            Storage::Host(parked) => {
                let found = parked.fields.iter().find(|(quantity, _)| *quantity == wanted);
                Ok(found.expect("all blocks have the same fields").1.clone())
            }
        }
    }

    /// What became of each column: [`isobar_column::limits::WORDS`].
    pub(super) fn words(&self) -> Result<Vec<u32>, Error> {
        match &self.place {
            Storage::Device(loaded) => Ok(loaded.state.words()?),
            Storage::Host(parked) => Ok(parked.words.clone()),
        }
    }

    /// What stages keep beside the fields, a value a cell.
    pub(super) fn memory(&self) -> Result<Vec<(String, Memory)>, Error> {
        match &self.place {
            Storage::Device(loaded) => Ok(loaded.pipeline.memory(loaded.state.queue())?),
            Storage::Host(parked) => Ok(parked.memory.clone()),
        }
    }

    /// Takes its columns of a field of all.
    pub(super) fn set(&mut self, quantity: Quantity, whole: &[f64], columns: usize) -> Result<(), Error> {
        let own = cut(whole, columns, &self.columns).into_iter().map(<R as Real>::from_f64).collect::<Vec<R>>();
        match &mut self.place {
            Storage::Device(loaded) => loaded.state.insert(quantity, &own)?,
            Storage::Host(parked) => {
                let found = parked.fields.iter_mut().find(|(other, _)| *other == quantity);
                found.expect("all blocks have the same fields").1 = own;
            }
        }
        Ok(())
    }

    /// Takes its columns of the words of all.
    pub(super) fn set_words(&mut self, whole: &[u32], columns: usize) -> Result<(), Error> {
        let own = cut(whole, columns, &self.columns);
        match &mut self.place {
            Storage::Device(loaded) => loaded.state.set_words(&own)?,
            Storage::Host(parked) => parked.words = own,
        }
        Ok(())
    }

    /// Takes its columns of what the stages of all columns keep.
    pub(super) fn set_memory(&mut self, whole: &[(String, Memory)], columns: usize) -> Result<(), Error> {
        let own = |memory: &Memory| -> Memory {
            memory.iter().map(|(name, values)| (*name, cut(values, columns, &self.columns))).collect()
        };
        let memory: Vec<_> = whole.iter().map(|(stage, memory)| (stage.clone(), own(memory))).collect();
        match &mut self.place {
            Storage::Device(loaded) => loaded.pipeline.recall(loaded.state.queue(), &memory)?,
            Storage::Host(parked) => parked.memory = memory,
        }
        Ok(())
    }
}
