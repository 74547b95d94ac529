//! Data files of cross-sections and quantum yields.

use std::path::Path;

use super::object::Object;
use super::spectrum::{Spectrum, beyond};
use super::{Reading, Unread};
use crate::error::{Error, Place};
use crate::netcdf::{Accepted, Array, Dataset};

/// What a file has.
#[derive(Clone, Copy)]
pub(super) enum Of {
    CrossSection,
    QuantumYield,
    /// Of a formula of temperature.
    Parameterization,
}

/// Numbers of a variable with the sizes of its dimensions.
type Numbers = (Vec<usize>, Vec<f64>);

/// Parameters of a file as means over bins, with their temperatures.
pub(super) type Means = (Vec<Vec<f64>>, Vec<f64>);

/// The parameters of a file, each by wavelength.
pub(super) struct Data {
    pub(super) wavelengths: Vec<f64>,
    pub(super) parameters: Vec<Vec<f64>>,
    /// The temperatures of the parameters, or none \[K\].
    pub(super) temperatures: Vec<f64>,
}

impl Data {
    pub(super) fn read(path: &Path, of: Of) -> Result<Self, Error> {
        let file = Dataset::open(path)?;
        let invalid = |problem: String| Error::invalid(Place::File(path.to_owned()), problem);
        let numbers = |name: &str| -> Result<Option<Numbers>, Error> {
            let Some(dimensions) = file.dimensions_of(name) else { return Ok(None) };
            let own: Vec<&str> = dimensions.iter().map(|(dimension, _)| dimension.as_str()).collect();
            let array = Array { name, dimensions: &own, unit: "1", states_unit: false, accepted: Accepted::FINITE };
            Ok(Some((dimensions.iter().map(|(_, size)| *size).collect(), file.numbers(&array)?)))
        };
        let name = match of {
            Of::CrossSection => "cross_section_parameters",
            Of::QuantumYield => "quantum_yield_parameters",
            Of::Parameterization => "temperature_parameters",
        };
        let (sizes, values) = numbers(name)?.ok_or_else(|| invalid(format!("{name} is missing")))?;
        let (_, wavelengths) = numbers("wavelength")?.ok_or_else(|| invalid("wavelength is missing".to_owned()))?;
        let count = wavelengths.len();
        if sizes.last() != Some(&count) {
            return Err(invalid(format!("{name} has {:?} values, wavelength has {count}", sizes.last().unwrap_or(&0))));
        }
        if let Some(i) = wavelengths.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (one, next) = (wavelengths[i], wavelengths[i + 1]);
            return Err(invalid(format!("wavelength[{}] is {next} nm, not above {one} nm", i + 1)));
        }
        let temperatures = numbers("temperature")?.map_or_else(Vec::new, |(_, values)| values);
        Ok(Self { parameters: values.chunks(count).map(<[f64]>::to_vec).collect(), wavelengths, temperatures })
    }

    /// A parameter as a spectrum.
    pub(super) fn spectrum(
        &self,
        parameter: usize,
        objects: [Option<&Object<'_>>; 2],
        of: &Object<'_>,
    ) -> Result<Spectrum, Error> {
        let Some(values) = self.parameters.get(parameter) else {
            let count = self.parameters.len();
            return Err(of.invalid(&format!("its file has {count} parameters, and needs {}", parameter + 1)));
        };
        let beyond = beyond(objects, [values[0], values[values.len() - 1]])?;
        Ok(Spectrum { wavelengths: self.wavelengths.clone(), values: values.clone(), beyond })
    }
}

/// The parameters of all files of an object as means over the bins, those of each file with its temperatures.
pub(super) fn files(object: &Object<'_>, of: Of, reading: &mut Reading<'_>) -> Result<Vec<Means>, Unread> {
    files_at(object, of, &|l| l, reading)
}

/// As [`files`], with the wavelength that one of a file is.
pub(super) fn files_at(
    object: &Object<'_>,
    of: Of,
    wavelength: &dyn Fn(f64) -> f64,
    reading: &mut Reading<'_>,
) -> Result<Vec<Means>, Unread> {
    let mut all = Vec::new();
    for (path, own) in object.files("netcdf files")? {
        all.push(file(&path, [own.as_ref(), Some(object)], object, of, wavelength, reading)?);
    }
    if all.is_empty() {
        return Err(object.invalid("it names no file").into());
    }
    Ok(all)
}

/// The parameters of one file as means over the bins: what it says itself comes before what all files of it say.
pub(super) fn file(
    path: &Path,
    [own, shared]: [Option<&Object<'_>>; 2],
    object: &Object<'_>,
    of: Of,
    wavelength: &dyn Fn(f64) -> f64,
    reading: &mut Reading<'_>,
) -> Result<Means, Unread> {
    let mut data = Data::read(path, of)?;
    data.wavelengths.iter_mut().for_each(|l| *l = wavelength(*l));
    for asked in [own, shared].into_iter().flatten().filter_map(|object| object.object("interpolator").ok()) {
        let kind = asked.text("type")?;
        if kind != "conserving" {
            reading.note(format!("interpolator {kind:?} is taken for \"conserving\""));
        }
    }
    let mut means = Vec::new();
    for parameter in 0..data.parameters.len() {
        let mut spectrum = data.spectrum(parameter, [own, shared], object)?;
        if let Some(own) = own {
            let above = own.number("zero above").unwrap_or(f64::INFINITY);
            let below = own.number("zero below").unwrap_or(0.0);
            let kept = |l: f64| l >= below && l <= above;
            let points = spectrum.wavelengths.iter().zip(&mut spectrum.values);
            points.filter(|(l, _)| !kept(**l)).for_each(|(_, value)| *value = 0.0);
        }
        means.push(spectrum.means(reading.edges));
    }
    Ok((means, data.temperatures))
}

/// Parameters at rising temperatures \[K\], linear between, those of the ends beyond: at one temperature.
pub(super) fn at(temperatures: &[f64], rows: &[Vec<f64>], t: f64) -> Vec<f64> {
    along_lines(temperatures, rows, t.clamp(temperatures[0], temperatures[temperatures.len() - 1]))
}

/// As [`at`], along the lines of the ends beyond.
pub(super) fn along_lines(temperatures: &[f64], rows: &[Vec<f64>], t: f64) -> Vec<f64> {
    let last = temperatures.len() - 1;
    if last == 0 {
        return rows[0].clone();
    }
    let below = temperatures.partition_point(|known| *known <= t).clamp(1, last) - 1;
    let part = (t - temperatures[below]) / (temperatures[below + 1] - temperatures[below]);
    rows[below].iter().zip(&rows[below + 1]).map(|(a, b)| a + part * (b - a)).collect()
}

/// Rising temperatures \[K\], and the parameters at each.
type Rising = (Vec<f64>, Vec<Vec<f64>>);

/// The temperatures of a file with its parameters at them, from cold to warm: some files have it the other way.
pub(super) fn rising(object: &Object<'_>, (parameters, temperatures): Means) -> Result<Rising, Unread> {
    let (got, want) = (temperatures.len(), parameters.len());
    if got == 0 || got != want {
        return Err(object.invalid(&format!("its file has {got} temperatures for {want} parameters")).into());
    }
    let mut pairs: Vec<(f64, Vec<f64>)> = temperatures.into_iter().zip(parameters).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(pair) = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(object.invalid(&format!("its file has {} K twice", pair[0].0)).into());
    }
    Ok(pairs.into_iter().unzip())
}
