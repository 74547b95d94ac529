//! Layers of one species or several: depths, albedos and phase functions.

use std::ops::Bound;

use isobar_adding::azimuth::phase_function::{
    Part, ScatteringAngles, TabulatedMoments, double_henyey_greenstein, ends_early, henyey_greenstein, mixture,
    moments_until, rayleigh,
};

use super::variables::{ANY_LAYER, LAYER, PROFILE, SPECIES, declared, plain};
use crate::error::Error;
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, Field, Orientation, VariableSpec};

const DEPTH: &[Axis] = &[SPECIES, LAYER, PROFILE];
const SCATTERER: &[Axis] = &[SPECIES, ANY_LAYER, PROFILE];
const MOMENTS: &[Axis] = &[SPECIES, ANY_LAYER, Axis::required(Dimension::Moment), PROFILE];
const TABLE: &[Axis] = &[SPECIES, ANY_LAYER, Axis::required(Dimension::ScatteringAngle), PROFILE];
const OF_AIR: &[Axis] = &[LAYER, PROFILE];

const RAYLEIGH: VariableSpec = plain("rayleigh_optical_depth", OF_AIR, Accepted::NOT_NEGATIVE);
const DEPOLARIZATION: VariableSpec = plain("depolarization_factor", &[], Accepted::FRACTION);
const PHASE_FUNCTION: VariableSpec = plain("phase_function", TABLE, Accepted::NOT_NEGATIVE);
const SCATTERING_ANGLE: VariableSpec = VariableSpec {
    name: "scattering_angle",
    aliases: &[],
    standard_names: &["scattering_angle"],
    unit: "degree",
    axes: &[Axis::required(Dimension::ScatteringAngle)],
    accepted: Accepted { low: Bound::Included(0.0), high: Bound::Included(180.0) },
};
const ASYMMETRY: Accepted = Accepted { low: Bound::Excluded(-1.0), high: Bound::Excluded(1.0) };
const FORWARD: VariableSpec = plain("forward_asymmetry", SCATTERER, ASYMMETRY);
const BACKWARD: VariableSpec = plain("backward_asymmetry", SCATTERER, ASYMMETRY);
const FRACTION: VariableSpec = plain("forward_fraction", SCATTERER, Accepted::FRACTION);

/// The most moments that are made of a table or an asymmetry: those of an asymmetry of 0.998 end there.
const MOST_MOMENTS: usize = 10_000;
/// Those of a table, unless the last of them counts: kinks between its angles, which mean little, have no end.
const MOMENTS_OF_TABLES: usize = 720;
/// Moments that are made end before the first from which on all are less.
const SMALLEST_MOMENT: f64 = 1e-8;
/// How far from 1 a first moment may be, to be taken for 1: roundings of single precision.
const ROUNDING: f64 = 1e-6;

/// The phase functions of a file.
enum Phase {
    Asymmetry(Field),
    Double([Field; 3]),
    Moments(Field),
}

/// What the file says, in its own orientation.
pub(super) struct Fields {
    depth: Option<Field>,
    albedo: Option<Field>,
    phase: Option<Phase>,
    rayleigh: Option<Field>,
    depolarization: f64,
}

/// Layers of one species each, `[layer * profiles + profile]`, the top first.
pub(super) struct Layers {
    pub(super) optical_depth: Vec<f64>,
    pub(super) single_scattering_albedo: Vec<f64>,
    pub(super) asymmetry: Vec<f64>,
    pub(super) moments: Vec<f64>,
}

impl Fields {
    pub(super) fn read(file: &mut Dataset, derived: &mut Vec<String>) -> Result<Self, Error> {
        let rayleigh = file.read_optional(&RAYLEIGH)?;
        let mut depolarization = 0.0;
        if rayleigh.is_some() {
            match file.read_optional(&DEPOLARIZATION)? {
                Some(field) => depolarization = field.values[0],
                None => derived.push("depolarization_factor = 0".to_owned()),
            }
        }
        let depth = declared("optical_depth", DEPTH, &["tau", "dtauc"]);
        if rayleigh.is_some() && !file.has(&depth)? {
            return Ok(Self { depth: None, albedo: None, phase: None, rayleigh, depolarization });
        }
        let depth = file.read(&depth)?;
        let albedo = file.read(&declared("single_scattering_albedo", SCATTERER, &["omega", "ssa", "w0", "ssalb"]))?;
        let phase = Phase::read(file, derived)?;
        let species = albedo.size(Dimension::Tracer).max(phase.species());
        if depth.size(Dimension::Tracer) < species {
            let text = format!(
                "{} is not given for each of the {species} species, of which {} is: which part of it each has is open",
                depth.name,
                if albedo.size(Dimension::Tracer) > 1 { &albedo.name } else { "the phase function" }
            );
            return Err(file.invalid(text));
        }
        Ok(Self { depth: Some(depth), albedo: Some(albedo), phase: Some(phase), rayleigh, depolarization })
    }

    pub(super) fn top_first(mut self, orientation: Orientation) -> Self {
        let mut flip = |field: &mut Field| field.top_first(orientation);
        self.depth.iter_mut().chain(&mut self.albedo).chain(&mut self.rayleigh).for_each(&mut flip);
        match &mut self.phase {
            Some(Phase::Asymmetry(field) | Phase::Moments(field)) => flip(field),
            Some(Phase::Double(fields)) => fields.iter_mut().for_each(flip),
            None => {}
        }
        self
    }

    /// The layers, of which species are mixed.
    pub(super) fn mixed(self, file: &Dataset, derived: &mut Vec<String>) -> Layers {
        let size = |dimension| file.size(dimension).unwrap_or(1);
        let (species, layers, profiles) = (size(Dimension::Tracer), size(Dimension::Layer), size(Dimension::Profile));
        let (depth, albedo, phase) = match (self.depth, self.albedo, self.phase) {
            (Some(depth), Some(albedo), Some(phase)) if species == 1 && self.rayleigh.is_none() => {
                return single(file, [depth, albedo], phase, [layers, profiles]);
            }
            all => all,
        };
        let air = rayleigh(self.depolarization);
        let mut count = 3;
        if let Some(phase) = &phase {
            count = count.max(phase.count());
            derived.push(format!("{species} species{} mixed", if self.rayleigh.is_some() { " and air" } else { "" }));
        }
        let places = layers * profiles;
        let mut all = Layers {
            optical_depth: Vec::with_capacity(places),
            single_scattering_albedo: Vec::with_capacity(places),
            asymmetry: Vec::new(),
            moments: vec![0.0; places * count],
        };
        for layer in 0..layers {
            for profile in 0..profiles {
                let moments: Vec<Vec<f64>> = match &phase {
                    Some(phase) => (0..species).map(|s| phase.moments([s, layer, profile], count)).collect(),
                    None => Vec::new(),
                };
                let mut parts: Vec<Part<'_>> = Vec::new();
                if let (Some(depth), Some(albedo)) = (&depth, &albedo) {
                    parts.extend(moments.iter().enumerate().map(|(s, moments)| Part {
                        optical_depth: at(depth, &[s, layer, profile]),
                        single_scattering_albedo: at(albedo, &[s, layer, profile]),
                        moments,
                    }));
                }
                if let Some(depth) = &self.rayleigh {
                    let optical_depth = at(depth, &[layer, profile]);
                    parts.push(Part { optical_depth, single_scattering_albedo: 1.0, moments: &air });
                }
                let mixed = mixture(&parts, count);
                all.optical_depth.push(mixed.optical_depth);
                all.single_scattering_albedo.push(mixed.single_scattering_albedo);
                for (l, moment) in mixed.moments.into_iter().enumerate() {
                    all.moments[(layer * count + l) * profiles + profile] = moment;
                }
            }
        }
        all
    }
}

/// Layers as they are.
fn single(file: &Dataset, [depth, albedo]: [Field; 2], phase: Phase, [layers, profiles]: [usize; 2]) -> Layers {
    let rows = |field: Field| {
        let field = file.broadcast(field);
        let mut all = Vec::with_capacity(layers * profiles);
        for layer in 0..layers {
            all.extend((0..profiles).map(|profile| at(&field, &[0, layer, profile])));
        }
        all
    };
    let (optical_depth, single_scattering_albedo) = (rows(depth), rows(albedo));
    if let Phase::Asymmetry(asymmetry) = phase {
        return Layers { optical_depth, single_scattering_albedo, asymmetry: rows(asymmetry), moments: Vec::new() };
    }
    let count = phase.count();
    let mut moments = vec![0.0; layers * count * profiles];
    for layer in 0..layers {
        for profile in 0..profiles {
            for (l, moment) in phase.moments([0, layer, profile], count).into_iter().enumerate() {
                moments[(layer * count + l) * profiles + profile] = moment;
            }
        }
    }
    Layers { optical_depth, single_scattering_albedo, asymmetry: Vec::new(), moments }
}

/// A value of a field, which may have one for all along a dimension.
fn at(field: &Field, index: &[usize]) -> f64 {
    let place =
        field.shape.iter().zip(index).fold(0, |place, (&size, &i)| place * size + if size == 1 { 0 } else { i });
    field.values[place]
}

impl Phase {
    fn read(file: &mut Dataset, derived: &mut Vec<String>) -> Result<Self, Error> {
        if let Some(moments) = file.read_optional(&declared("phase_moments", MOMENTS, &["pmom", "legendre_moments"]))? {
            return normalised(file, moments, derived).map(Self::Moments);
        }
        if let Some(table) = file.read_optional(&PHASE_FUNCTION)? {
            let angles = file.read(&SCATTERING_ANGLE)?;
            return tabulated(file, &table, &angles.values, derived).map(Self::Moments);
        }
        if file.has(&FORWARD)? {
            return Ok(Self::Double([file.read(&FORWARD)?, file.read(&BACKWARD)?, file.read(&FRACTION)?]));
        }
        file.read(&declared("asymmetry", SCATTERER, &["g", "asymmetry_factor", "asymmetry_parameter", "gg", "GG"]))
            .map(Self::Asymmetry)
    }

    /// Of how many species they are.
    fn species(&self) -> usize {
        match self {
            Self::Asymmetry(field) | Self::Moments(field) => field.size(Dimension::Tracer),
            Self::Double(fields) => fields.iter().map(|field| field.size(Dimension::Tracer)).max().unwrap_or(1),
        }
    }

    /// How many moments are made.
    fn count(&self) -> usize {
        let until = |field: &Field| {
            let largest = field.values.iter().fold(0.0, |largest: f64, g| largest.max(g.abs()));
            moments_until(largest, SMALLEST_MOMENT, MOST_MOMENTS)
        };
        match self {
            Self::Asymmetry(field) => until(field),
            Self::Double([forward, backward, _]) => until(forward).max(until(backward)),
            Self::Moments(field) => field.size(Dimension::Moment),
        }
    }

    /// `count` moments of a species in a layer of a profile.
    fn moments(&self, [species, layer, profile]: [usize; 3], count: usize) -> Vec<f64> {
        let of = |field: &Field| at(field, &[species, layer, profile]);
        match self {
            Self::Asymmetry(field) => henyey_greenstein(of(field), count),
            Self::Double([forward, backward, fraction]) => {
                double_henyey_greenstein(of(forward), of(backward), of(fraction), count)
            }
            Self::Moments(field) => {
                let own = count.min(field.size(Dimension::Moment));
                (0..own).map(|l| at(field, &[species, layer, l, profile])).collect()
            }
        }
    }
}

/// Where in a file a phase function stands, of the shape of a field with its moments or angles third.
fn place(field: &Field, [species, layer, profile]: [usize; 3]) -> String {
    let names = [("species", 0, species), ("layer", 1, layer), ("profile", 3, profile)];
    let parts: Vec<String> = names
        .into_iter()
        .filter(|&(_, position, _)| field.shape[position] > 1)
        .map(|(name, _, index)| format!("{name} {index}"))
        .collect();
    if parts.is_empty() { field.name.clone() } else { format!("{} at {}", field.name, parts.join(", ")) }
}

/// Every phase function of a field: species, layer and profile.
fn places(field: &Field) -> impl Iterator<Item = [usize; 3]> {
    let [species, layers, _, profiles] = field.shape[..] else { unreachable!("four dimensions") };
    (0..species).flat_map(move |s| (0..layers).flat_map(move |k| (0..profiles).map(move |p| [s, k, p])))
}

/// Moments of which the first is 1.
fn normalised(file: &Dataset, mut moments: Field, derived: &mut Vec<String>) -> Result<Field, Error> {
    let [_, layers, count, profiles] = moments.shape[..] else { unreachable!("four dimensions") };
    let mut rounded = 0;
    for [species, layer, profile] in places(&moments).collect::<Vec<_>>() {
        let first = (species * layers + layer) * count * profiles + profile;
        let value = moments.values[first];
        if (value - 1.0).abs() > ROUNDING {
            let place = place(&moments, [species, layer, profile]);
            let text = format!("{place}: moment 0 = {value} is not 1: phase functions are normalised");
            return Err(file.invalid(text));
        }
        if value != 1.0 {
            rounded += 1;
            moments.values[first] = 1.0;
        }
    }
    if rounded > 0 {
        derived
            .push(format!("{rounded} of the first moments of {} = 1, which they are but for roundings", moments.name));
    }
    Ok(moments)
}

/// `count` moments of each table of a field.
fn moments_of_tables(
    file: &Dataset,
    table: &Field,
    degrees: &[f64],
    count: usize,
) -> Result<Vec<TabulatedMoments>, Error> {
    let angles = ScatteringAngles::new(degrees, count).map_err(|problem| file.invalid(problem.to_string()))?;
    let [_, layers, rows, profiles] = table.shape[..] else { unreachable!("four dimensions") };
    let moments = |[s, layer, profile]: [usize; 3]| {
        let first = (s * layers + layer) * rows * profiles + profile;
        let values: Vec<f64> = (0..rows).map(|row| table.values[first + row * profiles]).collect();
        angles.moments(&values).map_err(|problem| {
            // The reader has checked the values: it is the mean.
            let problem = problem.to_string();
            let problem = problem.strip_prefix("phase_function: ").unwrap_or(&problem).to_owned();
            file.invalid(format!("{}: {problem}", place(table, [s, layer, profile])))
        })
    };
    places(table).map(moments).collect()
}

/// Moments of tables, as many as are not negligible.
fn tabulated(file: &Dataset, table: &Field, degrees: &[f64], derived: &mut Vec<String>) -> Result<Field, Error> {
    let mut found = moments_of_tables(file, table, degrees, MOMENTS_OF_TABLES)?;
    let last = MOMENTS_OF_TABLES - 1;
    if found.iter().any(|found| ends_early(last, found.moments[last])) {
        found = moments_of_tables(file, table, degrees, MOST_MOMENTS)?;
    }
    let [species, layers, _, profiles] = table.shape[..] else { unreachable!("four dimensions") };
    let end = |found: &TabulatedMoments| found.moments.iter().rposition(|moment| moment.abs() >= SMALLEST_MOMENT);
    let count = found.iter().filter_map(end).max().map_or(1, |l| l + 1);
    let (least, most) =
        found.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), found| (low.min(found.mean), high.max(found.mean)));
    derived.push(format!(
        "{count} moments of {}, linear in the cosine between the angles and divided by its mean, {least:.6} to \
         {most:.6}",
        table.name
    ));
    let mut values = vec![0.0; species * layers * count * profiles];
    for ([s, layer, profile], found) in places(table).zip(found) {
        for (l, moment) in found.moments.into_iter().take(count).enumerate() {
            values[((s * layers + layer) * count + l) * profiles + profile] = moment;
        }
    }
    let dimensions = [Dimension::Tracer, Dimension::Layer, Dimension::Moment, Dimension::Profile];
    Ok(Field {
        name: table.name.clone(),
        dimensions: dimensions.to_vec(),
        shape: vec![species, layers, count, profiles],
        values,
    })
}
