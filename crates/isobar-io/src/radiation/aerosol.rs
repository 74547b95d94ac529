//! Aerosol: optical properties that the file has, or masses of MERRA-2's types.

use isobar_optics::{AerosolKind, AerosolTables, relative_humidity};
use isobar_radiation::Columns;
use isobar_radiation::constants::GRAVITY;

use super::quantity::{field, read, read_where};
use super::{Outside, RadiationRequest};
use crate::columns_file::{Fields, Per, Quantity, Reading, between, wrf_clouds};
use crate::error::{Error, Place};
use crate::netcdf::Accepted;

/// Optical depths, each with what has to be there beside it.
const DEPTHS: [[&str; 3]; 2] = [
    ["aerosol_optical_depth_longwave", "aerosol_albedo_longwave", "aerosol_asymmetry_longwave"],
    ["aerosol_optical_depth", "aerosol_albedo", "aerosol_asymmetry"],
];

const KIND: Quantity = Quantity::new("aerosol_type", &["aero_type"], &[], "1", Per::Layer, between(0.0, 7.0));
const RADIUS: Quantity = Quantity::new("aerosol_radius", &["aero_size"], &[], "um", Per::Layer, Accepted::NOT_NEGATIVE);
const MASS: Quantity = Quantity::new("aerosol_mass", &["aero_mass"], &[], "kg m-2", Per::Layer, Accepted::NOT_NEGATIVE);
const HUMIDITY: Quantity = Quantity::new(
    "relative_humidity",
    &["rel_hum", "rh", "RH"],
    &["relative_humidity"],
    "1",
    Per::Layer,
    // Over ice the air is supersaturated by up to two thirds; a number of per cent is far beyond.
    between(0.0, 2.0),
);

const fn mixing_ratio(name: &'static str) -> Quantity {
    Quantity::new(name, &[], &[], "kg kg-1", Per::Layer, Accepted::FRACTION)
}

/// Particles of a radius \[um\].
type OfRadius = fn(f64) -> AerosolKind;

/// What MERRA-2 calls its mixing ratios, and which particles they are; the number is that of a size bin.
const MIXING_RATIOS: [(Quantity, OfRadius, usize); 15] = [
    (mixing_ratio("DU001"), AerosolKind::Dust, 0),
    (mixing_ratio("DU002"), AerosolKind::Dust, 1),
    (mixing_ratio("DU003"), AerosolKind::Dust, 2),
    (mixing_ratio("DU004"), AerosolKind::Dust, 3),
    (mixing_ratio("DU005"), AerosolKind::Dust, 4),
    (mixing_ratio("SS001"), AerosolKind::Salt, 0),
    (mixing_ratio("SS002"), AerosolKind::Salt, 1),
    (mixing_ratio("SS003"), AerosolKind::Salt, 2),
    (mixing_ratio("SS004"), AerosolKind::Salt, 3),
    (mixing_ratio("SS005"), AerosolKind::Salt, 4),
    (mixing_ratio("SO4"), |_| AerosolKind::Sulfate, 0),
    (mixing_ratio("BCPHOBIC"), |_| AerosolKind::BlackCarbon, 0),
    (mixing_ratio("BCPHILIC"), |_| AerosolKind::BlackCarbonWet, 0),
    (mixing_ratio("OCPHOBIC"), |_| AerosolKind::OrganicCarbon, 0),
    (mixing_ratio("OCPHILIC"), |_| AerosolKind::OrganicCarbonWet, 0),
];

/// Reads what the file has of aerosol: by types where there are tables for these.
pub(super) fn read_aerosol(reading: &mut Reading, request: &RadiationRequest) -> Result<(), Error> {
    read(reading, "aerosol_absorption_longwave", request)?;
    for [depth, albedo, asymmetry] in DEPTHS {
        read(reading, depth, request)?;
        if reading.found(&field(depth)) {
            for name in [albedo, asymmetry] {
                read_where(reading, name, request)?;
                if !reading.found(&field(name)) {
                    return Err(reading.file.invalid(format!("{name} is missing, and there is an {depth}")));
                }
            }
        }
    }
    if request.aerosols.is_empty() {
        return Ok(());
    }
    for name in DEPTHS.map(|[depth, ..]| depth).into_iter().chain(["aerosol_absorption_longwave"]) {
        if reading.found(&field(name)) {
            let text = format!("there is an {name}, and tables of aerosols would make another one of their types");
            return Err(reading.file.invalid(text));
        }
    }
    reading.maybe(&HUMIDITY)?;
    if reading.has(&KIND)? {
        reading.need(&KIND)?;
        return [RADIUS, MASS].iter().try_for_each(|quantity| reading.need_where(quantity));
    }
    for (quantity, ..) in &MIXING_RATIOS {
        reading.maybe(quantity)?;
    }
    if MIXING_RATIOS.iter().any(|(quantity, ..)| reading.found(quantity)) {
        return Ok(());
    }
    let text = "there are tables of aerosols, but neither aerosol_type with aerosol_radius and aerosol_mass, nor \
                one of MERRA-2's mixing ratios (DU001, SS001, SO4, BCPHOBIC, OCPHILIC, ...)";
    Err(reading.file.invalid(text))
}

/// Fills in the columns' aerosol. Pressures, temperatures and water vapour are there.
pub(super) fn take_aerosol(
    fields: &mut Fields,
    columns: &mut Columns<f64>,
    request: &RadiationRequest,
    derived: &mut Vec<String>,
) -> Result<(), Error> {
    columns.aerosol_absorption_longwave = fields.take(&field("aerosol_absorption_longwave"));
    let mut of_optics = |[depth, albedo, asymmetry]: [&str; 3]| -> Result<[Vec<f64>; 3], Error> {
        let depth = fields.take(&field(depth));
        let mut where_some = |name: &str| fields.take_where(&field(name), |index| depth[index] != 0.0);
        let (albedo, asymmetry) = (where_some(albedo)?, where_some(asymmetry)?);
        Ok([depth, albedo, asymmetry])
    };
    let [longwave, shortwave] = DEPTHS;
    [columns.aerosol_optical_depth_longwave, columns.aerosol_albedo_longwave, columns.aerosol_asymmetry_longwave] =
        of_optics(longwave)?;
    [columns.aerosol_optical_depth, columns.aerosol_albedo, columns.aerosol_asymmetry] = of_optics(shortwave)?;
    if request.aerosols.is_empty() {
        return Ok(());
    }
    let particles = Particles::take(fields, columns, derived)?;
    particles.find_beyond(fields, request)?;
    for tables in request.aerosols {
        let Some(optics) = request.spectra.gas_optics().find(|optics| tables.fit(optics)) else { continue };
        let [depth, albedo, asymmetry] = particles.properties(fields, tables)?;
        if optics.is_longwave() {
            columns.aerosol_optical_depth_longwave = depth;
            columns.aerosol_albedo_longwave = albedo;
            columns.aerosol_asymmetry_longwave = asymmetry;
        } else {
            columns.aerosol_optical_depth = depth;
            columns.aerosol_albedo = albedo;
            columns.aerosol_asymmetry = asymmetry;
        }
    }
    Ok(())
}

/// What floats in the layers.
struct Particles {
    /// What it is, with its mass in each layer and column \[kg/m^2\].
    species: Vec<(Species, Vec<f64>)>,
    humidity: Vec<f64>,
    count: usize,
    /// What the file calls the radii and the humidity.
    radius_name: String,
    humidity_name: String,
}

/// Particles of one file variable.
enum Species {
    /// The type, by RRTMGP's number, and the radius \[um\] of each layer and column.
    Each(Vec<f64>, Vec<f64>),
    /// One type everywhere, of this size bin.
    Same(OfRadius, usize),
}

impl Particles {
    fn take(fields: &mut Fields, columns: &Columns<f64>, derived: &mut Vec<String>) -> Result<Self, Error> {
        let count = fields.grid().columns();
        let humidity_name = fields.name(HUMIDITY.name).unwrap_or_else(|| HUMIDITY.name.to_owned());
        let mut humidity = fields.take(&HUMIDITY);
        if humidity.is_empty() {
            let one_or = |index: usize| match columns.h2o[..] {
                [] => 0.0,
                [one] => one,
                _ => columns.h2o[index],
            };
            let at = |index: usize| {
                relative_humidity(columns.pressure_pa[index], columns.temperature_k[index], one_or(index))
            };
            humidity = (0..columns.pressure_pa.len()).map(at).collect();
            derived.push("relative_humidity: Bolton's (1980), for aerosols".to_owned());
        }
        let [kind_name, radius_name] = [&KIND, &RADIUS].map(|quantity| fields.name(quantity.name).unwrap_or_default());
        let kinds = fields.take(&KIND);
        if !kinds.is_empty() {
            // Columns with a NaN are left out.
            if let Some(index) = kinds.iter().position(|kind| kind.fract() != 0.0 && !kind.is_nan()) {
                let place = fields.place(index / count, kinds.len() / count, index % count);
                let problem = format!("{kind_name} = {} at {place} is no number of a type", kinds[index]);
                return Err(Error::invalid(Place::File(fields.path().to_owned()), problem));
            }
            let radii = fields.take_where(&RADIUS, |index| kinds[index] == 1.0 || kinds[index] == 2.0)?;
            let mass = fields.take_where(&MASS, |index| kinds[index] != 0.0)?;
            let species = vec![(Species::Each(kinds, radii), mass)];
            return Ok(Self { species, humidity, count, radius_name, humidity_name });
        }
        let air = wrf_clouds::masses(&columns.level_pressure_pa, count, GRAVITY);
        let mut species = Vec::new();
        for &(quantity, kind, bin) in &MIXING_RATIOS {
            let mut mass = fields.take(&quantity);
            if !mass.is_empty() {
                mass.iter_mut().zip(&air).for_each(|(mass, air)| *mass *= air);
                species.push((Species::Same(kind, bin), mass));
            }
        }
        derived.push("aerosol mass = mixing ratio times the layer's mass".to_owned());
        Ok(Self { species, humidity, count, radius_name, humidity_name })
    }

    /// Refuses humidities beyond the tables where particles take up water, or says how many there are: these have the
    /// optics of the tables' end.
    fn find_beyond(&self, fields: &mut Fields, request: &RadiationRequest) -> Result<(), Error> {
        let used =
            request.aerosols.iter().filter(|tables| request.spectra.gas_optics().any(|optics| tables.fit(optics)));
        let ends = used.clone().filter_map(|tables| Some([*tables.humidity.first()?, *tables.humidity.last()?]));
        let Some([low, high]) = ends.reduce(|one, other| [one[0].max(other[0]), one[1].min(other[1])]) else {
            return Ok(());
        };
        let takes_up = |index: usize| {
            let kinds = used.clone().next().into_iter().flat_map(|tables| {
                self.species
                    .iter()
                    .filter(|(_, mass)| mass[index] > 0.0)
                    .filter_map(|(kind, _)| kind.kind(tables, index))
            });
            kinds.into_iter().any(AerosolKind::takes_up_water)
        };
        let is_air = |index: usize| fields.is_air(index / self.count, index % self.count);
        let all = self.humidity.iter().enumerate().filter(|(_, humidity)| **humidity < low || **humidity > high);
        let all: Vec<usize> = all.map(|(index, _)| index).filter(|&index| takes_up(index) && is_air(index)).collect();
        let Some(&first) = all.first() else { return Ok(()) };
        let layers = self.humidity.len() / self.count;
        let place = fields.place(first / self.count, layers, first % self.count);
        let (name, value) = (&self.humidity_name, self.humidity[first]);
        // The tables have single precision.
        let (low, high) = (low as f32, high as f32);
        let text =
            format!("{name} = {value} at {place} is not in [{low}, {high}], for which the tables of aerosols are");
        if request.outside == Outside::Error {
            let others = if all.len() > 1 { format!(" (and {} more)", all.len() - 1) } else { String::new() };
            return Err(fields.refuse(text + &others));
        }
        fields
            .note(format!("{} values beyond the tables of aerosols count as their end; the first: {text}", all.len()));
        Ok(())
    }

    /// Optical depth, albedo and asymmetry, `[layer][band][column]`, of all species together.
    fn properties(&self, fields: &Fields, tables: &AerosolTables) -> Result<[Vec<f64>; 3], Error> {
        let (count, bands) = (self.count, tables.bands.len());
        let mut all = [(); 3].map(|()| vec![0.0; self.humidity.len() * bands]);
        for index in 0..self.humidity.len() {
            let (layer, column) = (index / count, index % count);
            // What is scattered, and forward, too.
            let mut sums = vec![[0.0; 3]; bands];
            for (species, mass) in &self.species {
                let Some(kind) = species.kind(tables, index) else { continue };
                if mass[index].is_nan() || self.humidity[index].is_nan() {
                    continue;
                }
                let properties = tables.properties(kind, mass[index], self.humidity[index]).map_err(|error| {
                    let place = fields.place(layer, self.humidity.len() / count, column);
                    let problem = match kind {
                        AerosolKind::Dust(radius) | AerosolKind::Salt(radius) if tables.bin_of(radius).is_none() => {
                            let name = &self.radius_name;
                            format!("{name} = {radius} um at {place} is in none of the tables' bins, {}", bins(tables))
                        }
                        _ => format!("{error}, at {place}"),
                    };
                    Error::invalid(Place::File(fields.path().to_owned()), problem)
                })?;
                for (sums, [depth, albedo, asymmetry]) in sums.iter_mut().zip(properties) {
                    sums[0] += depth;
                    sums[1] += depth * albedo;
                    sums[2] += depth * albedo * asymmetry;
                }
            }
            for (band, [depth, scattered, forward]) in sums.into_iter().enumerate() {
                let place = (layer * bands + band) * count + column;
                let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
                all[0][place] = depth;
                all[1][place] = ratio(scattered, depth);
                all[2][place] = ratio(forward, scattered);
            }
        }
        Ok(all)
    }
}

/// The bins of sizes, in words; the tables have them in f32.
fn bins(tables: &AerosolTables) -> String {
    let bins = tables.bins_um.iter().map(|&[low, high]| format!("{} to {}", low as f32, high as f32));
    bins.collect::<Vec<_>>().join(", ") + " um"
}

impl Species {
    /// What there is in a layer of a column.
    fn kind(&self, tables: &AerosolTables, index: usize) -> Option<AerosolKind> {
        match self {
            Self::Same(kind, bin) => {
                let [low, high] = tables.bins_um.get(*bin).copied().unwrap_or_default();
                Some(kind(0.5 * (low + high)))
            }
            Self::Each(kinds, radii) => match kinds[index] as u32 {
                1 if !radii[index].is_nan() => Some(AerosolKind::Dust(radii[index])),
                2 if !radii[index].is_nan() => Some(AerosolKind::Salt(radii[index])),
                3 => Some(AerosolKind::Sulfate),
                4 => Some(AerosolKind::BlackCarbonWet),
                5 => Some(AerosolKind::BlackCarbon),
                6 => Some(AerosolKind::OrganicCarbonWet),
                7 => Some(AerosolKind::OrganicCarbon),
                _ => None,
            },
        }
    }
}
