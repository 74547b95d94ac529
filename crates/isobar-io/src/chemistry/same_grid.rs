//! Whether a further file has the cells of the first: by coordinates and times, as far as both have them.

use crate::calendar::units::Since;
use crate::date_of_seconds;
use crate::error::{Error, Place};
use crate::netcdf::{Accepted, Array, Dataset};

const TIME: &str = "time";
/// Numbers of single precision differ by this part of them, and coordinates by this part of what neighbours do.
const ROUNDING: [f64; 2] = [1e-6, 1e-3];
/// Instants this far apart are the same \[s\].
const SAME_S: f64 = 1.0;

/// A further file beside the first.
pub(super) struct Beside {
    /// Which dimensions of the cells run the other way in it.
    pub(super) turned: Vec<bool>,
    /// That they do, in words.
    pub(super) told: Vec<String>,
    /// That it is of another time, in words.
    pub(super) contradiction: Option<String>,
}

impl Beside {
    /// Compares two files; `grid` has the names and sizes of the cells' dimensions.
    ///
    /// # Errors
    /// Coordinates that are neither the same nor turned around.
    pub(super) fn of(first: &Dataset, other: &Dataset, grid: &[(String, usize)]) -> Result<Self, Error> {
        let [here, there] = [first, other].map(|file| file.path().display());
        let (mut turned, mut told) = (vec![], vec![]);
        for dimension in grid {
            let pair = coordinate(first, dimension)?.zip(coordinate(other, dimension)?);
            let is_turned = match pair {
                Some((ours, theirs)) => turns(dimension, (first, &ours), (other, &theirs))?,
                None => false,
            };
            if is_turned {
                let name = &dimension.0;
                told.push(format!("{name} of {there} runs the other way than that of {here}: what it has is turned"));
            }
            turned.push(is_turned);
        }
        let date = |seconds: f64| date_of_seconds(seconds).unwrap_or_else(|| format!("{seconds} s since 2000"));
        let times = instant(first)?.zip(instant(other)?).filter(|(ours, theirs)| (ours - theirs).abs() > SAME_S);
        let contradiction = times.map(|(ours, theirs)| {
            format!("{there} is of {}, and {here} of {}: both are taken as they are", date(theirs), date(ours))
        });
        Ok(Self { turned, told, contradiction })
    }
}

/// The coordinate of a dimension, if a file has one.
fn coordinate(file: &Dataset, (name, size): &(String, usize)) -> Result<Option<Vec<f64>>, Error> {
    if file.dimensions_of(name).as_deref() != Some(&[(name.clone(), *size)]) {
        return Ok(None);
    }
    numbers(file, name).map(Some)
}

fn numbers(file: &Dataset, name: &str) -> Result<Vec<f64>, Error> {
    let accepted = Accepted::FINITE;
    file.numbers(&Array { name, dimensions: &[name], unit: "1", states_unit: false, accepted })
}

/// Does a coordinate run the other way?
fn turns(
    (name, size): &(String, usize),
    (first, ours): (&Dataset, &[f64]),
    (other, theirs): (&Dataset, &[f64]),
) -> Result<bool, Error> {
    let reversed: Vec<f64> = theirs.iter().rev().copied().collect();
    let same = [theirs, &reversed].map(|theirs| alike(ours, theirs));
    let which_way = |file: &Dataset| file.text_attribute(name, "positive").map(|way| way.trim().to_lowercase());
    let opposite = which_way(first).zip(which_way(other)).is_some_and(|(ours, theirs)| ours != theirs);
    // Numbers of levels count from where the axis says; all other numbers say themselves where they are.
    let counts = |(place, l): (usize, &f64)| *l == (place + 1) as f64 || *l == (size - place) as f64;
    let flips = opposite && ours.iter().enumerate().all(counts);
    match same {
        // A single one has no way to run.
        [true, true] => Ok(false),
        [true, false] => Ok(flips),
        [false, true] => Ok(!flips),
        [false, false] => {
            let place = (0..*size).find(|&i| !close(ours, i, theirs[i])).unwrap_or(0);
            let problem = format!(
                "{name}[{place}] is {}, that of {} is {}: these are not the same cells",
                theirs[place],
                first.path().display(),
                ours[place]
            );
            Err(Error::invalid(Place::File(other.path().to_owned()), problem))
        }
    }
}

fn alike(ours: &[f64], theirs: &[f64]) -> bool {
    theirs.iter().enumerate().all(|(place, value)| close(ours, place, *value))
}

/// Is a number that of a place, within its rounding?
fn close(all: &[f64], place: usize, value: f64) -> bool {
    let neighbour = if place + 1 < all.len() { place + 1 } else { place.saturating_sub(1) };
    let allowed = ROUNDING[0] * all[place].abs() + ROUNDING[1] * (all[place] - all[neighbour]).abs();
    (all[place] - value).abs() <= allowed
}

/// The single time of a file, if it is one since a date \[s since 2000\].
fn instant(file: &Dataset) -> Result<Option<f64>, Error> {
    let single = file.dimensions_of(TIME).is_some_and(|all| all == [(TIME.to_owned(), 1)]);
    let Some(units) = file.units_of(TIME).filter(|_| single) else { return Ok(None) };
    let Ok(since) = Since::of(&units, file.text_attribute(TIME, "calendar").as_deref()) else { return Ok(None) };
    Ok(numbers(file, TIME)?.first().and_then(|value| since.seconds(*value)).map(|(seconds, _)| seconds))
}
