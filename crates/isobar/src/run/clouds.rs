//! The clouds of a run: those of the case, or of the file that it starts from. Radiation and photolysis see them; they
//! stay as they are.

use std::path::PathBuf;

use isobar_column::constants::GRAVITY;
use isobar_column::{Clouds, Initial};

use super::case_cloud::Layer;
use super::description::Description;
use super::error::Error;
use super::processes::CloudSection;
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
            notes.extend(made_up(section, &in_file));
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

/// What is said of sizes and cloudy parts that neither a file nor the case has.
fn made_up(section: Option<&CloudSection>, in_file: &InFile) -> Option<String> {
    let given = section.map_or([false; 2], |one| [one.liquid_radius_um.is_some(), one.ice_size_um.is_some()]);
    let mut all = Vec::new();
    for (kind, key) in ["liquid_radius_um", "ice_size_um"].into_iter().enumerate() {
        if !given[kind] && in_file.ratios[kind].iter().any(|&ratio| ratio > 0.0) {
            all.push(format!("{key} = {} of [clouds]", SIZES_UM[kind]));
        }
    }
    if in_file.fraction.is_empty() {
        all.push("cloud fraction = 1 where there is cloud water or ice".to_owned());
    }
    let path = in_file.path.display();
    (!all.is_empty()).then(|| format!("{path}: neither this nor the case says: {}", all.join(", ")))
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

#[cfg(test)]
mod tests {
    use isobar_column::constants::{GAS_CONSTANT, VIRTUAL};
    use isobar_column::sounding::{Kind, Sounding, heights};
    use isobar_core::Real;

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
