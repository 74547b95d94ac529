//! ExoMol's files of widths (`.broad`): of each row a code, which says what its quantum numbers are.
//!
//! | code | quantum numbers |
//! |---|---|
//! | `a0` | J of the lower state |
//! | `a1` | J of the lower and of the upper state |
//! | `m0` | \|m\|, which is J of the lower state, and one more in an R branch |

use std::path::Path;

use super::{number_of, read_lines};
use crate::SpectraError;

/// A half width \[cm^-1/bar\] and the exponent of its temperature.
type Width = (f64, f64);

/// Widths by quantum numbers, all of which are twice what they are, ascending.
#[derive(Debug, Default)]
pub(super) struct Broadening {
    of_lower: Vec<(u64, Width)>,
    of_both: Vec<((u64, u64), Width)>,
    of_m: Vec<(u64, Width)>,
}

impl Broadening {
    pub(super) fn read(path: &Path) -> Result<Self, SpectraError> {
        let mut found = Self::default();
        read_lines(path, |number, text| {
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            if words.is_empty() {
                return Ok(());
            }
            let wrong = |why: String| SpectraError::record(path, number, why);
            let numbers = match words[0] {
                "a0" | "m0" => 1,
                "a1" => 2,
                other => return Err(wrong(format!("the code is '{other}'; accepted are a0, a1 and m0"))),
            };
            if words.len() < 3 + numbers {
                let needed = if numbers == 1 { "J, or |m|," } else { "J of the lower and of the upper state" };
                return Err(wrong(format!("code, width, exponent and {needed} are needed")));
            }
            let width = number_of(words[1], "the width [cm^-1/bar]", path, number)?;
            let exponent = number_of(words[2], "the temperature's exponent", path, number)?;
            if width <= 0.0 {
                return Err(wrong(format!("the width is {width} cm^-1/bar; accepted is more than 0")));
            }
            let twice = |word: &str| {
                let j = number_of(word, "J", path, number)?;
                if j < 0.0 || (2.0 * j).fract() != 0.0 {
                    return Err(wrong(format!("J is {j}; accepted are 0, 0.5, 1 and so on")));
                }
                Ok((2.0 * j) as u64)
            };
            let (first, value) = (twice(words[3])?, (width, exponent));
            let is_new = match words[0] {
                "a0" => add(&mut found.of_lower, first, value),
                "m0" => add(&mut found.of_m, first, value),
                _ => add(&mut found.of_both, (first, twice(words[4])?), value),
            };
            if is_new { Ok(()) } else { Err(wrong("an earlier row of these quantum numbers has others".to_owned())) }
        })?;
        found.of_lower.sort_by_key(|row| row.0);
        found.of_both.sort_by_key(|row| row.0);
        found.of_m.sort_by_key(|row| row.0);
        if found.of_lower.is_empty() && found.of_m.is_empty() {
            // For transitions that no row has: the first row of each J serves.
            found.of_lower = found.of_both.iter().map(|&((lower, _), width)| (lower, width)).collect();
            found.of_lower.dedup_by_key(|row| row.0);
        }
        Ok(found)
    }

    /// That of a transition by J of its lower and upper state: the row of both, or that of the nearest \|m\| or J of
    /// the lower state, which is the last one for large ones.
    pub(super) fn at(&self, lower_j: f64, upper_j: f64) -> Option<Width> {
        let twice = |j: f64| (2.0 * j).max(0.0) as u64;
        let (lower, upper) = (twice(lower_j), twice(upper_j));
        if let Ok(place) = self.of_both.binary_search_by_key(&(lower, upper), |row| row.0) {
            return Some(self.of_both[place].1);
        }
        // P and Q: J of the lower state; R: one more, J of the upper one.
        nearest(&self.of_m, lower.max(upper)).or_else(|| nearest(&self.of_lower, lower))
    }
}

/// Adds a row, unless one that says something else is there.
fn add<K: PartialEq>(rows: &mut Vec<(K, Width)>, key: K, width: Width) -> bool {
    if let Some(row) = rows.iter().find(|row| row.0 == key) {
        return row.1 == width;
    }
    rows.push((key, width));
    true
}

fn nearest(rows: &[(u64, Width)], twice: u64) -> Option<Width> {
    let after = rows.partition_point(|row| row.0 < twice);
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|i| rows.get(i));
    near.min_by_key(|row| row.0.abs_diff(twice)).map(|row| row.1)
}
