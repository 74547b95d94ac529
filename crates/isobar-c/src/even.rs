//! Copies of arrays whose declared dimensions do not lie at equal distances, as those of Fortran's
//! `a(column, layer, band)`: a scheme reads a field by one stride for all its rows.

use isobar_interface::{Array, ItemsAxis, Location};

use crate::status::Failure;

/// An array as a scheme can read it, and the copy behind it.
pub(crate) struct Even {
    pub(crate) array: Array,
    copy: Option<Copy>,
}

/// A copy, the items fastest, with the array that it is of.
struct Copy {
    /// The copy in words of 8 bytes, for their alignment.
    words: Vec<u64>,
    of: Array,
    order: Vec<usize>,
}

impl Even {
    /// The array itself if its rows lie at equal distances or it is on a GPU, or else a copy.
    pub(crate) fn new(array: Array, items: ItemsAxis, declared: usize) -> Result<Self, Failure> {
        let axes = array.shape().len();
        let own = match items {
            ItemsAxis::First => axes.saturating_sub(declared)..axes,
            ItemsAxis::Last => 0..declared.min(axes),
        };
        let is_even = array.location() != Location::Host
            || array.shape().contains(&0)
            || lies_evenly(&array.shape()[own.clone()], &array.strides()[own.clone()]);
        if is_even {
            return Ok(Self { array, copy: None });
        }
        // The declared dimensions in their order, and the items behind them: the fastest.
        let order: Vec<usize> = own.clone().chain((0..axes).filter(|axis| !own.contains(axis))).collect();
        let bytes = array.element().bytes();
        let mut strides = vec![0; axes];
        let mut length = bytes;
        for &axis in order.iter().rev() {
            strides[axis] = length as isize;
            length *= array.shape()[axis];
        }
        let mut words = vec![0_u64; length.div_ceil(8)];
        let start: *mut u8 = words.as_mut_ptr().cast();
        // SAFETY: the vector has `length` bytes, is kept as long as the array, and nobody else has it.
        let even = unsafe {
            move_elements(
                &array,
                |element, offset| {
                    start.offset(offset).copy_from_nonoverlapping(element.cast_const(), bytes);
                },
                &order,
                &strides,
            );
            Array::new(start, array.element(), array.shape(), &strides, Location::Host)?.writable()
        };
        Ok(Self { array: even, copy: Some(Copy { words, of: array, order }) })
    }

    /// Puts what was written into the copy into its place.
    pub(crate) fn finish(mut self) {
        if let Some(Copy { words, of, order }) = &mut self.copy {
            let (start, bytes): (*const u8, usize) = (words.as_ptr().cast(), of.element().bytes());
            // SAFETY: the same elements as of `new`, of a result, which the caller lets us write.
            unsafe {
                move_elements(
                    of,
                    |element, offset| {
                        element.copy_from_nonoverlapping(start.offset(offset), bytes);
                    },
                    order,
                    self.array.strides(),
                );
            }
        }
    }
}

/// Is there one stride for all these axes?
fn lies_evenly(shape: &[usize], strides: &[isize]) -> bool {
    let mut many = shape.iter().zip(strides).rev().filter(|&(&size, _)| size != 1);
    let Some((&size, &stride)) = many.next() else { return true };
    let mut next = stride * size as isize;
    many.all(|(&size, &stride)| {
        let fits = stride == next;
        next = stride * size as isize;
        fits
    })
}

/// Goes through the elements of an array, the last axis of the order fastest: with the address of each, and its offset
/// in bytes by other strides.
///
/// # Safety
/// As those of the array.
unsafe fn move_elements(array: &Array, mut each: impl FnMut(*mut u8, isize), order: &[usize], others: &[isize]) {
    let Some((&fastest, slower)) = order.split_last() else { return };
    let (shape, strides, start) = (array.shape(), array.strides(), array.start().cast_mut());
    let mut index = vec![0; shape.len()];
    loop {
        let at = |strides: &[isize]| slower.iter().map(|&axis| index[axis] as isize * strides[axis]).sum::<isize>();
        let (mut from, mut to) = (at(strides), at(others));
        for _ in 0..shape[fastest] {
            each(start.wrapping_offset(from), to);
            from += strides[fastest];
            to += others[fastest];
        }
        let next = slower.iter().rev().find(|&&axis| {
            index[axis] += 1;
            if index[axis] == shape[axis] {
                index[axis] = 0;
            }
            index[axis] != 0
        });
        if next.is_none() {
            return;
        }
    }
}
