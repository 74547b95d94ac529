//! Isobar's own layout of tables of cloud optics, read and written.

use std::path::Path;

use isobar_optics::{CloudTables, ParticleTable};

use super::check::{self, Axis};
use super::own::{KDistributionAttributes, Output};
use super::valid::{size, values};
use crate::error::{Error, Place};
use crate::netcdf::{Accepted, Array, Dataset, DatasetWriter};

/// The variable by which the layout is known.
pub(super) const MARK: &str = "liquid_extinction";

const BANDS: [&str; 2] = ["band_lower_wavenumber", "band_upper_wavenumber"];
const ROUGHNESS: &str = "ice_roughness";

/// Names and units of the variables of one kind of particles.
struct Kind {
    size: &'static str,
    size_is: &'static str,
    properties: [&'static str; 3],
    long_names: [&'static str; 3],
}

const LIQUID: Kind = Kind {
    size: "liquid_radius",
    size_is: "effective radius of droplets",
    properties: [MARK, "liquid_albedo", "liquid_asymmetry"],
    long_names: ["extinction by droplets", "single-scattering albedo of droplets", "asymmetry of droplets"],
};
const ICE: Kind = Kind {
    size: "ice_diameter",
    size_is: "effective diameter of ice",
    properties: ["ice_extinction", "ice_albedo", "ice_asymmetry"],
    long_names: ["extinction by ice", "single-scattering albedo of ice", "asymmetry of ice"],
};
const RAIN: Kind = Kind {
    size: "rain_radius",
    size_is: "effective radius of rain",
    properties: ["rain_extinction", "rain_albedo", "rain_asymmetry"],
    long_names: ["extinction by rain", "single-scattering albedo of rain", "asymmetry of rain"],
};
const SNOW: Kind = Kind {
    size: "snow_diameter",
    size_is: "effective diameter of snow",
    properties: ["snow_extinction", "snow_albedo", "snow_asymmetry"],
    long_names: ["extinction by snow", "single-scattering albedo of snow", "asymmetry of snow"],
};
const UNITS: [&str; 3] = ["m2 g-1", "1", "1"];
const ACCEPTED: [Accepted; 3] = [check::EXTINCTION, Accepted::FRACTION, check::ASYMMETRY];

/// Reads them.
pub(super) fn read(file: &Dataset) -> Result<CloudTables, Error> {
    let by_point = file.has_exact_dimension("g_point");
    let along = if by_point { "g_point" } else { "band" };
    let spectral = file.exact_size(along, 1..=usize::MAX)?;
    let of = |name| {
        let accepted = Accepted::NOT_NEGATIVE;
        file.numbers(&Array { name, dimensions: &["band"], unit: "cm-1", states_unit: true, accepted })
    };
    let bands = of(BANDS[0])?.into_iter().zip(of(BANDS[1])?).map(|(low, high)| [low, high]).collect();
    let liquid = particles(file, &LIQUID, &[along, LIQUID.size])?.into_iter().next().unwrap_or_default();
    let ice = particles(file, &ICE, &[ROUGHNESS, along, ICE.size])?;
    let more = |kind: &Kind| -> Result<Option<ParticleTable>, Error> {
        let is_there = kind.properties.iter().any(|name| file.has_name(name));
        Ok(if is_there { particles(file, kind, &[along, kind.size])?.into_iter().next() } else { None })
    };
    let (rain, snow) = (more(&RAIN)?, more(&SNOW)?);
    let tables = CloudTables { spectral, by_point, bands, liquid, ice, rain, snow };
    check(&tables).map_err(|problem| file.invalid(problem))?;
    Ok(tables)
}

/// The tables of one kind of particles, of each roughness.
fn particles(file: &Dataset, kind: &Kind, dimensions: &[&str]) -> Result<Vec<ParticleTable>, Error> {
    let numbers = |name: &str, dimensions: &[&str], unit: &str, accepted| {
        file.numbers(&Array { name, dimensions, unit, states_unit: true, accepted })
    };
    let name = kind.size;
    file.exact_size(name, 2..=usize::MAX)?;
    let sizes = numbers(name, &[name], "um", Accepted::POSITIVE)?;
    let place = |index| format!("{name} {index}");
    check::even(name, &sizes, Axis::Rising, place).map_err(|problem| file.invalid(problem))?;
    let size_um = [sizes[0], sizes[sizes.len() - 1]];
    let mut length = sizes.len();
    length *= file.exact_size(dimensions[dimensions.len() - 2], 1..=usize::MAX)?;
    let read = |index: usize| numbers(kind.properties[index], dimensions, UNITS[index], ACCEPTED[index]);
    let [extinction, albedo, asymmetry] = [read(0)?, read(1)?, read(2)?];
    let tables = extinction.chunks_exact(length).zip(albedo.chunks_exact(length)).zip(asymmetry.chunks_exact(length));
    let table = |((extinction, albedo), asymmetry): ((&[f64], &[f64]), &[f64])| ParticleTable {
        size_um,
        extinction: extinction.to_vec(),
        albedo: albedo.to_vec(),
        asymmetry: asymmetry.to_vec(),
    };
    Ok(tables.map(table).collect())
}

/// A sentence where a table has another size than its axes or a value is out of its range.
fn check(tables: &CloudTables) -> Result<(), String> {
    let spectral = tables.spectral;
    if spectral == 0 || tables.bands.is_empty() || tables.ice.is_empty() {
        let (bands, ice) = (tables.bands.len(), tables.ice.len());
        return Err(format!(
            "there are tables by {spectral}, {bands} bands and {ice} roughnesses; expected at least 1"
        ));
    }
    if !tables.by_point {
        size("spectral", spectral, tables.bands.len())?;
    }
    values(BANDS[0], tables.bands.as_flattened(), 2 * tables.bands.len(), Accepted::NOT_NEGATIVE)?;
    check::limits(&format!("{} to {}:", BANDS[0], BANDS[1]), "cm-1", &tables.bands)?;
    let (first, nodes) = (&tables.ice[0], tables.ice[0].extinction.len());
    for (kind, table) in
        each_kind(tables).into_iter().flat_map(|(kind, of_each)| of_each.iter().map(move |of| (kind, of)))
    {
        let ([low, high], count) = (table.size_um, table.extinction.len());
        if !(low > 0.0 && low < high && high < f64::INFINITY) {
            return Err(format!("{} is from {low} to {high} um; expected positive numbers that rise", kind.size));
        }
        if count % spectral != 0 || count < 2 * spectral {
            let name = kind.properties[0];
            return Err(format!("{name} has {count} values; expected at least 2 for each of {spectral}"));
        }
        for ((name, found), accepted) in
            kind.properties.iter().zip([&table.extinction, &table.albedo, &table.asymmetry]).zip(ACCEPTED)
        {
            values(name, found, count, accepted)?;
        }
    }
    if tables.ice.iter().any(|ice| ice.size_um != first.size_um || ice.extinction.len() != nodes) {
        return Err("ice of each roughness has sizes of its own; expected the same".into());
    }
    Ok(())
}

/// All kinds of particles with their tables, ice with one of each roughness.
fn each_kind(tables: &CloudTables) -> [(&'static Kind, &[ParticleTable]); 4] {
    [
        (&LIQUID, std::slice::from_ref(&tables.liquid)),
        (&ICE, &tables.ice),
        (&RAIN, tables.rain.as_slice()),
        (&SNOW, tables.snow.as_slice()),
    ]
}

/// Writes tables of cloud optics in [Isobar's layout](super#clouds-in-isobars-layout).
///
/// Numbers are in single precision where all of their variable are numbers of single precision, else in double
/// precision: [`read_cloud_tables`](super::read_cloud_tables) gives the same back.
///
/// # Errors
/// The tables make no sense, as [`read_cloud_tables`](super::read_cloud_tables) would say; the file cannot be written.
pub fn write_cloud_tables(
    path: &Path,
    tables: &CloudTables,
    attributes: &KDistributionAttributes,
) -> Result<(), Error> {
    check(tables).map_err(|problem| Error::invalid(Place::File(path.to_owned()), problem))?;
    let mut out = Output(DatasetWriter::create(path)?);
    out.attributes(attributes)?;
    let along = if tables.by_point { "g_point" } else { "band" };
    out.0.dimension("band", tables.bands.len())?;
    if tables.by_point {
        out.0.dimension(along, tables.spectral)?;
    }
    out.limits(BANDS, "band", "band", &tables.bands)?;
    for (kind, of_each) in each_kind(tables).into_iter().filter(|(_, of_each)| !of_each.is_empty()) {
        let nodes = of_each[0].extinction.len() / tables.spectral;
        out.0.dimension(kind.size, nodes)?;
        out.real(kind.size, &[kind.size], "um", kind.size_is, &sizes(of_each[0].size_um, nodes))?;
        let mut dimensions = vec![along, kind.size];
        if kind.size == ICE.size {
            out.0.dimension(ROUGHNESS, of_each.len())?;
            dimensions.insert(0, ROUGHNESS);
        }
        let all = |of: fn(&ParticleTable) -> &[f64]| of_each.iter().flat_map(of).copied().collect::<Vec<f64>>();
        let values = [all(|table| &table.extinction), all(|table| &table.albedo), all(|table| &table.asymmetry)];
        for (index, values) in values.iter().enumerate() {
            out.real(kind.properties[index], &dimensions, UNITS[index], kind.long_names[index], values)?;
        }
    }
    out.0.commit()
}

/// Sizes at equal distances, the ends as they are.
fn sizes([first, last]: [f64; 2], nodes: usize) -> Vec<f64> {
    let step = (last - first) / (nodes - 1) as f64;
    (0..nodes).map(|node| if node + 1 == nodes { last } else { first + node as f64 * step }).collect()
}
