//! The numbers of a variable: decoded, converted and checked.

use netcdf_reader::masked::MaskParams;
use netcdf_reader::unpack::{SignParams, UnpackParams};
use netcdf_reader::{NcAttrValue, NcFile, NcType, NcVariable};

use super::accepted::short;
use super::{Conversion, VariableSpec};

/// Why a variable has no usable values.
pub(super) enum Refused {
    /// In words.
    Problem(String),
    /// A value is missing, in words.
    Missing(String),
    /// A value outside its range.
    OutOfRange {
        /// The variable with the value and its index.
        what: String,
        /// The range.
        range: String,
        /// Whether it is a finite number.
        finite: bool,
    },
}

/// All values in the order of the file and the unit of the specification. With `refused`, values that are missing or
/// out of range are noted there with their position, and NaN.
pub(super) fn read(
    file: &NcFile,
    variable: &NcVariable,
    spec: &VariableSpec,
    conversion: Conversion,
    mut refused: Option<&mut Vec<(usize, Refused)>>,
) -> Result<Vec<f64>, Refused> {
    use NcType::{Byte, Double, Float, Int, Int64, Short, UByte, UInt, UInt64, UShort};
    let name = &variable.name;
    if !matches!(variable.dtype, Byte | UByte | Short | UShort | Int | UInt | Int64 | UInt64 | Float | Double) {
        return Err(Refused::Problem(format!("{name} holds no numbers")));
    }
    let array = file.read_variable_as_f64(name).map_err(|cause| Refused::Problem(format!("{name}: {cause}")))?;
    let mut values =
        if array.is_standard_layout() { array.into_raw_vec_and_offset().0 } else { array.iter().copied().collect() };
    let expected: u64 = variable.dimensions.iter().map(|dimension| dimension.size).product();
    if values.len() as u64 != expected {
        return Err(Refused::Problem(format!("{name} has {} of {expected} values", values.len())));
    }
    if let Some(sign) = SignParams::from_variable(variable) {
        values.iter_mut().for_each(|value| *value = sign.reinterpret(*value));
    }
    let missing = Missing::of(variable);
    let unpack = UnpackParams::from_variable(variable).filter(|u| u.scale_factor != 1.0 || u.add_offset != 0.0);
    for (index, value) in values.iter_mut().enumerate() {
        let mut refuse = |value: &mut f64, why: Refused| match &mut refused {
            Some(refused) => {
                *value = f64::NAN;
                refused.push((index, why));
                Ok(())
            }
            None => Err(why),
        };
        if let Some(why) = missing.why(*value) {
            let text = format!("{name} is missing{} ({why})", place(variable, index));
            refuse(value, Refused::Missing(text))?;
            continue;
        }
        if let Some(unpack) = unpack {
            *value = *value * unpack.scale_factor + unpack.add_offset;
        }
        *value = conversion.apply(*value);
        if !spec.accepted.contains(*value) {
            let unit = if spec.unit == "1" { String::new() } else { format!(" {}", spec.unit) };
            let what = format!("{name} = {}{unit}{}", short(*value), place(variable, index));
            let (range, finite) = (spec.accepted.to_string(), value.is_finite());
            refuse(value, Refused::OutOfRange { what, range, finite })?;
        }
    }
    Ok(values)
}

/// ` at layer 3, profile 7`, as the file names and counts them.
fn place(variable: &NcVariable, mut index: usize) -> String {
    let mut indices = Vec::new();
    for dimension in variable.dimensions.iter().rev() {
        let size = (dimension.size as usize).max(1);
        indices.push(format!("{} {}", dimension.name, index % size));
        index /= size;
    }
    indices.reverse();
    if indices.is_empty() { String::new() } else { format!(" at {}", indices.join(", ")) }
}

/// Values that stand for none.
pub(crate) struct Missing {
    marks: MaskParams,
    /// A fill value that is not a number.
    nan: bool,
    /// What NetCDF fills unwritten variables with.
    default: Option<f64>,
}

impl Missing {
    pub(crate) fn of(variable: &NcVariable) -> Self {
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
        Self { marks, nan, default: default.filter(|_| !own) }
    }

    /// Why a value is missing, in words; nothing if it is there.
    pub(crate) fn why(&self, value: f64) -> Option<String> {
        let marks = &self.marks;
        if marks.fill_value == Some(value) || (self.nan && value.is_nan()) {
            Some(format!("_FillValue {value}"))
        } else if marks.missing_values.contains(&value) {
            Some(format!("missing_value {value}"))
        } else if self.default == Some(value) {
            Some("never written".into())
        } else if marks.valid_min.is_some_and(|low| value < low) || marks.valid_max.is_some_and(|high| value > high) {
            Some(format!("{value} lies outside its own valid range"))
        } else {
            None
        }
    }
}
