//! Which axis of an array is what, and where its values lie.

use isobar_core::fields::{Declared, Dimension, LAYER, LEVEL};

use crate::array::{Array, MOST_AXES};

/// Where the axes of the items are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemsAxis {
    /// Before the others: `(column, layer)`.
    #[default]
    First,
    /// Behind them: `(layer, column)`.
    Last,
}

/// How the axes of a call's arrays are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// Where the items are.
    pub items: ItemsAxis,
    /// Do layers and levels go from the top down? As the scheme has them where nothing is said.
    pub top_first: Option<bool>,
}

/// Interfaces between layers, as the radiation has them: one fewer than layers.
pub(crate) const INTERFACE: Dimension = Dimension("layer_interface");

/// Is it one of the dimensions that go up or down?
pub(crate) fn is_vertical(dimension: Dimension) -> bool {
    dimension == LAYER || dimension == LEVEL || dimension == INTERFACE
}

/// Does turning the layers turn the field?
pub(crate) fn has_vertical(declared: &Declared) -> bool {
    declared.shape.iter().any(|&dimension| is_vertical(dimension))
}

/// A size and a stride in elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// A few axes, the slowest first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Few {
    axes: [Axis; MOST_AXES],
    len: usize,
}

impl Few {
    fn push(&mut self, axis: Axis) {
        self.axes[self.len] = axis;
        self.len += 1;
    }

    pub(crate) fn all(&self) -> &[Axis] {
        &self.axes[..self.len]
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Axis] {
        &mut self.axes[..self.len]
    }

    pub(crate) fn count(&self) -> usize {
        self.all().iter().map(|axis| axis.size).product()
    }

    /// The axes as one, if they lie at equal distances.
    pub(crate) fn merged(&self) -> Option<Axis> {
        let mut one = Axis { size: 1, stride: 0 };
        for axis in self.all().iter().rev().filter(|axis| axis.size != 1) {
            if one.size == 1 {
                one = *axis;
            } else if axis.stride == one.stride * one.size as isize {
                one.size *= axis.size;
            } else {
                return None;
            }
        }
        Some(one)
    }

    /// How far each place is from the first, the last axis the fastest.
    pub(crate) fn offsets(&self) -> Vec<isize> {
        let mut offsets = vec![0];
        for axis in self.all() {
            let along = |&offset: &isize| (0..axis.size as isize).map(move |index| offset + index * axis.stride);
            offsets = offsets.iter().flat_map(along).collect();
        }
        offsets
    }

    /// Gives axes of size 1 the wanted sizes; is then each as wanted?
    pub(crate) fn stretch(&mut self, wanted: impl IntoIterator<Item = usize>) -> bool {
        let mut fits = true;
        for (axis, wanted) in self.all_mut().iter_mut().zip(wanted) {
            if axis.size == 1 && wanted != 1 {
                *axis = Axis { size: wanted, stride: 0 };
            }
            fits &= axis.size == wanted;
        }
        fits
    }

    /// Fewer axes than there are items' axes stand for the last of them, as in NumPy; these get axes of size 1 before.
    pub(crate) fn pad(&mut self, len: usize) {
        while self.len < len {
            self.axes.copy_within(0..self.len, 1);
            self.axes[0] = Axis { size: 1, stride: 0 };
            self.len += 1;
        }
    }
}

/// The axes of an array: of the declared dimensions, and of the items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Elements from the array's start to its first value in the scheme's order.
    pub(crate) first: isize,
    pub(crate) dimensions: Few,
    pub(crate) items: Few,
}

impl Split {
    /// Nothing if the array has fewer axes than are declared, or strides that are no whole elements.
    pub(crate) fn new(array: &Array, declared: &Declared, axes: Axes) -> Option<Self> {
        let bytes = array.element().bytes() as isize;
        let (shape, strides, own) = (array.shape(), array.strides(), declared.shape.len());
        let items = shape.len().checked_sub(own)?;
        let mut split = Self { first: 0, dimensions: Few::default(), items: Few::default() };
        for (index, (&size, &stride)) in shape.iter().zip(strides).enumerate() {
            // The stride of an axis of size 1 means nothing.
            if size > 1 && stride % bytes != 0 {
                return None;
            }
            let axis = Axis { size, stride: if size > 1 { stride / bytes } else { 0 } };
            let is_item = match axes.items {
                ItemsAxis::First => index < items,
                ItemsAxis::Last => index >= own,
            };
            if is_item { split.items.push(axis) } else { split.dimensions.push(axis) }
        }
        Some(split)
    }

    /// Turns the axes of layers and levels, once their sizes are right.
    pub(crate) fn turn(&mut self, declared: &Declared) {
        for (axis, &dimension) in self.dimensions.all_mut().iter_mut().zip(declared.shape) {
            if is_vertical(dimension) && axis.size > 0 {
                self.first += (axis.size as isize - 1) * axis.stride;
                axis.stride = -axis.stride;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Few};

    fn few(axes: &[(usize, isize)]) -> Few {
        let mut few = Few::default();
        axes.iter().for_each(|&(size, stride)| few.push(Axis { size, stride }));
        few
    }

    #[test]
    fn axes_at_equal_distances_are_one() {
        assert_eq!(few(&[]).merged(), Some(Axis { size: 1, stride: 0 }));
        assert_eq!(few(&[(3, 8), (4, 2)]).merged(), Some(Axis { size: 12, stride: 2 }));
        assert_eq!(few(&[(3, -8), (4, -2)]).merged(), Some(Axis { size: 12, stride: -2 }));
        assert_eq!(few(&[(3, 9), (4, 2)]).merged(), None);
        assert_eq!(few(&[(3, 7), (1, 99), (1, 0)]).merged(), Some(Axis { size: 3, stride: 7 }));
        assert_eq!(few(&[(3, 0), (4, 0)]).merged(), Some(Axis { size: 12, stride: 0 }));
        assert_eq!(few(&[(3, 1), (4, 0)]).merged(), None);
        assert_eq!(few(&[(2, 3), (3, 1)]).offsets(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(few(&[(2, -3), (2, 1)]).offsets(), [0, 1, -3, -2]);
    }
}
