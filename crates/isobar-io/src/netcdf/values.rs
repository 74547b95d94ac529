//! The numbers of a variable: decoded, converted and checked.

use std::path::{Path, PathBuf};

use netcdf_reader::masked::MaskParams;
use netcdf_reader::unpack::{SignParams, UnpackParams};
use netcdf_reader::{NcAttrValue, NcFile, NcType, NcVariable};

use super::accepted::short;
use super::clamped::Rounding;
use super::part::Source;
use super::{Clamped, Conversion, Part, VariableSpec};

/// Why a variable has no usable values.
pub(super) enum Refused {
    /// In words.
    Problem(String),
    /// A value is missing, in words.
    Missing {
        /// The variable with its index in the file.
        what: String,
        file: PathBuf,
    },
    /// A value outside its range.
    OutOfRange {
        /// The variable with the value and its index in the file.
        what: String,
        /// The range.
        range: String,
        /// Whether it is a finite number.
        finite: bool,
        file: PathBuf,
    },
}

/// What becomes of values that are not accepted.
pub(super) enum Unfit<'a> {
    /// The first value that is not accepted is an error.
    Refused,
    /// Values that rounding left out of their range become the end of it, and are noted here; any other is an error.
    Clamped(&'a mut Option<Clamped>),
    /// Values that rounding left out of their range are clamped; any other becomes NaN, and is noted here by its
    /// position.
    Noted(&'a mut Option<Clamped>, &'a mut Vec<(usize, Bad)>),
    /// Values that rounding left out of their range are clamped; any other stays, as NaN if it is missing: the caller
    /// knows which of them count.
    Left(&'a mut Option<Clamped>),
}

/// A value that is not accepted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bad {
    /// It is missing, as this mark says.
    Missing(f64),
    /// This value is out of range.
    OutOfRange(f64),
}

impl Bad {
    /// What is wrong with a value at a position.
    pub(super) fn refused(
        self,
        source: Source<'_>,
        variable: &NcVariable,
        spec: &VariableSpec,
        index: usize,
    ) -> Refused {
        let (name, (place, file)) = (&variable.name, place(source, variable, index));
        let file = file.to_owned();
        match self {
            Self::Missing(mark) => {
                let why = Missing::of(variable).why(mark).map(|why| format!(" ({why})")).unwrap_or_default();
                Refused::Missing { what: format!("{name} is missing{place}{why}"), file }
            }
            Self::OutOfRange(value) => {
                let what = format!("{name} = {}{place}", with_unit(value, spec));
                Refused::OutOfRange { what, range: spec.accepted.to_string(), finite: value.is_finite(), file }
            }
        }
    }
}

fn with_unit(value: f64, spec: &VariableSpec) -> String {
    if spec.unit == "1" { short(value) } else { format!("{} {}", short(value), spec.unit) }
}

/// All values in the order of the file and the unit of the specification.
pub(super) fn read(
    source: Source<'_>,
    variable: &NcVariable,
    spec: &VariableSpec,
    conversion: Conversion,
    mut unfit: Unfit<'_>,
) -> Result<Vec<f64>, Refused> {
    use NcType::{Byte, Double, Float, Int, Int64, Short, UByte, UInt, UInt64, UShort};
    let name = &variable.name;
    if !matches!(variable.dtype, Byte | UByte | Short | UShort | Int | UInt | Int64 | UInt64 | Float | Double) {
        let why = match &variable.dtype {
            NcType::Opaque { tag, .. } if !tag.is_empty() => format!(" that are known here: {tag}"),
            _ => String::new(),
        };
        return Err(Refused::Problem(format!("{name} holds no numbers{why}")));
    }
    let decoded = decode(source, variable).map_err(|cause| Refused::Problem(format!("{name}: {cause}")))?;
    let Decoded { mut values, missing, scale_factor } = decoded;
    let expected: u64 = variable.dimensions.iter().map(|dimension| dimension.size).product();
    if values.len() as u64 != expected {
        return Err(Refused::Problem(format!("{name} has {} of {expected} values", values.len())));
    }
    // Positions, and whether the value is missing, which its mark in the place of the value still says.
    let (mut suspects, mut largest) = (Vec::new(), 0.0_f64);
    let mut missing = missing.into_iter().peekable();
    for (index, value) in values.iter_mut().enumerate() {
        if missing.next_if_eq(&index).is_some() {
            suspects.push((index, true));
            continue;
        }
        *value = conversion.apply(*value);
        if spec.accepted.contains(*value) {
            largest = largest.max(value.abs());
        } else {
            suspects.push((index, false));
        }
    }
    let rounding =
        |largest: f64, step: Option<f64>| Rounding::of(variable, conversion, step, (spec.accepted.width(), largest));
    let own = rounding(largest, scale_factor);
    // A part has the tolerance of the whole, which is no less than that of its own values, and is had when it counts.
    let parts = if suspects.is_empty() { Vec::new() } else { source.parts(variable) };
    let mut of_all = None;
    let mut is_rounding = |value: f64, end: f64| {
        let is_whole = parts.is_empty();
        let mut all = || {
            let (largest, step) = extent(source, variable, (spec, conversion), &parts);
            rounding(largest, step)
        };
        ((is_whole || largest > 0.0) && own.may_be(value, end))
            || (!is_whole && of_all.get_or_insert_with(&mut all).may_be(value, end))
    };
    for (index, is_missing) in suspects {
        let value = values[index];
        let bad = if is_missing { Bad::Missing(value) } else { Bad::OutOfRange(value) };
        let refused = || bad.refused(source, variable, spec, index);
        if let Unfit::Clamped(clamped) | Unfit::Noted(clamped, _) | Unfit::Left(clamped) = &mut unfit
            && let (false, Some(end)) = (is_missing, spec.accepted.end_beside(value))
            && is_rounding(value, end)
        {
            let first = || format!("{}{} for {end}", with_unit(value, spec), place(source, variable, index).0);
            let new = || Clamped { variable: name.clone(), count: 0, first: first() };
            clamped.get_or_insert_with(new).count += 1;
            values[index] = end;
            continue;
        }
        match &mut unfit {
            Unfit::Refused | Unfit::Clamped(_) => return Err(refused()),
            Unfit::Noted(_, all) => {
                values[index] = f64::NAN;
                all.push((index, bad));
            }
            Unfit::Left(_) if is_missing => values[index] = f64::NAN,
            Unfit::Left(_) => {}
        }
    }
    Ok(values)
}

/// The largest accepted value of all parts of a variable, and the step of packed ones.
fn extent(
    source: Source<'_>,
    variable: &NcVariable,
    (spec, conversion): (&VariableSpec, Conversion),
    parts: &[Part],
) -> (f64, Option<f64>) {
    let (mut largest, mut step) = (0.0_f64, None::<f64>);
    for part in parts {
        // What cannot be read is said where it is read.
        let Ok(Decoded { values, missing, scale_factor }) = decode(source.of_part(part), variable) else { continue };
        let mut missing = missing.into_iter().peekable();
        for (index, value) in values.into_iter().enumerate() {
            let value = conversion.apply(value);
            if missing.next_if_eq(&index).is_none() && spec.accepted.contains(value) {
                largest = largest.max(value.abs());
            }
        }
        step = step.into_iter().chain(scale_factor).reduce(f64::max);
    }
    (largest, step)
}

/// The numbers of a variable, unpacked.
struct Decoded {
    values: Vec<f64>,
    /// Where values are missing, whose mark stands there, in order.
    missing: Vec<usize>,
    /// The step of packed values, of several files the largest.
    scale_factor: Option<f64>,
}

/// All numbers in the order of the file, in its own unit. Each file has its own packing and marks.
fn decode(source: Source<'_>, variable: &NcVariable) -> netcdf_reader::Result<Decoded> {
    let mut pieces = source.pieces(variable)?;
    let (mut missing, mut scale_factor) = (Vec::new(), None::<f64>);
    for piece in &mut pieces {
        let (own, factor) = unpack(&piece.variable, &mut piece.values);
        if let Some([step, shift, unit]) = piece.times {
            let mut marks = own.iter().peekable();
            for (index, value) in piece.values.iter_mut().enumerate() {
                if marks.next_if(|mark| **mark == index).is_none() {
                    *value = (*value * step + shift) / unit;
                }
            }
        }
        missing.extend(own.into_iter().map(|index| piece.position(index)));
        if let Some(factor) = factor {
            scale_factor = Some(scale_factor.map_or(factor, |other| other.max(factor)));
        }
    }
    missing.sort_unstable();
    let values = match &mut pieces[..] {
        [only] => std::mem::take(&mut only.values),
        _ => {
            let mut all = vec![0.0; pieces.iter().map(|piece| piece.values.len()).sum()];
            for piece in &pieces {
                piece.values.iter().enumerate().for_each(|(own, value)| all[piece.position(own)] = *value);
            }
            all
        }
    };
    Ok(Decoded { values, missing, scale_factor })
}

/// Unpacks numbers as they are stored in a file: where they are missing, as the marks say that stay there, and the step
/// of packed values.
fn unpack(variable: &NcVariable, values: &mut [f64]) -> (Vec<usize>, Option<f64>) {
    if let Some(sign) = SignParams::from_variable(variable) {
        values.iter_mut().for_each(|value| *value = sign.reinterpret(*value));
    }
    let (marks, mut missing) = (Missing::of(variable), Vec::new());
    let packing = UnpackParams::from_variable(variable);
    let packing = packing.filter(|packing| packing.scale_factor != 1.0 || packing.add_offset != 0.0);
    for (index, value) in values.iter_mut().enumerate() {
        if marks.why(*value).is_some() {
            missing.push(index);
        } else if let Some(packing) = packing {
            *value = *value * packing.scale_factor + packing.add_offset;
        }
    }
    (missing, packing.map(|packing| packing.scale_factor))
}

/// All numbers of a variable of one file, unpacked; NaN where they are missing.
pub(crate) fn numbers(file: &NcFile, variable: &NcVariable) -> netcdf_reader::Result<Vec<f64>> {
    let mut values: Vec<f64> = file.read_variable_as_f64(&variable.name)?.into_iter().collect();
    unpack(variable, &mut values).0.into_iter().for_each(|index| values[index] = f64::NAN);
    Ok(values)
}

/// Where values of a variable are missing, as its marks say, and why the first is, in words.
pub(super) fn missing(source: Source<'_>, variable: &NcVariable) -> netcdf_reader::Result<(Vec<usize>, String)> {
    let Decoded { values, missing, .. } = decode(source, variable)?;
    let why = missing.first().and_then(|&first| Missing::of(variable).why(values[first])).unwrap_or_default();
    Ok((missing, why))
}

/// All numbers in the order of the file, in its own unit, missing ones as the file marks them; nothing if they cannot
/// be read.
pub(super) fn unpacked(source: Source<'_>, variable: &NcVariable) -> Option<Vec<f64>> {
    Some(decode(source, variable).ok()?.values)
}

/// Likewise, NaN where they are missing.
pub(super) fn or_nan(source: Source<'_>, variable: &NcVariable) -> Option<Vec<f64>> {
    let Decoded { mut values, missing, .. } = decode(source, variable).ok()?;
    missing.into_iter().for_each(|index| values[index] = f64::NAN);
    Some(values)
}

/// ` at layer 3, profile 7`, as the file names and counts them, and the file.
fn place<'a>(source: Source<'a>, variable: &NcVariable, mut index: usize) -> (String, &'a Path) {
    let mut indices = Vec::new();
    let mut path = source.place("", 0).0;
    for dimension in variable.dimensions.iter().rev() {
        let size = (dimension.size as usize).max(1);
        let mut at = source.start(&dimension.name) + index % size;
        if source.is_time(&dimension.name) {
            (path, at) = source.place(&dimension.name, at);
        }
        indices.push(format!("{} {at}", dimension.name));
        index /= size;
    }
    indices.reverse();
    (if indices.is_empty() { String::new() } else { format!(" at {}", indices.join(", ")) }, path)
}

/// Values that stand for none.
pub(super) struct Missing {
    marks: MaskParams,
    /// A fill value that is not a number.
    nan: bool,
    /// What NetCDF fills unwritten variables with.
    default: Option<f64>,
    /// How values are unpacked that the limits of the valid range are compared with, if these are of unpacked ones.
    limits_of: Option<UnpackParams>,
}

/// How a variable is packed, if its valid range is that of unpacked values: limits of the type of these, and of another
/// than the packed ones, are (NetCDF User's Guide, attribute conventions).
fn limits_of_unpacked(variable: &NcVariable) -> Option<UnpackParams> {
    let is_float = |name: &str| match variable.attribute(name)?.value {
        NcAttrValue::Floats(_) => Some(false),
        NcAttrValue::Doubles(_) => Some(true),
        _ => None,
    };
    let is_whole = !matches!(variable.dtype, NcType::Float | NcType::Double);
    let unpacked = ["scale_factor", "add_offset"].into_iter().filter_map(is_float).max();
    let limits = ["valid_range", "valid_min", "valid_max"].into_iter().find_map(is_float);
    (is_whole && limits.is_some() && limits == unpacked).then(|| UnpackParams::from_variable(variable)).flatten()
}

impl Missing {
    pub(super) fn of(variable: &NcVariable) -> Self {
        let none = MaskParams { fill_value: None, missing_values: Vec::new(), valid_min: None, valid_max: None };
        let marks = MaskParams::from_variable(variable).unwrap_or(none);
        let nan = marks.fill_value.is_some_and(f64::is_nan) || marks.missing_values.iter().any(|mark| mark.is_nan());
        // A byte has no value to spare.
        let default = match variable.dtype {
            NcType::Float => Some(f64::from(9.969_21e36_f32)),
            NcType::Double => Some(9.969_209_968_386_869e36),
            NcType::Short => Some(-32_767.0),
            NcType::Int => Some(-2_147_483_647.0),
            _ => None,
        };
        let own = matches!(
            variable.attribute("_FillValue").map(|fill| &fill.value),
            Some(value) if !matches!(value, NcAttrValue::Chars(_) | NcAttrValue::Strings(_))
        );
        Self { marks, nan, default: default.filter(|_| !own), limits_of: limits_of_unpacked(variable) }
    }

    /// Why a value is missing, in words; nothing if it is there.
    pub(super) fn why(&self, value: f64) -> Option<String> {
        let marks = &self.marks;
        if marks.fill_value == Some(value) || (self.nan && value.is_nan()) {
            Some(format!("_FillValue {value}"))
        } else if marks.missing_values.contains(&value) {
            Some(format!("missing_value {value}"))
        } else if self.default == Some(value) {
            Some("never written".into())
        } else {
            let value = self.limits_of.map_or(value, |packing| value * packing.scale_factor + packing.add_offset);
            let (low, high) = (marks.valid_min, marks.valid_max);
            let is_out = low.is_some_and(|low| value < low) || high.is_some_and(|high| value > high);
            is_out.then(|| {
                let end = |limit: Option<f64>, none: &str| limit.map_or_else(|| none.to_owned(), |end| end.to_string());
                format!("{value} lies outside its own valid range, [{}, {}]", end(low, "-inf"), end(high, "inf"))
            })
        }
    }
}
