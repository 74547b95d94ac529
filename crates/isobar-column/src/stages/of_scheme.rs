//! Any scheme as a stage.

use isobar_core::fields::{
    AnyField, AnyFieldMut, Declared, Extents, InputSet, Kind, LAYER, Need, OutputSet, TRACER, check::complete,
};
use isobar_core::{Field, FieldMut, Real};
use isobar_launch::{Buffer, Given, Job, Outputs, Scheme, Shape};

use crate::{Error, Fields, Precision, Quantity, Stage, State, Step};

/// A scheme that reads and writes fields of a state: those that its crate declares, under the names that they have in a
/// state ([`Declared::state_name`]), optional ones if the state has them from the start. Results that are words stay
/// with the stage.
///
/// ```no_run
/// use isobar_column::State;
/// use isobar_column::stages::OfScheme;
/// use isobar_ysu::{Options, Ysu};
///
/// # fn stage(state: &State<f64>) -> Result<(), isobar_column::Error> {
/// let boundary_layer = OfScheme::new("ysu", state, Ysu::scheme(), Options::new(60.0))?;
/// # Ok(())
/// # }
/// ```
pub struct OfScheme<S: Scheme> {
    name: &'static str,
    scheme: S,
    read: Vec<&'static Declared>,
    written: Vec<&'static Declared>,
    shape: Shape<S>,
    tables: S::Tables,
    workspace: S::Workspace,
    words: Buffer<u32>,
}

impl<S: Scheme> OfScheme<S>
where
    S::Real: Precision,
{
    /// For the columns of a state.
    ///
    /// # Errors
    /// Options or sizes that the scheme does not take, fields of a shape that a state does not have, or what the device
    /// answers.
    pub fn new(name: &'static str, state: &State<S::Real>, scheme: S, options: S::Options) -> Result<Self, Error> {
        let refuse = |problem: String| Error::Stage { stage: name.into(), problem };
        let (queue, columns) = (state.queue(), state.columns());
        S::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let sizes = Extents::new(columns).with(LAYER, state.layers()).with(TRACER, state.tracers());
        // What the options need, wherever it will be.
        let (zero, none) = (S::Real::ZERO, 0);
        let inputs = <S::Inputs<'_>>::build(&mut |declared| {
            let rows = sizes.rows(declared.shape);
            match declared.kind {
                Kind::Real if rows > 0 => AnyField::Real(Field::constant(&zero, rows, columns)),
                Kind::Word if rows > 0 => AnyField::Word(Field::constant(&none, rows, columns)),
                Kind::Real => AnyField::Real(Field::empty()),
                Kind::Word => AnyField::Word(Field::empty()),
            }
        });
        let extents = scheme.extents(&inputs, &options).map_err(|error| refuse(error.to_string()))?;
        let inputs = complete(&inputs, &extents, S::ITEM, &|declared| scheme.need(declared, &options));
        let inputs = inputs.map_err(|error| refuse(error.to_string()))?;
        let words =
            |declared: &&Declared| declared.kind == Kind::Word && scheme.need(declared, &options) == Need::Required;
        if let Some(declared) = <S::Inputs<'_>>::DECLARED.iter().find(words) {
            return Err(refuse(format!("{} has words, of which a state has none", declared.name)));
        }
        let mut read = Vec::new();
        inputs.visit(&mut |declared, _| {
            read.extend(match scheme.need(declared, &options) {
                Need::Required => Some(declared),
                Need::Optional => state.position(declared.state_name()).map(|_| declared),
                Need::Ignored => None,
            });
        });
        let read_alone = |declared: &Declared| if read.contains(&declared) { declared.need() } else { Need::Ignored };
        let inputs = complete(&inputs, &extents, S::ITEM, &read_alone).map_err(|error| refuse(error.to_string()))?;
        let mut shape = Shape::new(&scheme, &inputs, &extents, &options);
        // A state's fields have all rows.
        for (given, declared) in shape.given.iter_mut().zip(<S::Inputs<'_>>::DECLARED) {
            if *given == Given::One {
                *given = Given::Rows(extents.rows(declared.shape));
            }
        }
        let results = <Outputs<'_, S>>::DECLARED;
        let words = results.iter().filter(|declared| declared.kind == Kind::Word);
        let words: usize = words.map(|declared| extents.rows(declared.shape)).sum();
        let tables = scheme.tables(queue)?;
        let workspace = scheme.workspace(queue, &tables, &shape, columns)?;
        let wanted = |declared: &&'static Declared| {
            declared.kind == Kind::Real && scheme.wants(declared, &extents, &shape.options)
        };
        let written = results.iter().filter(wanted).collect();
        Ok(Self { name, scheme, read, written, tables, workspace, words: queue.zeros(words * columns)?, shape })
    }
}

impl<S: Scheme> Stage<S::Real> for OfScheme<S>
where
    S::Real: Precision,
{
    fn name(&self) -> &str {
        self.name
    }

    fn reads(&self) -> Vec<Quantity> {
        self.read.iter().map(|declared| Quantity::of(declared)).collect()
    }

    fn writes(&self) -> Vec<Quantity> {
        self.written.iter().map(|declared| Quantity::of(declared)).collect()
    }

    fn run(&mut self, fields: &mut Fields<'_, S::Real>, _step: &Step) -> Result<(), Error> {
        let columns = fields.columns();
        let mut failure = None;
        let inputs = <S::Inputs<'_>>::build(&mut |declared| {
            if declared.kind == Kind::Word {
                return AnyField::Word(Field::empty());
            }
            let view = if self.read.contains(&declared) { fields.read_rows(declared) } else { Ok(Field::empty()) };
            AnyField::Real(view.unwrap_or_else(|error| {
                failure.get_or_insert(error);
                Field::empty()
            }))
        });
        let extents = self.shape.extents.with_items(columns);
        let words = <Outputs<'_, S>>::DECLARED.iter().filter(|declared| declared.kind == Kind::Word);
        let words: Vec<usize> = words.map(|declared| extents.rows(declared.shape)).collect();
        let mut words = self.words.parts_mut(&words, columns);
        let outputs = <Outputs<'_, S>>::build(&mut |declared| {
            if declared.kind == Kind::Word {
                return AnyFieldMut::Word(words.next().expect("as many as there are words"));
            }
            let view =
                if self.written.contains(&declared) { fields.write_rows(declared) } else { Ok(FieldMut::empty()) };
            AnyFieldMut::Real(view.unwrap_or_else(|error| {
                failure.get_or_insert(error);
                FieldMut::empty()
            }))
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let Self { scheme, shape, tables, workspace, .. } = self;
        let queue = fields.queue();
        scheme.enqueue(Job { queue, tables, workspace, options: &shape.options, extents, inputs, outputs })?;
        Ok(())
    }
}
