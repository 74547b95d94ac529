//! Arrays of C.

use std::ffi::{c_char, c_void};

use isobar_interface::{Array, Element, Location};

use crate::status::{Failure, Status};
use crate::{ISOBAR_MOST_DIMENSIONS, ISOBAR_VERSION, text};

/// What an array's elements are.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsobarKind {
    /// `float`.
    F32 = 1,
    /// `double`.
    F64 = 2,
    /// `uint32_t`: counts, indices, statuses, masks.
    Word = 3,
}

/// An array of the caller under the name of a field.
///
/// Its dimensions are those of the field in the order of the declaration, the slowest first, and the items (columns,
/// profiles, cells) behind them, or before them if the run says `items_first`. Without the items it is the same for all
/// of them, without any dimension one value for all; a dimension of size 1 stands for any size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IsobarArray {
    /// `ISOBAR_VERSION`.
    pub version: u32,
    /// What the elements are: one of `IsobarKind`.
    pub kind: i32,
    /// -1 for the host's memory, or the number of the GPU where the array lies.
    pub device: i32,
    /// The number of dimensions.
    pub dimensions: i32,
    /// The name of the field.
    pub name: *const c_char,
    /// The first element. Null only if the array is empty.
    pub data: *mut c_void,
    /// The size of each dimension. Null only without dimensions.
    pub sizes: *const i64,
    /// The elements from one to the next along each dimension; null where they lie one behind the other, the last
    /// dimension the fastest.
    pub strides: *const i64,
}

impl IsobarArray {
    fn element(&self, name: &str) -> Result<Element, Failure> {
        match self.kind {
            1 => Ok(Element::F32),
            2 => Ok(Element::F64),
            3 => Ok(Element::U32),
            other => Err(Failure(Status::Kind, format!("{name} has kind {other}, which is none of 1 to 3"))),
        }
    }

    /// The name.
    ///
    /// # Safety
    /// As [`IsobarArray::open`].
    pub(crate) unsafe fn name<'a>(&self) -> Result<&'a str, Failure> {
        if self.version != ISOBAR_VERSION {
            return Err(Failure::version("an array", self.version));
        }
        // SAFETY: the caller's promise.
        unsafe { text::read(self.name, "the name of an array") }
    }

    /// The array as the interface takes it.
    ///
    /// # Safety
    /// Its pointers are null or what the fields say, for as long as the array is used.
    pub(crate) unsafe fn open(&self, is_output: bool) -> Result<Array, Failure> {
        // SAFETY: the caller's promise.
        let name = unsafe { self.name()? };
        let wrong = |text: String| Failure(Status::Value, format!("{name} {text}"));
        let element = self.element(name)?;
        let count = usize::try_from(self.dimensions).ok().filter(|&count| count <= ISOBAR_MOST_DIMENSIONS);
        let count = count.ok_or_else(|| {
            wrong(format!("has {} dimensions, which is none of 0 to {ISOBAR_MOST_DIMENSIONS}", self.dimensions))
        })?;
        let mut sizes = [0; ISOBAR_MOST_DIMENSIONS];
        let mut strides = [0; ISOBAR_MOST_DIMENSIONS];
        if count > 0 && self.sizes.is_null() {
            return Err(Failure::null(&format!("sizes of {name}")));
        }
        let (mut elements, mut reach) = (1_i64, 0_i128);
        for dimension in (0..count).rev() {
            // SAFETY: not null, and as many as there are dimensions.
            let size = unsafe { *self.sizes.add(dimension) };
            if size < 0 {
                return Err(wrong(format!("has size {size} along dimension {dimension}")));
            }
            let stride = match self.strides.is_null() {
                true => elements,
                // SAFETY: not null, and as many as there are dimensions.
                false => unsafe { *self.strides.add(dimension) },
            };
            reach += i128::from((size - 1).max(0)) * i128::from(stride).abs();
            let next = elements.checked_mul(size.max(1));
            let bytes = stride.checked_mul(element.bytes() as i64).and_then(|bytes| isize::try_from(bytes).ok());
            let (Some(next), Some(bytes), Ok(size)) = (next, bytes, usize::try_from(size)) else {
                return Err(wrong("is larger than any memory".to_owned()));
            };
            (elements, sizes[dimension], strides[dimension]) = (next, size, bytes);
        }
        if reach * element.bytes() as i128 > isize::MAX as i128 {
            return Err(wrong("is larger than any memory".to_owned()));
        }
        if self.data.is_null() && !sizes[..count].contains(&0) {
            return Err(Failure::null(name));
        }
        let location = match (self.device, u32::try_from(self.device)) {
            (-1, _) => Location::Host,
            (_, Ok(number)) => Location::Cuda(number),
            (other, Err(_)) => {
                let what = "which is neither -1, the host's memory, nor the number of a GPU";
                return Err(wrong(format!("has device {other}, {what}")));
            }
        };
        // An empty array needs an address that is one.
        let start = if self.data.is_null() { std::ptr::dangling_mut::<f64>().cast() } else { self.data.cast::<u8>() };
        // SAFETY: the caller's promise.
        let array = unsafe { Array::new(start, element, &sizes[..count], &strides[..count], location)? };
        // SAFETY: likewise.
        Ok(if is_output { unsafe { array.writable() } } else { array })
    }
}
