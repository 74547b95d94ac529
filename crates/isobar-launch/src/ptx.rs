//! Kernels as PTX, the text that NVIDIA's driver compiles.

use std::path::Path;

use crate::Error;

/// A module of compiled kernels. [`crate::Queue::load`] brings it to a GPU; a CPU needs none.
///
/// ```
/// use isobar_launch::{Device, Ptx, Queue};
///
/// const KERNELS: Ptx = Ptx::embedded(".version 7.0\n.target sm_80\n.visible .entry nothing_f64() { ret; }");
/// Queue::new(Device::Cpu)?.load(KERNELS)?;
/// # Ok::<(), isobar_launch::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ptx {
    text: &'static str,
}

impl Ptx {
    /// PTX that is part of the program, as from `include_str!`.
    #[must_use]
    pub const fn embedded(text: &'static str) -> Self {
        Self { text }
    }

    /// PTX of a file. It stays in memory until the process ends, for a GPU's kernels do.
    ///
    /// # Errors
    /// [`Error::Ptx`] if the file cannot be read or has no kernel.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let refuse = |why: String| Error::Ptx { path: path.to_owned(), why };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        if !text.contains(".entry ") {
            return Err(refuse("it has no kernel (no `.entry`)".to_owned()));
        }
        Ok(Self { text: text.leak() })
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }
}
