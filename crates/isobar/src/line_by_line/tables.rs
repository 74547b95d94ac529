//! Emissivity tables of a gas: one spectrum of all channels that lie near each other, for each pressure and
//! temperature.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use isobar_ega::{Curve, EmissivityTable, PressureLevel};
use isobar_launch::Device;
use isobar_spectra::launch::Precision;
use isobar_spectra::{Air, Grid, SpectraError};
use rayon::prelude::*;

use super::curves::{Curves, Nodes, transparent};
use super::{FilterOnGrid, Source};

/// The points between two channels up to which they share a spectrum: what lies between costs less than another
/// spectrum.
const GAP: u64 = 4096;
/// One spectrum has no more points, but for those of a single channel: memory stays bounded.
const MOST_POINTS: u64 = 1 << 17;

/// Channels near each other, with one grid.
#[derive(Clone, Debug)]
pub struct Group {
    /// The multiples of the step from the first point of all channels to the last.
    pub grid: Grid,
    /// Their numbers, ascending by their first points.
    pub channels: Vec<usize>,
    /// The points of each in the grid.
    points: Vec<Range<usize>>,
}

/// All channels in groups, ascending; their filters have one step.
///
/// # Errors
/// Those of [`Grid::multiples`].
pub fn groups(filters: &[FilterOnGrid], step_per_cm: f64) -> Result<Vec<Group>, SpectraError> {
    let span =
        |channel: usize| (filters[channel].first, filters[channel].first + filters[channel].weights.len() as u64);
    let mut order: Vec<usize> = (0..filters.len()).collect();
    order.sort_by_key(|&channel| span(channel));
    let mut all: Vec<(u64, u64, Vec<usize>)> = Vec::new();
    for channel in order {
        let (first, end) = span(channel);
        match all.last_mut() {
            Some((low, high, channels)) if first <= *high + GAP && end.max(*high) - *low <= MOST_POINTS => {
                *high = end.max(*high);
                channels.push(channel);
            }
            _ => all.push((first, end, vec![channel])),
        }
    }
    let group = |(low, high, channels): (u64, u64, Vec<usize>)| {
        let points = |&channel: &usize| {
            let (first, end) = span(channel);
            (first - low) as usize..(end - low) as usize
        };
        let points = channels.iter().map(points).collect();
        Ok(Group { grid: Grid::multiples(low, high - 1, step_per_cm)?, channels, points })
    };
    all.into_iter().map(group).collect()
}

/// The levels of a group's channels at some pressures \[hPa\] and at all temperatures \[K\], for a mole fraction of the
/// gas itself, which widens its lines. `done` gets each level as soon as it is there, from any thread: the pressure's
/// number, and the level of each channel, none if the gas absorbs at none of the temperatures; where it does at some,
/// the others have [`transparent`] curves. No more is begun once one of `stop` is set.
///
/// # Errors
/// Those of [`Source::each_cross_sections`].
pub fn pressure_levels<R: Precision>(
    source: &Source,
    devices: &[Device],
    (group, filters): (&Group, &[FilterOnGrid]),
    (pressures_hpa, temperatures_k, mole_fraction): (&[f64], &[f64], f64),
    nodes: Nodes,
    stop: [Option<&AtomicBool>; 2],
    done: &(dyn Fn(usize, Vec<Option<PressureLevel>>) + Sync),
) -> Result<(), SpectraError> {
    let air = |&pressure_hpa: &f64| {
        temperatures_k.iter().map(move |&temperature_k| Air { pressure_hpa, temperature_k, mole_fraction })
    };
    let airs: Vec<_> = pressures_hpa.iter().flat_map(air).collect();
    let curves = Curves::new(nodes);
    // Of each temperature the curves of all channels.
    type Found = Vec<Option<Vec<Option<Curve>>>>;
    let levels: Vec<Mutex<Found>> =
        pressures_hpa.iter().map(|_| Mutex::new(vec![None; temperatures_k.len()])).collect();
    source.each_cross_sections::<R>(devices, &group.grid, &airs, stop, &|number, spectrum| {
        let (pressure, temperature) = (number / temperatures_k.len(), number % temperatures_k.len());
        let one = |(&channel, points): (&usize, &Range<usize>)| {
            let band = curves.band(&filters[channel].weights, &spectrum[points.clone()]);
            curves.curve(&band, temperatures_k[temperature])
        };
        // A GPU's threads are not rayon's, and there are as many of them as of the CPU.
        let found = match rayon::current_thread_index() {
            Some(_) => group.channels.par_iter().zip(&group.points).map(one).collect(),
            None => group.channels.iter().zip(&group.points).map(one).collect(),
        };
        let mut level = levels[pressure].lock().expect("no worker panics");
        level[temperature] = Some(found);
        if level.iter().all(Option::is_some) {
            let all: Vec<Vec<Option<Curve>>> = std::mem::take(&mut *level).into_iter().flatten().collect();
            drop(level);
            let pressure_hpa = pressures_hpa[pressure];
            let of_channel = |channel: usize| {
                let curves: Vec<Option<Curve>> = all.iter().map(|curves| curves[channel].clone()).collect();
                curves.iter().any(Option::is_some).then(|| {
                    let curves = curves.into_iter().zip(temperatures_k);
                    let curves = curves.map(|(curve, &t)| curve.unwrap_or_else(|| transparent(t))).collect();
                    PressureLevel { pressure_hpa, curves }
                })
            };
            done(pressure, (0..group.channels.len()).map(of_channel).collect());
        }
    })
}

/// The table of a channel from its levels, one a pressure \[hPa\]: [`transparent`] where there is none, and no table if
/// there is none at all.
#[must_use]
pub fn table(
    pressures_hpa: &[f64],
    temperatures_k: &[f64],
    levels: Vec<Option<PressureLevel>>,
) -> Option<EmissivityTable> {
    if levels.iter().all(Option::is_none) {
        return None;
    }
    let empty = |pressure_hpa: f64| {
        let curves = temperatures_k.iter().map(|&t| transparent(t)).collect();
        PressureLevel { pressure_hpa, curves }
    };
    let level = |(level, &p): (Option<PressureLevel>, &f64)| level.unwrap_or_else(|| empty(p));
    Some(EmissivityTable { pressures: levels.into_iter().zip(pressures_hpa).map(level).collect() })
}

#[cfg(test)]
mod tests {
    use isobar_io::Shape;

    use super::*;

    #[test]
    fn channels_near_each_other_have_one_grid() {
        let step = 0.001;
        let filter = |nu: f64| Shape { x: vec![nu - 0.5, nu + 0.5], y: vec![1.0, 1.0] };
        let nus = [900.0, 792.0, 791.25, 797.0, 802.2];
        let filters: Vec<_> = nus.iter().map(|&nu| FilterOnGrid::new(&filter(nu), step).unwrap()).collect();
        let groups = groups(&filters, step).unwrap();
        let channels: Vec<_> = groups.iter().map(|group| group.channels.clone()).collect();
        // From 797.5 to 801.7 are more points than a gap has.
        assert_eq!(channels, [vec![2, 1, 3], vec![4], vec![0]]);
        for group in &groups {
            for (&channel, points) in group.channels.iter().zip(&group.points) {
                let own = filters[channel].grid.wavenumbers_per_cm();
                assert_eq!(&group.grid.wavenumbers_per_cm()[points.clone()], own);
            }
        }
        let many: Vec<_> = (0..300).map(|i| FilterOnGrid::new(&filter(700.0 + f64::from(i)), step).unwrap()).collect();
        let groups = super::groups(&many, step).unwrap();
        assert!(groups.iter().all(|group| group.grid.wavenumbers_per_cm().len() <= MOST_POINTS as usize));
        assert_eq!(groups.len(), 3);
    }
}
