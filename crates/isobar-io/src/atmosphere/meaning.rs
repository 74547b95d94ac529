//! What the numbers of a file with the layout of an atmosphere are.

use super::layers::FIXED;
use super::levels::{PLACES, columns};
use crate::column::Column;
use crate::control::Control;

/// The meaning of an atmosphere's numbers, but for time and place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProfileMeaning {
    /// The quantities themselves, or their errors.
    #[default]
    Values,
    /// What part of each the measurement contributes.
    Contribution,
    /// How far each is resolved, in levels.
    Resolution,
}

impl ProfileMeaning {
    /// A title, of what it is called of an atmosphere itself.
    pub(super) fn title(self, name: &str) -> String {
        match self {
            Self::Values => name.to_owned(),
            Self::Contribution => format!("contribution of the measurement to {name}"),
            Self::Resolution => format!("resolution in levels of {name}"),
        }
    }

    /// The columns of a text.
    pub(super) fn columns(self, control: &Control) -> Vec<Column> {
        const { assert!(PLACES < FIXED) };
        let mut all = columns(control);
        if self != Self::Values {
            all[PLACES..].iter_mut().for_each(|column| *column = Column::anything(self.title(&column.name), "1"));
        }
        all
    }
}
