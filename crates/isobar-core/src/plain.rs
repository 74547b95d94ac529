//! Values that travel to a device as bytes.

/// A value that may be copied to a device and back byte for byte.
///
/// # Safety
/// Every pattern of bits is a valid value (so all bits zero too), and the value holds no pointer to host memory.
pub unsafe trait Plain: Copy + Send + Sync + 'static {}

macro_rules! plain {
    ($($number:ty)*) => {$(
        // SAFETY: a number has no invalid pattern of bits and no pointer.
        unsafe impl Plain for $number {}
    )*};
}

plain!(f32 f64 u8 i8 u16 i16 u32 i32 u64 i64 usize isize);

// SAFETY: an array is its elements, which are plain.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
