//! Values with named dimensions.

use super::{Dimension, Orientation};

/// The values of a variable, the first dimension slowest.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What the file calls the variable.
    pub name: String,
    /// The dimensions that were asked for, in that order.
    pub dimensions: Vec<Dimension>,
    /// Their sizes; 1 where the file leaves out a dimension.
    pub shape: Vec<usize>,
    /// The values, in the unit that was asked for.
    pub values: Vec<f64>,
}

impl Field {
    /// The size along a dimension; 1 without it.
    #[must_use]
    pub fn size(&self, dimension: Dimension) -> usize {
        self.position(dimension).map_or(1, |position| self.shape[position])
    }

    /// Reverses the order along a dimension, if there is one.
    pub fn flip(&mut self, dimension: Dimension) {
        let Some(position) = self.position(dimension) else { return };
        let size = self.shape[position];
        let run: usize = self.shape[position + 1..].iter().product();
        if size < 2 || run == 0 {
            return;
        }
        for block in self.values.chunks_exact_mut(size * run) {
            for index in 0..size / 2 {
                let (low, high) = block.split_at_mut((size - 1 - index) * run);
                low[index * run..(index + 1) * run].swap_with_slice(&mut high[..run]);
            }
        }
    }

    /// Arranges the values along a dimension, if there is one of this size: at each place the number of the one that
    /// comes there.
    pub(crate) fn arrange(&mut self, dimension: Dimension, order: &[usize]) {
        let Some(position) = self.position(dimension) else { return };
        let (size, run) = (self.shape[position], self.shape[position + 1..].iter().product::<usize>());
        if size != order.len() || run == 0 {
            return;
        }
        let blocks = self.values.chunks_exact(size * run);
        let arranged = blocks.flat_map(|block| order.iter().flat_map(|&from| &block[from * run..(from + 1) * run]));
        self.values = arranged.copied().collect();
    }

    /// Brings the top of layers and levels to index 0.
    pub fn top_first(&mut self, orientation: Orientation) {
        if orientation == Orientation::BottomFirst {
            for vertical in [Dimension::Layer, Dimension::Level, Dimension::Interface] {
                self.flip(vertical);
            }
        }
    }

    /// Brings the surface to index 0 of layers and levels.
    pub fn bottom_first(&mut self, orientation: Orientation) {
        if orientation == Orientation::TopFirst {
            for vertical in [Dimension::Layer, Dimension::Level, Dimension::Interface] {
                self.flip(vertical);
            }
        }
    }

    /// Repeats the values along dimensions of size 1 to these sizes.
    pub(super) fn expand(self, shape: &[usize]) -> Self {
        if self.shape == shape {
            return self;
        }
        let strides = strides(&self.shape);
        let steps: Vec<usize> =
            strides.iter().zip(&self.shape).map(|(&stride, &size)| if size == 1 { 0 } else { stride }).collect();
        Self { values: gather(&self.values, shape, &steps), shape: shape.to_vec(), ..self }
    }

    fn position(&self, dimension: Dimension) -> Option<usize> {
        self.dimensions.iter().position(|&other| other == dimension)
    }
}

/// How far apart neighbours along each dimension are.
pub(super) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for position in (1..shape.len()).rev() {
        strides[position - 1] = strides[position] * shape[position];
    }
    strides
}

/// Values of this shape, from an array whose neighbours along each dimension are `steps` apart.
pub(super) fn gather(source: &[f64], shape: &[usize], steps: &[usize]) -> Vec<f64> {
    let (inner, inner_step) = (shape.last().copied().unwrap_or(1), steps.last().copied().unwrap_or(0));
    let outer = &shape[..shape.len().saturating_sub(1)];
    let rows: usize = outer.iter().product();
    let mut values = Vec::with_capacity(rows * inner);
    let mut index = vec![0; outer.len()];
    let mut start = 0;
    for _ in 0..rows {
        values.extend((0..inner).map(|i| source[start + i * inner_step]));
        for position in (0..outer.len()).rev() {
            index[position] += 1;
            start += steps[position];
            if index[position] < outer[position] {
                break;
            }
            start -= steps[position] * outer[position];
            index[position] = 0;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn field(shape: &[usize]) -> Field {
        let dimensions = [Dimension::Angle, Dimension::Layer, Dimension::Profile][..shape.len()].to_vec();
        let count: usize = shape.iter().product();
        Field { name: "x".into(), dimensions, shape: shape.to_vec(), values: (0..count).map(|i| i as f64).collect() }
    }

    #[test]
    fn flip_reverses_one_dimension() {
        let mut x = field(&[2, 3, 2]);
        x.flip(Dimension::Layer);
        assert_eq!(x.values, [4., 5., 2., 3., 0., 1., 10., 11., 8., 9., 6., 7.]);
        x.flip(Dimension::Band);
        x.top_first(Orientation::BottomFirst);
        assert_eq!(x, field(&[2, 3, 2]));
    }

    #[test]
    fn expand_repeats() {
        let x = field(&[1, 3, 1]).expand(&[2, 3, 2]);
        assert_eq!(x.values, [0., 0., 1., 1., 2., 2., 0., 0., 1., 1., 2., 2.]);
        assert_eq!(field(&[]).expand(&[]).values, [0.0]);
    }

    proptest! {
        #[test]
        fn gather_transposes(
            shape in prop::collection::vec(1_usize..5, 3),
            order in Just(vec![0, 1, 2]).prop_shuffle(),
        ) {
            let source = field(&shape);
            let strides = strides(&shape);
            let to: Vec<usize> = order.iter().map(|&from| shape[from]).collect();
            let steps: Vec<usize> = order.iter().map(|&from| strides[from]).collect();
            let values = gather(&source.values, &to, &steps);
            let mut next = values.iter();
            for i in 0..to[0] {
                for j in 0..to[1] {
                    for k in 0..to[2] {
                        let at = i * steps[0] + j * steps[1] + k * steps[2];
                        prop_assert_eq!(*next.next().unwrap(), source.values[at]);
                    }
                }
            }
        }
    }
}
