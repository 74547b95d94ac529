//! Arrays of a caller.

use crate::error::CallError;

/// The most axes of an array.
pub const MOST_AXES: usize = 8;

/// What an array's elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    /// Numbers of single precision.
    F32,
    /// Numbers of double precision.
    F64,
    /// Words of 32 bits without a sign.
    U32,
}

impl Element {
    /// The bytes of one.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 | Self::U32 => 4,
            Self::F64 => 8,
        }
    }

    /// The name, as in `f32`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::U32 => "u32",
        }
    }
}

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the host's memory.
    Host,
    /// In that of the GPU of this number.
    Cuda(u32),
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Host => f.write_str("the host"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

/// An array of a caller: an address with a shape and strides.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    pub(crate) start: *mut u8,
    element: Element,
    axes: usize,
    shape: [usize; MOST_AXES],
    strides: [isize; MOST_AXES],
    location: Location,
    writable: bool,
}

// SAFETY: an address; who made it of one has promised what calls need.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

impl Array {
    /// An array to read, whose first element is at `start`, with strides in bytes; without axes it is one value.
    ///
    /// # Errors
    /// More axes than [`MOST_AXES`], or not one stride an axis.
    ///
    /// # Safety
    /// All elements are there, where `location` says, and nobody writes them during calls that get the array.
    pub unsafe fn new(
        start: *const u8,
        element: Element,
        shape: &[usize],
        strides: &[isize],
        location: Location,
    ) -> Result<Self, CallError> {
        let axes = shape.len();
        if axes > MOST_AXES || strides.len() != axes {
            let text = format!("an array of {axes} axes with {} strides: up to {MOST_AXES}", strides.len());
            return Err(CallError::Setup(text));
        }
        let mut array = Self {
            start: start.cast_mut(),
            element,
            axes,
            shape: [0; MOST_AXES],
            strides: [0; MOST_AXES],
            location,
            writable: false,
        };
        array.shape[..axes].copy_from_slice(shape);
        array.strides[..axes].copy_from_slice(strides);
        Ok(array)
    }

    /// This array, as one that may be written.
    ///
    /// # Safety
    /// Its elements may be written, and nobody else reads or writes them during calls that get the array.
    #[must_use]
    pub unsafe fn writable(mut self) -> Self {
        self.writable = true;
        self
    }

    /// The address of the first element.
    #[must_use]
    pub fn start(&self) -> *const u8 {
        self.start
    }

    /// What its elements are.
    #[must_use]
    pub fn element(&self) -> Element {
        self.element
    }

    /// The size of each axis.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.axes]
    }

    /// The bytes from an element to the next, along each axis.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.strides[..self.axes]
    }

    /// Where it lies.
    #[must_use]
    pub fn location(&self) -> Location {
        self.location
    }

    /// Is it a single value, and 0?
    pub(crate) fn is_zero(&self) -> bool {
        if !self.shape().is_empty() || self.location != Location::Host {
            return false;
        }
        // SAFETY: who made it promised that its element is there; the bits of 0 are the same in all kinds.
        let bytes = unsafe { std::slice::from_raw_parts(self.start, self.element.bytes()) };
        bytes.iter().all(|&byte| byte == 0)
    }

    /// May it be written?
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.writable
    }
}
