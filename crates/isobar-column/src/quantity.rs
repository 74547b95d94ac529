//! What a field is.

use std::fmt;

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One a column.
    Column,
    /// `(layer, column)`.
    Layers,
    /// `(level, column)`, one more than layers.
    Levels,
    /// `(layer, tracer, column)`.
    LayersOfTracers,
    /// `(tracer, column)`.
    Tracers,
    /// `(layer of soil, column)`, of so many layers, the uppermost one first.
    Soil(usize),
}

impl Shape {
    /// The values of a column with these layers and tracers.
    #[must_use]
    pub fn per_column(self, layers: usize, tracers: usize) -> usize {
        match self {
            Self::Column => 1,
            Self::Layers => layers,
            Self::Levels => layers + 1,
            Self::LayersOfTracers => layers * tracers,
            Self::Tracers => tracers,
            Self::Soil(layers) => layers,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Column => "(column)",
            Self::Layers => "(layer, column)",
            Self::Levels => "(level, column)",
            Self::LayersOfTracers => "(layer, tracer, column)",
            Self::Tracers => "(tracer, column)",
            Self::Soil(_) => "(soil_layer, column)",
        })
    }
}

/// A field by its name, with the unit of its values and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its name; CF's where it has one.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its shape.
    pub shape: Shape,
}

impl Quantity {
    /// A field of a column's value.
    #[must_use]
    pub const fn of_column(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, shape: Shape::Column }
    }

    /// A field of layers.
    #[must_use]
    pub const fn of_layers(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, shape: Shape::Layers }
    }

    /// A field of levels.
    #[must_use]
    pub const fn of_levels(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, shape: Shape::Levels }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.name, self.unit)
    }
}
