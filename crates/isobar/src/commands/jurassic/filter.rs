//! `isobar jurassic filter`, `obs2spec`: filter functions, and spectra of observations.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar_core::Real;
use isobar_io::{AtomicFile, FilesInUse, Shape, read_observation_and_titles, write_shape};

use crate::inputs::case::ControlFile;
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The shape of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// 1 within the full width, FILTER_TYPE 0
    Boxcar,
    /// Falling linearly to 0 at the full width, FILTER_TYPE 1
    Triangle,
    /// A Gaussian of this full width at half maximum, FILTER_TYPE 2
    Gauss,
    /// The line shape of an interferometer, FILTER_TYPE 3
    Sinc,
    /// The line shape of an interferometer with the strong apodization of Norton and Beer, FILTER_TYPE 4
    NortonBeer,
}

/// The options of `filter`.
#[derive(Args, Debug)]
pub(crate) struct Filter {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Its shape
    #[arg(long, value_enum, default_value = "triangle")]
    kind: Kind,
    /// Optical path difference [cm], for sinc and norton-beer; 10 by default
    #[arg(long)]
    opd: Option<f64>,
    /// Full width [cm^-1], of the others; 1 by default
    #[arg(long)]
    fwhm: Option<f64>,
    /// Where its middle is [cm^-1]
    #[arg(long, default_value_t = 1000.0)]
    center: f64,
    /// How wide it is tabulated [cm^-1]; as many whole steps on either side of the middle as fit into it
    #[arg(long, default_value_t = 2.1)]
    width: f64,
    /// From one sample to the next [cm^-1], at most a quarter of the shape's integral over its height; the middle is a
    /// sample
    #[arg(long, default_value_t = 0.0005)]
    samp: f64,
}

/// The options of `obs2spec`.
#[derive(Args, Debug)]
pub(crate) struct ToSpectra {
    #[command(flatten)]
    control: ControlFile,
    /// The observation
    #[arg(long, value_name = "FILE")]
    obs: PathBuf,
    /// The text to write, a row a ray and channel
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// The share of a shape that may be cut off unsaid: a sinc of 10 cm has 1 % beyond 1 cm^-1.
const LEAST_CUT_OFF: f64 = 0.01;
/// Steps between the samples of a filter at most.
const MOST: f64 = 1e6;
/// Steps within the width of a box of the shape's height and integral at least: straight lines between fewer samples
/// are another shape.
const FEWEST_STEPS: f64 = 4.0;
/// The share by which samples may make a boxcar wider or narrower.
const MOST_OFF: f64 = 0.01;

/// `2^n n! j_n(a) / a^n` with the spherical Bessel function: the line shape of an interferogram that is weighted by
/// `(1 - x^2)^n` on `[0, 1]`.
fn weighted(n: u32, a: f64) -> f64 {
    let scale: f64 = (1..=n).map(|i| 2.0 * f64::from(i)).product();
    let odd: f64 = (0..=n).map(|i| f64::from(2 * i + 1)).product();
    // Where the recurrence loses digits, the series: sum (-a^2/2)^k / (k! (2n+1)(2n+3)...(2n+2k+1)).
    if a.abs() < 6.0 {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..60_u32 {
            term *= -0.5 * a * a / (f64::from(k) * f64::from(2 * (n + k) + 1));
            sum += term;
        }
        return scale / odd * sum;
    }
    let (mut last, mut bessel) = (Real::cos(a) / a, Real::sin(a) / a);
    for i in 0..n {
        (last, bessel) = (bessel, f64::from(2 * i + 1) / a * bessel - last);
    }
    scale * bessel / Real::powi(a, n as i32)
}

impl Filter {
    /// Optical path difference \[cm\] and full width \[cm^-1\].
    fn widths(&self) -> (f64, f64) {
        (self.opd.unwrap_or(10.0), self.fwhm.unwrap_or(1.0))
    }

    /// Refuses samples too far from each other for straight lines between them to have the shape.
    fn check_sampling(&self) -> Result<(), Failure> {
        let Self { samp, .. } = *self;
        let (opd, fwhm) = self.widths();
        let most = self.kind.integral(self) / FEWEST_STEPS;
        // Rounding of a quarter that somebody gave.
        if samp > most * (1.0 + 1e-9) {
            let of = match self.kind {
                Kind::Sinc | Kind::NortonBeer => format!("--opd {opd}"),
                Kind::Boxcar | Kind::Triangle | Kind::Gauss => format!("--fwhm {fwhm}"),
            };
            return Err(Failure::usage(format!("--samp {samp} cm^-1 is too coarse for {of}: at most {most}")));
        }
        let inside = (0.5 * fwhm / samp + 1e-6).floor();
        let has_edge = (inside * samp - 0.5 * fwhm).abs() <= 1e-6 * samp;
        let sampled = samp * (2.0 * inside + if has_edge { 0.0 } else { 1.0 });
        if self.kind == Kind::Boxcar && fwhm < self.width && (sampled / fwhm - 1.0).abs() > MOST_OFF {
            return Err(Failure::usage(format!(
                "--samp {samp} cm^-1 would make the boxcar of --fwhm {fwhm} {sampled:.4} wide: --fwhm must be a whole \
                 number of steps, or steps much finer"
            )));
        }
        Ok(())
    }
}

impl Kind {
    /// At a distance from the middle \[cm^-1\], not normalised.
    fn value(self, options: &Filter, away: f64) -> f64 {
        let (opd, fwhm) = options.widths();
        let a = core::f64::consts::TAU * away * opd;
        match self {
            // A sample at an edge, however it is rounded, is half within, or the width would be a step more.
            Self::Boxcar => {
                let within = 0.5 * fwhm - away.abs();
                if within.abs() <= 1e-6 * options.samp { 0.5 } else { f64::from(u8::from(within > 0.0)) }
            }
            Self::Triangle => (1.0 - away.abs() / fwhm).max(0.0),
            Self::Gauss => {
                // JURASSIC's 2.355 for 2 sqrt(2 ln 2).
                let x = away / (fwhm / 2.355);
                Real::exp(-0.5 * x * x)
            }
            Self::Sinc => weighted(0, a),
            // Norton and Beer 1976, J. Opt. Soc. Am. 66, 259: their strong function.
            Self::NortonBeer => 0.045_335 * weighted(0, a) + 0.554_883 * weighted(2, a) + 0.399_782 * weighted(4, a),
        }
    }
}

impl Kind {
    /// The integral of [`Kind::value`] over all distances \[cm^-1\].
    fn integral(self, options: &Filter) -> f64 {
        let (opd, fwhm) = options.widths();
        match self {
            Self::Boxcar | Self::Triangle => fwhm,
            Self::Gauss => fwhm / 2.355 * Real::sqrt(core::f64::consts::TAU),
            // The interferogram's weight is 1 in its middle.
            Self::Sinc | Self::NortonBeer => 0.5 / opd,
        }
    }
}

pub(super) fn filter(options: &Filter) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.writes("the output", &options.out)?;
    let by_path = matches!(options.kind, Kind::Sinc | Kind::NortonBeer);
    let (unused, other) = if by_path { (options.fwhm, "fwhm") } else { (options.opd, "opd") };
    if unused.is_some() {
        let kinds = if by_path { "boxcar, triangle and gauss" } else { "sinc and norton-beer" };
        return Err(Failure::usage(format!("--{other} is for {kinds}, and has no effect on this --kind")));
    }
    let (opd, fwhm) = options.widths();
    let Filter { center, width, samp, .. } = *options;
    for (name, value) in [("--opd", opd), ("--fwhm", fwhm), ("--center", center), ("--width", width), ("--samp", samp)]
    {
        if !(value.is_finite() && value > 0.0) {
            return Err(Failure::usage(format!("{name} {value} lies outside (0, inf)")));
        }
    }
    // On either side of the middle, which is a sample.
    let steps = (0.5 * width / samp + 1e-9).floor();
    if !(1.0..=0.5 * MOST).contains(&steps) || width >= 2.0 * center {
        let problem = format!("--width {width} cm^-1 around {center} in steps of {samp}: expected 2 to {MOST} steps");
        return Err(Failure::usage(problem));
    }
    options.check_sampling()?;
    let count = steps as i32;
    let away: Vec<f64> = (-count..=count).map(|i| samp * f64::from(i)).collect();
    let mut values: Vec<f64> = away.iter().map(|&away| options.kind.value(options, away)).collect();
    let sum: f64 = values.iter().sum();
    let whole = options.kind.integral(options);
    let cut_off = 1.0 - (sum - 0.5 * (values[0] + values[values.len() - 1])) * samp / whole;
    if cut_off > LEAST_CUT_OFF {
        warn(format!(
            "--width {width} cm^-1 cuts {:.1} % of the shape's integral off, which the rest makes up for: a larger \
             --width has more of it",
            100.0 * cut_off
        ));
    }
    // Its integral is 1.
    values.iter_mut().for_each(|value| *value /= sum * samp);
    let shape = Shape { x: away.iter().map(|away| center + away).collect(), y: values };
    AtomicFile::write_with(&options.out, |out| write_shape(out, &shape))?;
    Ok(())
}

pub(super) fn to_spectra(options: &ToSpectra) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.reads("the observation", &options.obs)?;
    files.writes("the output", &options.out)?;
    let control = options.control.read(&mut files)?;
    control.require_channels()?;
    let (observation, without) = read_observation_and_titles(&options.obs, &control)?;
    if without > 0 {
        let path = options.obs.display();
        warn(format!("{path}: {without} rows end after the view point: radiances and transmittances are 0"));
    }
    let (quantity, unit) = match control.brightness_temperature {
        true => ("brightness temperature", "K"),
        false => ("radiance", "W/(m^2 sr cm^-1)"),
    };
    AtomicFile::write_with(&options.out, |out| {
        writeln!(out, "# $1 = time (seconds since 2000-01-01T00:00Z)")?;
        let mut number = 1;
        for point in ["observer", "view point", "tangent point"] {
            for axis in ["altitude [km]", "longitude [deg]", "latitude [deg]"] {
                number += 1;
                writeln!(out, "# ${number} = {point} {axis}")?;
            }
        }
        writeln!(out, "# $11 = channel frequency [cm^-1]")?;
        writeln!(out, "# $12 = channel {quantity} [{unit}]")?;
        writeln!(out, "# $13 = channel transmittance [1]")?;
        let channels = &control.wavenumbers_per_cm;
        for (i, (ray, tangent)) in observation.rays.iter().zip(&observation.tangent_points).enumerate() {
            writeln!(out)?;
            let places = [ray.observer, ray.view_point, *tangent]
                .map(|p| format!("{} {} {}", p.height_km, p.longitude_deg, p.latitude_deg));
            for (channel, nu) in channels.iter().enumerate() {
                let at = i * channels.len() + channel;
                let (radiance, transmittance) = (observation.radiance[at], observation.transmittance[at]);
                writeln!(out, "{} {} {nu:.4} {radiance:e} {transmittance:e}", ray.time_s, places.join(" "))?;
            }
        }
        Ok(())
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral over the weighted interferogram, by Simpson's rule.
    #[test]
    fn line_shapes_are_integrals_of_interferograms() {
        for a in [0.0, 0.3, 1.0, 5.9, 6.1, 20.0, 60.0] {
            for n in [0, 2, 4] {
                let steps = 20_000;
                let value = |i: usize| {
                    let x = i as f64 / f64::from(steps);
                    Real::powi(1.0 - x * x, n) * Real::cos(a * x)
                };
                let weight = |i: usize| if i == 0 || i == steps as usize { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
                let sum: f64 = (0..=steps as usize).map(|i| weight(i) * value(i)).sum();
                let integral = sum / f64::from(3 * steps);
                assert!((weighted(n as u32, a) - integral).abs() < 1e-12, "{n} {a}");
            }
        }
    }
}
