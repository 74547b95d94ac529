//! Radiances of a channel along many paths, line by line.

use isobar_ega::channel::Channel;
use isobar_ega::channel_data::channels;
use isobar_ega::continuum::Air as ContinuumAir;
use isobar_ega::radiance::Cloud;
use isobar_ega::{ForwardSetup, GroundKind};
use isobar_launch::Device;
use isobar_raytrace::one_ray::PathPoint;
use isobar_raytrace::{Atmosphere, Path};
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::CollisionInduced;
use isobar_spectra::{Air, Options, SpectraError};

use super::radiance::{Ground, Segments, transfer};
use super::sources::{DRY_AIR, collision_induced_per_cm};
use super::{FilterOnGrid, Source};

/// Spectra that are in memory at a time, at most \[bytes\], where a single path needs no more.
const MEMORY: usize = 1 << 29;

/// What absorbs in a channel.
#[derive(Clone, Copy, Debug)]
pub struct Absorbers<'a> {
    /// The source of each gas of the setup, in its order; none: it is transparent.
    pub gases: &'a [Option<Source>],
    /// Pairs of molecules.
    pub pairs: &'a [CollisionInduced],
}

/// What a pencil beam sees in a channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Radiance, the filter's mean \[W/(m^2 sr cm^-1)\].
    pub radiance: f64,
    /// Transmittance of the path, the filter's mean.
    pub transmittance: f64,
    /// Both at each wavenumber of the grid.
    pub spectrum: Vec<(f64, f64)>,
}

/// The radiances of a channel along paths that were traced through an atmosphere. Lines and measured cross-sections are
/// taken at each point of a path, with the gas's own mole fraction; continua of the control file, extinction, cloud and
/// ground are those of `isobar forward`, at the centre of the channel.
///
/// # Errors
/// A ground that mirrors the Sun; those of [`Source::cross_sections`].
pub fn radiances<R: Precision>(
    setup: &ForwardSetup,
    (atmosphere, paths): (&Atmosphere, &[Path]),
    (channel, filter): (usize, &FilterOnGrid),
    absorbers: Absorbers<'_>,
    devices: &[Device],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Seen>, SpectraError> {
    let all = channels::<f64>(&setup.wavenumbers_per_cm, &setup.channel_setup(), atmosphere);
    let channel = &all[channel];
    if setup.ground == GroundKind::SkyAndSun && channel.surface_emissivity < 1.0 {
        let why = "the ground mirrors the Sun, which is not there line by line; take a SFTYPE of 0 to 2";
        return Err(SpectraError::Options(why.to_owned()));
    }
    let bytes = 8 * filter.grid.wavenumbers_per_cm().len() * absorbers.gases.len().max(1);
    let mut seen = Vec::new();
    while seen.len() < paths.len() {
        let first = seen.len();
        let (mut end, mut points) = (first, 0);
        while end < paths.len() && (end == first || bytes * (points + paths[end].points.len()) <= MEMORY) {
            points += paths[end].points.len();
            end += 1;
        }
        let chunk = &paths[first..end];
        let of_gas = |(number, source): (usize, &Option<Source>)| {
            let Some(source) = source else { return Ok(Vec::new()) };
            let air = |point: &PathPoint| Air {
                pressure_hpa: point.pressure_hpa,
                temperature_k: point.temperature_k,
                mole_fraction: point.gases[number].mixing_ratio.clamp(0.0, 1.0),
            };
            let airs: Vec<_> = chunk.iter().flat_map(|path| &path.points).map(air).collect();
            source.cross_sections::<R>(devices, &filter.grid, &airs, &|_| ())
        };
        let spectra =
            absorbers.gases.iter().enumerate().map(of_gas).collect::<Result<Vec<Vec<Vec<f64>>>, SpectraError>>()?;
        let mut offset = 0;
        for path in chunk {
            seen.push(along((setup, atmosphere), (path, offset), (channel, filter), absorbers, &spectra));
            offset += path.points.len();
            progress(seen.len());
        }
    }
    Ok(seen)
}

fn along(
    (setup, atmosphere): (&ForwardSetup, &Atmosphere),
    (path, offset): (&Path, usize),
    (channel, filter): (&Channel<f64>, &FilterOnGrid),
    absorbers: Absorbers<'_>,
    spectra: &[Vec<Vec<f64>>],
) -> Seen {
    let nu = filter.grid.wavenumbers_per_cm();
    let there: Vec<usize> = (0..spectra.len()).filter(|&gas| !spectra[gas].is_empty()).collect();
    let mut segments = Segments::default();
    for (i, point) in path.points.iter().enumerate() {
        segments.temperature_k.push(point.temperature_k);
        segments.columns_per_cm2.extend(there.iter().map(|&gas| point.gases[gas].column_per_cm2));
        segments.cross_sections.extend(there.iter().map(|&gas| spectra[gas][offset + i].as_slice()));
        segments.smooth.push(smooth_depth(setup, atmosphere, channel, point));
        if !absorbers.pairs.is_empty() {
            segments.more.push(pairs_depth(setup, absorbers.pairs, nu, point));
        }
    }
    let kind = setup.ground;
    let ground = (path.summary.hits_ground != 0 && kind != GroundKind::None).then(|| {
        let own = atmosphere.surface.as_ref().map_or(0.0, |surface| surface.temperature_k);
        Ground {
            temperature_k: if own > 0.0 { own } else { path.summary.last_temperature_k },
            emissivity: channel.surface_emissivity,
            mirrors: kind == GroundKind::Sky,
        }
    });
    let spectrum = transfer(nu, &segments, ground);
    let mean = |part: fn(&(f64, f64)) -> f64| filter.mean(&spectrum.iter().map(part).collect::<Vec<_>>());
    Seen { radiance: mean(|seen| seen.0), transmittance: mean(|seen| seen.1), spectrum }
}

/// Optical depth of continua, extinction and cloud in the segment of a point.
fn smooth_depth(setup: &ForwardSetup, atmosphere: &Atmosphere, channel: &Channel<f64>, point: &PathPoint) -> f64 {
    let column = |name: &str| setup.gas(name).map_or(0.0, |gas| point.gases[gas].column_per_cm2);
    let air = ContinuumAir {
        pressure_hpa: point.pressure_hpa,
        temperature_k: point.temperature_k,
        length_km: point.length_km,
        co2_per_cm2: column("CO2"),
        h2o_per_cm2: column("H2O"),
        h2o_mixing_ratio: setup.gas("H2O").map_or(0.0, |gas| point.gases[gas].mixing_ratio),
    };
    let mut extinction = point.extinction_per_km.get(channel.window as usize).copied().unwrap_or(0.0);
    if let Some(cloud) = atmosphere.cloud.as_ref().filter(|cloud| cloud.depth_km > 0.0) {
        let cloud = Cloud { height_km: cloud.height_km, depth_km: cloud.depth_km };
        extinction += cloud.extinction_per_km(point.height_km, channel.cloud_extinction_per_km);
    }
    channel.continuum.optical_depth(&air) + extinction * point.length_km
}

/// Optical depths of pairs of molecules in the segment of a point.
fn pairs_depth(setup: &ForwardSetup, pairs: &[CollisionInduced], nu: &[f64], point: &PathPoint) -> Vec<f64> {
    let dry = |name: &str| DRY_AIR.iter().find(|(gas, _)| gas.eq_ignore_ascii_case(name)).map_or(0.0, |gas| gas.1);
    let fraction = |name: &str| setup.gas(name).map_or_else(|| dry(name), |gas| point.gases[gas].mixing_ratio);
    let air = (point.pressure_hpa, point.temperature_k);
    let mut depth = vec![0.0; nu.len()];
    for pair in pairs {
        let more = collision_induced_per_cm(pair, nu, air, fraction, &Options::default());
        // 1e5 cm/km
        depth.iter_mut().zip(more).for_each(|(depth, more)| *depth += more * 1e5 * point.length_km);
    }
    depth
}
