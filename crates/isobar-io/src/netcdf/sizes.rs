//! One size a dimension, whatever variable has it.

use std::fmt;

use super::Dimension;

/// The sizes of the dimensions met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes(Vec<Size>);

#[derive(Clone, Debug)]
struct Size {
    dimension: Dimension,
    /// What the file calls the dimension.
    called: String,
    size: usize,
    /// Who has it.
    variable: String,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dimension)?;
        if self.called != self.dimension.name() {
            write!(f, " ({})", self.called)?;
        }
        write!(f, " = {}", self.size)
    }
}

impl Sizes {
    pub(super) fn get(&self, dimension: Dimension) -> Option<usize> {
        self.find(dimension).map(|known| known.size)
    }

    /// Notes that a variable has a dimension of this size, which its file calls `called`; a sentence where another
    /// variable has another size.
    pub(super) fn note(
        &mut self,
        dimension: Dimension,
        called: &str,
        size: usize,
        variable: &str,
    ) -> Result<(), String> {
        let new = Size { dimension, called: called.to_owned(), size, variable: variable.to_owned() };
        if let Some(known) = self.find(dimension) {
            if known.size != size {
                return Err(format!("{variable} has dimension {new}, but {} has {known}", known.variable));
            }
            return Ok(());
        }
        for other in &self.0 {
            // Layers are one more than the interfaces between them, and one fewer than levels.
            if let (Some(here), Some(there)) = (levels(dimension, size), levels(other.dimension, other.size))
                && here != there
            {
                return Err(format!(
                    "{variable} has dimension {new}, but {} has {other}; n layers have n + 1 levels{}",
                    other.variable,
                    if [dimension, other.dimension].contains(&Dimension::Interface) {
                        " and n - 1 interfaces"
                    } else {
                        ""
                    }
                ));
            }
        }
        self.0.push(new);
        Ok(())
    }

    fn find(&self, dimension: Dimension) -> Option<&Size> {
        self.0.iter().find(|known| known.dimension == dimension)
    }
}

/// The number of levels of a column by the size of its dimension of layers, levels or interfaces.
fn levels(dimension: Dimension, size: usize) -> Option<usize> {
    match dimension {
        Dimension::Level => Some(size),
        Dimension::Layer => Some(size + 1),
        Dimension::Interface => Some(size + 2),
        _ => None,
    }
}
