//! Who gets which columns and devices.

use std::ops::Range;

use isobar_launch::Device;

/// The columns of part `number` of `of` parts that differ by a column at most.
pub(in crate::run) fn columns_of(columns: usize, number: usize, of: usize) -> Range<usize> {
    columns * number / of..columns * (number + 1) / of
}

/// A field from parts side by side, each with its number of columns; the column is the fastest index.
pub(in crate::run) fn join<T: Copy>(mut parts: Vec<(usize, Vec<T>)>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.pop().map(|(_, values)| values).unwrap_or_default();
    }
    let rows = parts.first().map_or(0, |(width, values)| values.len() / width);
    let mut whole = Vec::with_capacity(parts.iter().map(|(_, values)| values.len()).sum());
    for row in 0..rows {
        for (width, values) in &parts {
            whole.extend_from_slice(&values[row * width..(row + 1) * width]);
        }
    }
    whole
}

/// A part of the `columns` columns of a field.
pub(in crate::run) fn cut<T: Copy>(whole: &[T], columns: usize, part: &Range<usize>) -> Vec<T> {
    whole.chunks(columns).flat_map(|row| &row[part.clone()]).copied().collect()
}

/// The GPUs of a process, which is one of some on its host: those that are left when each takes its turn, or one that
/// it shares.
pub fn devices_of(gpus: &[Device], (process, of): (usize, usize)) -> Vec<Device> {
    if of <= gpus.len() {
        gpus.iter().copied().skip(process).step_by(of).collect()
    } else {
        vec![gpus[process % gpus.len()]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_apart_and_together_again() {
        let whole: Vec<u32> = (0..3 * 11).collect();
        for of in 1..=11 {
            let ranges: Vec<_> = (0..of).map(|number| columns_of(11, number, of)).collect();
            assert!(ranges.iter().all(|range| (11 / of..=11 / of + 1).contains(&range.len())), "{ranges:?}");
            let parts = ranges.iter().map(|range| (range.len(), cut(&whole, 11, range)));
            assert_eq!(join(parts.collect()), whole);
        }
        assert_eq!(cut(&whole, 11, &(4..6)), [4, 5, 15, 16, 26, 27]);
    }

    #[test]
    fn processes_of_a_host_take_gpus_in_turn() {
        let gpus: Vec<Device> = (0..4).map(Device::Cuda).collect();
        assert_eq!(devices_of(&gpus, (0, 1)), gpus);
        assert_eq!(devices_of(&gpus, (1, 2)), [Device::Cuda(1), Device::Cuda(3)]);
        assert_eq!(devices_of(&gpus, (2, 3)), [Device::Cuda(2)]);
        assert_eq!(devices_of(&gpus[..2], (3, 5)), [Device::Cuda(1)]);
    }
}
