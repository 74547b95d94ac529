//! A figure that is drawn.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be drawn.
    #[error("cannot draw the plot: {0}")]
    Draw(String),
    /// It cannot be written.
    #[error("{}: cannot write: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It shows a column that is not among the results.
    #[error("the figure shows column {0}, whose results were not kept")]
    NoColumn(usize),
}

/// A figure, SVG.
#[derive(Clone, Debug)]
pub struct Figure(pub(super) String);

impl Figure {
    /// The text of the SVG.
    #[must_use]
    pub fn svg(&self) -> &str {
        &self.0
    }

    /// Writes the figure to a file, in place of what may be there.
    ///
    /// # Errors
    /// [`Error::Write`] if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        fs::write(path, &self.0).map_err(|cause| Error::Write { path: path.to_owned(), cause })
    }
}
