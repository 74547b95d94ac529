//! The clouds of a run: those of the case, or of the file that it starts from. Radiation and photolysis see them; they
//! stay as they are.

use std::path::PathBuf;

use isobar_column::constants::{GAS_CONSTANT, GRAVITY, VIRTUAL};
use isobar_column::{Clouds, Initial};
use isobar_core::Real;
use toml::Spanned;

use super::description::Description;
use super::error::Error;
use super::number::Spread;
use super::processes::{Cloud, CloudSection};
use super::reader::CaseFile;
use super::spectra::{Longwave, Spectra};

/// Effective radius of droplets and size of ice where nobody says \[um\].
const SIZES_UM: [f64; 2] = [10.0, 50.0];
/// Water of a file is spread over this part of a layer at least.
const LEAST_FRACTION: f64 = 0.01;

/// The clouds of a file that a run starts from.
pub(super) struct InFile {
    pub(super) path: PathBuf,
    /// Mixing ratios of cloud water and cloud ice \[kg/kg\].
    pub(super) ratios: [Vec<f64>; 2],
    /// The cloudy part of each layer; empty where the file does not have it.
    pub(super) fraction: Vec<f64>,
    /// The columns that the file has no values of, in order.
    pub(super) masked: Vec<usize>,
}

/// The clouds of a run, if it has any and its radiation or photolysis can see them.
pub(super) fn clouds(
    file: &CaseFile,
    case: &Description,
    initial: &Initial,
    in_file: Option<InFile>,
    spectra: Spectra<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<Clouds>, Error> {
    let section = case.clouds.as_ref();
    let has_layers = section.filter(|section| !section.get_ref().layers.is_empty());
    if let (Some(section), Some(_)) = (has_layers, &case.initial.file) {
        return Err(file.refuse(section, "a start from NetCDF has the clouds of its file"));
    }
    if has_layers.is_none() && in_file.is_none() {
        return Ok(None);
    }
    let has_photolysis = case.chemistry.as_ref().is_some_and(|chemistry| chemistry.photolysis.is_some());
    let blind = blind(spectra, has_photolysis);
    match (has_layers, in_file) {
        (Some(section), _) => {
            if let Some(why) = blind {
                return Err(file.refuse(section, why));
            }
            let (clouds, cut) = from_case(file, section.get_ref(), initial, sizes_um(spectra))?;
            notes.extend(cut);
            Ok(Some(clouds))
        }
        (None, Some(in_file)) => {
            if let Some(why) = blind {
                notes.push(format!("{}: clouds are left out, for {why}", in_file.path.display()));
                return Ok(None);
            }
            let section = section.map(|section| section.get_ref());
            let (clouds, thin) = from_file(file, section, &in_file, initial, sizes_um(spectra))?;
            notes.extend(thin);
            Ok(Some(clouds))
        }
        (None, None) => Ok(None),
    }
}

/// Why nothing, or a spectrum, can see clouds.
fn blind((longwave, shortwave): Spectra<'_>, has_photolysis: bool) -> Option<String> {
    let longwave = match longwave {
        Some(Longwave::Rrtmg(_)) => return Some("RRTMG's long wave has none here".to_owned()),
        Some(Longwave::Spectrum(spectrum)) => Some(&**spectrum),
        None if shortwave.is_none() && !has_photolysis => return Some("there is no radiation to see them".to_owned()),
        None => None,
    };
    let mut spectra = longwave.into_iter().chain(shortwave.map(|(spectrum, _)| spectrum));
    let blind = spectra.find(|spectrum| spectrum.clouds.is_none())?;
    Some(format!("there are no tables of clouds for {}", blind.path.display()))
}

/// The sizes for which all tables are \[um\].
fn sizes_um((longwave, shortwave): Spectra<'_>) -> [[f64; 2]; 2] {
    let longwave = match longwave {
        None | Some(Longwave::Rrtmg(_)) => None,
        Some(Longwave::Spectrum(spectrum)) => spectrum.clouds.as_ref(),
    };
    let all = longwave.into_iter().chain(shortwave.and_then(|(spectrum, _)| spectrum.clouds.as_ref()));
    all.fold([[0.0, f64::MAX]; 2], |ranges, clouds| {
        [(ranges[0], clouds.liquid.size_um), (ranges[1], clouds.ice.size_um)]
            .map(|(range, own)| [range[0].max(own[0]), range[1].min(own[1])])
    })
}

/// The sizes of particles of a section, or those without.
fn sizes(file: &CaseFile, section: Option<&CloudSection>, ranges: [[f64; 2]; 2]) -> Result<[f64; 2], Error> {
    let given = section.map(|section| [&section.liquid_radius_um, &section.ice_size_um]);
    let mut sizes = SIZES_UM;
    for kind in 0..2 {
        if let Some(Some(size)) = given.map(|given| given[kind].as_ref()) {
            sizes[kind] = file.check(size, (ranges[kind][0], ranges[kind][1]))?;
        }
    }
    Ok(sizes)
}

/// Those of a file: mixing ratios of a layer's air in its cloudy part, all of it where the file has no fraction; and
/// what is said of water without a part that it could be in.
fn from_file(
    file: &CaseFile,
    section: Option<&CloudSection>,
    in_file: &InFile,
    initial: &Initial,
    ranges_um: [[f64; 2]; 2],
) -> Result<(Clouds, Vec<String>), Error> {
    let [liquid_radius, ice_size] = sizes(file, section, ranges_um)?;
    let count = initial.pressure_pa.len();
    let [water, ice] = &in_file.ratios;
    let is_wet = |i: usize| water[i] > 0.0 || ice[i] > 0.0;
    let fraction: Vec<f64> = if in_file.fraction.is_empty() {
        (0..count).map(|i| if is_wet(i) { 1.0 } else { 0.0 }).collect()
    } else {
        in_file.fraction.clone()
    };
    let p = &initial.interface_pressure_pa;
    let path_of = |ratios: &[f64]| -> Vec<f64> {
        let grams = |i: usize| {
            let mass = (p[i] - p[i + initial.columns]) / GRAVITY;
            let part = fraction[i].max(LEAST_FRACTION);
            if fraction[i] == 0.0 { 0.0 } else { 1000.0 * ratios[i].max(0.0) * mass / part }
        };
        (0..count).map(grams).collect()
    };
    let is_there = |i: usize| in_file.masked.binary_search(&(i % initial.columns)).is_err();
    let layers =
        |holds: &dyn Fn(f64) -> bool| (0..count).filter(|&i| is_wet(i) && is_there(i) && holds(fraction[i])).count();
    let said = |number: usize, what: String| {
        let all = count - in_file.masked.len() * initial.layers();
        let path = in_file.path.display();
        (number > 0).then(|| format!("{path}: cloud water or ice of {number} of {all} layers {what}"))
    };
    let notes = [
        said(layers(&|part| part == 0.0), "is left out: their cloud fraction is 0".to_owned()),
        said(
            layers(&|part| part > 0.0 && part < LEAST_FRACTION),
            format!("is taken for that of {LEAST_FRACTION} of the layer: their cloud fraction is below that"),
        ),
    ];
    let clouds = Clouds {
        liquid_path_g_per_m2: path_of(water),
        ice_path_g_per_m2: path_of(ice),
        liquid_radius_um: vec![liquid_radius; count],
        ice_size_um: vec![ice_size; count],
        fraction,
    };
    Ok((clouds, notes.into_iter().flatten().collect()))
}

/// Those of the case, and what is said of those that reach beyond columns.
fn from_case(
    file: &CaseFile,
    section: &CloudSection,
    initial: &Initial,
    ranges_um: [[f64; 2]; 2],
) -> Result<(Clouds, Vec<String>), Error> {
    let [liquid_radius, ice_size] = sizes(file, Some(section), ranges_um)?;
    let count = initial.pressure_pa.len();
    let mut clouds = Clouds {
        fraction: vec![0.0; count],
        liquid_path_g_per_m2: vec![0.0; count],
        ice_path_g_per_m2: vec![0.0; count],
        liquid_radius_um: vec![liquid_radius; count],
        ice_size_um: vec![ice_size; count],
    };
    let mut notes = Vec::new();
    for cloud in &section.layers {
        notes.extend(Layer::new(file, cloud, initial, ranges_um)?.put(file, cloud, initial, &mut clouds)?);
    }
    Ok((clouds, notes))
}

/// How much of a phase a cloud has: nothing, a path \[g/m^2\], or a content \[g/m^3\].
#[derive(Clone, Copy)]
enum Amount {
    Path(f64),
    Content(f64),
}

/// A cloud of a case, checked.
struct Layer {
    /// Base and top, in metres or pascals.
    ends: [f64; 2],
    in_pascals: bool,
    fraction: Vec<f64>,
    amounts: [Amount; 2],
    sizes_um: [Option<f64>; 2],
}

impl Layer {
    fn new(file: &CaseFile, section: &Spanned<Cloud>, initial: &Initial, ranges: [[f64; 2]; 2]) -> Result<Self, Error> {
        let cloud = section.get_ref();
        let heights = [&cloud.base_m, &cloud.top_m];
        let pressures = [&cloud.base_pa, &cloud.top_pa];
        let (ends, range, in_pascals) = match (heights, pressures) {
            ([Some(base), Some(top)], [None, None]) => ([base, top], (0.0, 86_000.0), false),
            ([None, None], [Some(base), Some(top)]) => ([base, top], (1.0, 110_000.0), true),
            _ => return Err(file.refuse(section, "a cloud has base_m and top_m, or base_pa and top_pa")),
        };
        let [base, top] = [file.check(ends[0], range)?, file.check(ends[1], range)?];
        if if in_pascals { top >= base } else { top <= base } {
            let order = if in_pascals { "below" } else { "above" };
            return Err(file.refuse(ends[1], format!("the top, {top}, is not {order} the base, {base}")));
        }
        let Spread(parts) = cloud.fraction.get_ref();
        if let Some(part) = parts.iter().find(|part| !(0.0..=1.0).contains(*part)) {
            return Err(file.refuse(&cloud.fraction, format!("{part} is not in [0, 1]")));
        }
        let amount = |path: &Option<Spanned<f64>>, content: &Option<Spanned<f64>>| match (path, content) {
            (Some(_), Some(content)) => Err(file.refuse(content, "a cloud has a path or a content, not both")),
            (Some(path), None) => file.check(path, (0.0, 1e5)).map(Amount::Path),
            (None, Some(content)) => file.check(content, (0.0, 20.0)).map(Amount::Content),
            (None, None) => Ok(Amount::Path(0.0)),
        };
        let amounts = [
            amount(&cloud.liquid_path_g_per_m2, &cloud.liquid_content_g_per_m3)?,
            amount(&cloud.ice_path_g_per_m2, &cloud.ice_content_g_per_m3)?,
        ];
        if amounts.iter().all(|amount| matches!(amount, Amount::Path(path) if *path == 0.0)) {
            return Err(file.refuse(section, "a cloud without liquid and ice"));
        }
        let mut sizes_um = [None; 2];
        for (kind, size) in [&cloud.liquid_radius_um, &cloud.ice_size_um].into_iter().enumerate() {
            let range = (ranges[kind][0], ranges[kind][1]);
            sizes_um[kind] = size.as_ref().map(|size| file.check(size, range)).transpose()?;
        }
        let fraction = cloud.fraction.get_ref().values(initial.columns);
        Ok(Self { ends: [base, top], in_pascals, fraction, amounts, sizes_um })
    }

    /// The model's layers get the cloud whose middles lie within it; where none does, the one in which its middle lies.
    /// What is said of one that reaches beyond a column.
    fn put(
        &self,
        file: &CaseFile,
        section: &Spanned<Cloud>,
        initial: &Initial,
        clouds: &mut Clouds,
    ) -> Result<Option<String>, Error> {
        let (columns, layers) = (initial.columns, initial.layers());
        let mut note = None;
        for column in 0..columns {
            let air = Air::new(initial, column);
            let [base, top] = self.ends;
            let (middles, levels) =
                if self.in_pascals { (&air.pressure, &air.level_pressure) } else { (&air.height, &air.level_height) };
            let within = |x: f64| if self.in_pascals { top <= x && x <= base } else { base <= x && x <= top };
            let mut cloudy: Vec<usize> = (0..layers).filter(|&layer| within(middles[layer])).collect();
            if cloudy.is_empty() {
                let middle = 0.5 * (base + top);
                let holds = |layer: &usize| {
                    let (one, other) = (levels[*layer], levels[*layer + 1]);
                    one.min(other) <= middle && middle <= one.max(other)
                };
                cloudy.extend((0..layers).find(holds));
            }
            let [low, high] = [levels[0], levels[layers]];
            let unit = if self.in_pascals { "Pa" } else { "m" };
            if cloudy.is_empty() {
                let problem = format!(
                    "the cloud from {base} to {top} {unit} is outside of column {column}, {low} to {high} {unit}"
                );
                return Err(file.refuse(section, problem));
            }
            if base.min(top) < low.min(high) || base.max(top) > low.max(high) {
                note.get_or_insert_with(|| self.beyond(file, (column, [low, high], unit)));
            }
            let mass = |layer: usize| air.level_pressure[layer] - air.level_pressure[layer + 1];
            let whole: f64 = cloudy.iter().map(|&layer| mass(layer)).sum();
            let within = |layer: usize| air.within(layer, self.ends, self.in_pascals);
            // All of the content is in layers that are cloudy, where ends of the cloud are in others.
            let depth: f64 = (0..layers).map(within).sum();
            let seen: f64 = cloudy.iter().map(|&layer| within(layer)).sum();
            for layer in cloudy {
                let place = layer * columns + column;
                if clouds.fraction[place] > 0.0 {
                    let problem = format!("layer {layer} of column {column} has a cloud already");
                    return Err(file.refuse(section, problem));
                }
                let path = |amount: Amount| match amount {
                    Amount::Path(path) => path * mass(layer) / whole,
                    Amount::Content(content) => content * depth * within(layer) / seen,
                };
                clouds.fraction[place] = self.fraction[column];
                clouds.liquid_path_g_per_m2[place] = path(self.amounts[0]);
                clouds.ice_path_g_per_m2[place] = path(self.amounts[1]);
                if let Some(size) = self.sizes_um[0] {
                    clouds.liquid_radius_um[place] = size;
                }
                if let Some(size) = self.sizes_um[1] {
                    clouds.ice_size_um[place] = size;
                }
            }
        }
        Ok(note)
    }

    /// What becomes of a cloud that reaches beyond a column.
    fn beyond(&self, file: &CaseFile, (column, [low, high], unit): (usize, [f64; 2], &str)) -> String {
        let [base, top] = self.ends;
        let has_path = self.amounts.iter().any(|amount| matches!(amount, Amount::Path(path) if *path > 0.0));
        let what = if has_path { "its whole path lies within it" } else { "what is beyond is left out" };
        format!(
            "{}: the cloud from {base} to {top} {unit} reaches beyond column {column}, {low:.0} to {high:.0} {unit}: \
             {what}",
            file.path.display()
        )
    }
}

/// A column with its heights above the ground \[m\].
struct Air {
    pressure: Vec<f64>,
    level_pressure: Vec<f64>,
    height: Vec<f64>,
    level_height: Vec<f64>,
}

impl Air {
    /// Hydrostatic, as the model's thickness is.
    fn new(initial: &Initial, column: usize) -> Self {
        let of =
            |values: &[f64]| -> Vec<f64> { values.iter().skip(column).step_by(initial.columns).copied().collect() };
        let (pressure, level_pressure) = (of(&initial.pressure_pa), of(&initial.interface_pressure_pa));
        let (temperature, vapour) = (of(&initial.temperature_k), of(&initial.vapour_kg_per_kg));
        let (mut height, mut level_height) = (Vec::new(), vec![0.0]);
        for layer in 0..pressure.len() {
            let scale = GAS_CONSTANT / GRAVITY * temperature[layer] * (1.0 + VIRTUAL * vapour[layer]);
            let bottom = level_height[layer];
            let up = |to: f64| bottom + scale * Real::ln(level_pressure[layer] / to);
            height.push(up(pressure[layer]));
            level_height.push(up(level_pressure[layer + 1]));
        }
        Self { pressure, level_pressure, height, level_height }
    }

    /// How much of a layer lies between two ends, metres or pascals \[m\].
    fn within(&self, layer: usize, [base, top]: [f64; 2], in_pascals: bool) -> f64 {
        let (bottom, height) = (self.level_height[layer], self.level_height[layer + 1]);
        if !in_pascals {
            return (top.min(height) - base.max(bottom)).max(0.0);
        }
        let (below, above) = (self.level_pressure[layer], self.level_pressure[layer + 1]);
        let part = Real::ln(base.min(below) / top.max(above)) / Real::ln(below / above);
        (height - bottom) * part.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use isobar_column::sounding::{Kind, Sounding, heights};

    use super::*;

    const RANGES_UM: [[f64; 2]; 2] = [[1.0, 50.0], [10.0, 120.0]];

    /// Two columns of three layers, and a case.
    fn start(folder: &std::path::Path) -> (CaseFile, Initial) {
        let case = folder.join("case.toml");
        let text = "hours = 1.0\nstep_s = 60.0\n[initial]\nkind = \"netcdf\"\nfile = \"in.nc\"\n[longwave]\n";
        std::fs::write(&case, text).unwrap();
        let (file, _) = CaseFile::read::<toml::Table>(&case).unwrap();
        let sounding = Sounding::new(Kind::StandardAtmosphere, &heights(3, 3000.0, 1.0)).unwrap();
        (file, Initial::from_sounding(&sounding, 2))
    }

    fn in_file(fraction: &[f64], masked: &[usize]) -> InFile {
        let ratios = [vec![0.0, 0.0, 2e-4, 1e-4, 0.0, 3e-4], vec![0.0; 6]];
        InFile { path: "in.nc".into(), ratios, fraction: fraction.to_vec(), masked: masked.to_vec() }
    }

    #[test]
    fn water_of_a_file_lies_in_the_cloudy_part_of_its_layers() {
        let folder = tempfile::tempdir().unwrap();
        let (file, initial) = start(folder.path());
        let part = [0.25, 1.0, 0.5, 0.001, 0.0, 0.0];
        let (clouds, notes) = from_file(&file, None, &in_file(&part, &[]), &initial, RANGES_UM).unwrap();
        assert_eq!(clouds.fraction, part);
        let mass = (initial.interface_pressure_pa[2] - initial.interface_pressure_pa[4]) / GRAVITY;
        // A cloudy part of less than 1 % does not take all of the water.
        for (got, expected) in clouds.liquid_path_g_per_m2[2..4].iter().zip([0.2 * mass / 0.5, 0.1 * mass / 0.01]) {
            assert!((got / expected - 1.0).abs() < 1e-14, "{got} {expected}");
        }
        assert_eq!((clouds.liquid_path_g_per_m2[0], clouds.ice_path_g_per_m2[2]), (0.0, 0.0));
        assert_eq!((clouds.liquid_radius_um[0], clouds.ice_size_um[5]), (SIZES_UM[0], SIZES_UM[1]));
        // A part that is not there has no path.
        assert_eq!(clouds.liquid_path_g_per_m2[5], 0.0);
        let lines = [
            "in.nc: cloud water or ice of 1 of 6 layers is left out: their cloud fraction is 0",
            "in.nc: cloud water or ice of 1 of 6 layers is taken for that of 0.01 of the layer: their cloud fraction \
             is below that",
        ];
        assert_eq!(notes, lines);
        // Nothing is said of columns that are masked.
        assert!(from_file(&file, None, &in_file(&part, &[1]), &initial, RANGES_UM).unwrap().1.is_empty());
        // Without a fraction, all of a layer with water.
        let (clouds, notes) = from_file(&file, None, &in_file(&[], &[]), &initial, RANGES_UM).unwrap();
        assert_eq!(clouds.fraction, [0.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
        assert!(notes.is_empty(), "{notes:?}");
    }

    /// The path of a cloud is shared by mass; a content is that between base and top; a thin cloud has one layer.
    #[test]
    fn clouds_of_a_case_lie_where_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let (file, initial) = start(folder.path());
        let section = |text: &str| toml::from_str::<CloudSection>(text).unwrap();
        let clouds = |text: &str| from_case(&file, &section(text), &initial, RANGES_UM).unwrap().0;
        let path = clouds("[[layers]]\nbase_m = 0.0\ntop_m = 1990.0\nliquid_path_g_per_m2 = 30.0");
        let p = &initial.interface_pressure_pa;
        let part = (p[0] - p[2]) / (p[0] - p[4]);
        assert!((path.liquid_path_g_per_m2[0] / (30.0 * part) - 1.0).abs() < 1e-14);
        assert!((path.liquid_path_g_per_m2[0] + path.liquid_path_g_per_m2[2] - 30.0).abs() < 1e-13);
        assert_eq!(path.fraction, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
        let content = "[[layers]]\nbase_m = 1400.0\ntop_m = 1420.0\nice_content_g_per_m3 = 0.01\nfraction = [0.2, 0.4]";
        let content = clouds(content);
        // 20 m of a layer of a kilometre.
        assert!((content.ice_path_g_per_m2[3] / 0.2 - 1.0).abs() < 1e-12, "{:?}", content.ice_path_g_per_m2);
        assert_eq!(content.fraction, [0.0, 0.0, 0.2, 0.4, 0.0, 0.0]);
        let pascals = clouds("[[layers]]\nbase_pa = 76_000.0\ntop_pa = 70_000.0\nice_path_g_per_m2 = 5.0");
        assert_eq!(pascals.fraction, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    }

    /// Content times the height between base and top, wherever the bounds of layers are; what is above the column is
    /// not there.
    #[test]
    fn a_content_is_all_there_between_base_and_top() {
        let folder = tempfile::tempdir().unwrap();
        let (file, initial) = start(folder.path());
        let path = |ends: &str| {
            let text = format!("[[layers]]\n{ends}\nliquid_content_g_per_m3 = 0.3");
            let section = toml::from_str::<CloudSection>(&text).unwrap();
            let clouds = from_case(&file, &section, &initial, RANGES_UM).unwrap().0;
            clouds.liquid_path_g_per_m2.iter().step_by(2).sum::<f64>()
        };
        for (base, top) in [(100.0, 200.0), (300.0, 2300.0), (0.0, 2000.0), (900.0, 1100.0), (450.0, 2750.0)] {
            let got = path(&format!("base_m = {base:?}\ntop_m = {top:?}"));
            assert!((got / (0.3 * (top - base)) - 1.0).abs() < 1e-12, "{base} to {top} m: {got}");
        }
        // The column's top is at 3 km, within what geometric and hydrostatic heights differ by.
        let got = path("base_m = 2000.0\ntop_m = 5000.0");
        assert!((got / 300.0 - 1.0).abs() < 0.01, "{got}");
        // R T / g ln(p1 / p2) with the layer's own temperature.
        let got = path("base_pa = 72_000.0\ntop_pa = 71_000.0");
        let warm = initial.temperature_k[4] * (1.0 + VIRTUAL * initial.vapour_kg_per_kg[4]);
        let height = GAS_CONSTANT / GRAVITY * warm * Real::ln(72.0 / 71.0);
        assert!((got / (0.3 * height) - 1.0).abs() < 1e-12, "{got}");
    }

    /// Columns of 3 km.
    #[test]
    fn what_becomes_of_a_cloud_that_reaches_above_the_top_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let (file, initial) = start(folder.path());
        let notes = |top_m: f64, amount: &str| {
            let text = format!("[[layers]]\nbase_m = 2000.0\ntop_m = {top_m:?}\n{amount} = 0.5\n");
            from_case(&file, &toml::from_str::<CloudSection>(&text).unwrap(), &initial, RANGES_UM).unwrap().1
        };
        assert!(notes(2900.0, "ice_path_g_per_m2").is_empty());
        let path = notes(5000.0, "ice_path_g_per_m2");
        assert!(
            path.len() == 1 && path[0].contains("the cloud from 2000 to 5000 m reaches beyond column 0"),
            "{path:?}"
        );
        assert!(path[0].ends_with("its whole path lies within it"), "{path:?}");
        let content = notes(5000.0, "ice_content_g_per_m3");
        assert!(content.len() == 1 && content[0].ends_with("what is beyond is left out"), "{content:?}");
    }
}
