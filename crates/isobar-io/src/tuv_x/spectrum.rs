//! Spectra by wavelength, as means over bins.

use super::object::Object;
use crate::error::Error;

/// Points of a spectrum, by rising wavelength \[nm\], linear between.
#[derive(Clone, Debug)]
pub(super) struct Spectrum {
    pub(super) wavelengths: Vec<f64>,
    pub(super) values: Vec<f64>,
    /// What holds below the first point and above the last.
    pub(super) beyond: [f64; 2],
}

impl Spectrum {
    /// The means over bins between edges, as TUV-x's interpolator `conserving` has them: beyond the points, from a
    /// hundred-thousandth on, other values hold.
    pub(super) fn means(&self, edges: &[f64]) -> Vec<f64> {
        const STEP: f64 = 1e-5;
        let (first, last) = (self.wavelengths[0], self.wavelengths[self.wavelengths.len() - 1]);
        let mut points = vec![(0.0, self.beyond[0]), ((1.0 - STEP) * first, self.beyond[0])];
        points.extend(self.wavelengths.iter().copied().zip(self.values.iter().copied()));
        points.extend([((1.0 + STEP) * last, self.beyond[1]), (1e38, self.beyond[1])]);
        let mut means = Vec::with_capacity(edges.len() - 1);
        for bin in edges.windows(2) {
            let from = points.partition_point(|(l, _)| *l <= bin[0]).saturating_sub(1);
            let mut area = 0.0;
            for pair in points[from..].windows(2).take_while(|pair| pair[0].0 < bin[1]) {
                let (low, high) = (pair[0].0.max(bin[0]), pair[1].0.min(bin[1]));
                let slope = (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
                let at = |l: f64| pair[0].1 + slope * (l - pair[0].0);
                area += 0.5 * (high - low) * (at(low) + at(high));
            }
            means.push(area / (bin[1] - bin[0]));
        }
        means
    }
}

/// What an object says of values beyond a spectrum's ends, which are these; 0 where it says nothing.
pub(super) fn beyond(objects: [Option<&Object<'_>>; 2], ends: [f64; 2]) -> Result<[f64; 2], Error> {
    let mut all = [0.0; 2];
    for ((value, end), key) in all.iter_mut().zip(ends).zip(["lower extrapolation", "upper extrapolation"]) {
        let Some(object) = objects.into_iter().flatten().find(|object| object.get(key).is_some()) else { continue };
        let own = object.object(key)?;
        *value = match own.text("type")?.as_str() {
            "boundary" => end,
            "constant" => own.number("value")?,
            other => return Err(own.invalid(&format!("type {other:?}; expected \"boundary\" or \"constant\""))),
        };
    }
    Ok(all)
}
