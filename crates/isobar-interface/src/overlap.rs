//! Do two arrays share values?

use crate::array::Array;

/// The bytes from the first to behind the last one that an array has, relative to its start; none of an empty one.
fn reach(array: &Array) -> Option<(isize, isize)> {
    let (mut low, mut high) = (0, array.element().bytes() as isize);
    for (&size, &stride) in array.shape().iter().zip(array.strides()) {
        let far = size.checked_sub(1)? as isize * stride;
        if far < 0 { low += far } else { high += far }
    }
    Some((low, high))
}

/// Could they? Two parts of one array that lie between each other, such as even and odd columns, do not, if they have
/// the same strides; other arrays between each other count as sharing.
pub(crate) fn overlap(a: &Array, b: &Array) -> bool {
    let (Some(of_a), Some(of_b)) = (reach(a), reach(b)) else { return false };
    if a.location() != b.location() {
        return false;
    }
    let (start_a, start_b) = (a.start() as isize, b.start() as isize);
    if start_a + of_a.1 <= start_b + of_b.0 || start_b + of_b.1 <= start_a + of_a.0 {
        return false;
    }
    if a.strides() != b.strides() || a.shape() != b.shape() {
        return true;
    }
    // The distance along each axis, the longest stride first, as long as each axis goes beyond all that are within it.
    let mut axes: Vec<(isize, isize)> =
        a.shape().iter().zip(a.strides()).map(|(&size, &stride)| (size as isize, stride.abs())).collect();
    axes.retain(|&(size, stride)| size > 1 && stride > 0);
    axes.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride));
    let bytes = a.element().bytes().max(b.element().bytes()) as isize;
    let mut apart = (start_a - start_b).abs();
    for (index, &(size, stride)) in axes.iter().enumerate() {
        let within: isize = axes[index + 1..].iter().map(|(size, stride)| (size - 1) * stride).sum::<isize>() + bytes;
        if within > stride {
            return true;
        }
        let steps = apart / stride;
        if steps >= size {
            return false;
        }
        apart -= steps * stride;
        // It may be nearer to the next one, if there is one.
        if steps + 1 < size && stride - apart < within {
            return true;
        }
    }
    apart < bytes
}

#[cfg(test)]
mod tests {
    use super::overlap;
    use crate::{Array, Element, Location};

    fn array(values: &[f64], first: usize, shape: &[usize], strides: &[isize]) -> Array {
        let bytes: Vec<isize> = strides.iter().map(|stride| 8 * stride).collect();
        // SAFETY: nothing reads it.
        unsafe { Array::new(values[first..].as_ptr().cast(), Element::F64, shape, &bytes, Location::Host).unwrap() }
    }

    #[test]
    fn parts_of_one_array() {
        let values = [0.0; 60];
        let part = |first, shape: &[usize], strides: &[isize]| array(&values, first, shape, strides);
        let same = part(0, &[6, 10], &[10, 1]);
        assert!(overlap(&same, &same));
        // Halves, even and odd ones, of either axis.
        assert!(!overlap(&part(0, &[3, 10], &[10, 1]), &part(30, &[3, 10], &[10, 1])));
        assert!(overlap(&part(0, &[4, 10], &[10, 1]), &part(30, &[3, 10], &[10, 1])));
        assert!(!overlap(&part(0, &[6, 5], &[10, 2]), &part(1, &[6, 5], &[10, 2])));
        assert!(!overlap(&part(0, &[6, 5], &[10, 1]), &part(5, &[6, 5], &[10, 1])));
        assert!(!overlap(&part(0, &[3, 10], &[20, 1]), &part(10, &[3, 10], &[20, 1])));
        assert!(overlap(&part(0, &[6, 5], &[10, 1]), &part(4, &[6, 5], &[10, 1])));
        assert!(overlap(&part(0, &[6, 5], &[10, 2]), &part(2, &[6, 4], &[10, 2])));
        // Turned.
        assert!(overlap(&same, &part(59, &[6, 10], &[-10, -1])));
        // Nothing of an empty one.
        assert!(!overlap(&same, &part(0, &[0, 10], &[10, 1])));
    }
}
