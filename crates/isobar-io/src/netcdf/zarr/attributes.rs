//! Attributes, which Zarr has as JSON, and its marks of missing values.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use netcdf_reader::{NcAttrValue, NcAttribute};
use serde_json::{Map, Value, json};
use zarrs::metadata::ArrayMetadata;

/// Names of the dimensions of an array of version 2.
pub(super) const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";
pub(super) const FILL_VALUE: &str = "_FillValue";

/// Numbers that JSON has no words for, as Python writes them.
pub(super) const NOT_FINITE: [(&str, f64); 3] =
    [("NaN", f64::NAN), ("-Infinity", f64::NEG_INFINITY), ("Infinity", f64::INFINITY)];

fn not_finite(text: &str) -> Option<f64> {
    NOT_FINITE.iter().find(|(word, _)| *word == text).map(|&(_, number)| number)
}

/// What NetCDF would have for attributes; what is no text, number or list of one kind of these is left out.
pub(super) fn read(all: &Map<String, Value>) -> Vec<NcAttribute> {
    let known = |(name, value): (&String, &Value)| {
        let value = match value {
            // netCDF-C's way of the unit "1".
            Value::Number(one) if name == "units" => NcAttrValue::Chars(one.to_string()),
            value => value_of(value)?,
        };
        Some(NcAttribute { name: name.clone(), value })
    };
    all.iter().filter(|(name, _)| *name != DIMENSIONS).filter_map(known).collect()
}

fn value_of(value: &Value) -> Option<NcAttrValue> {
    match value {
        Value::String(text) => Some(match not_finite(text) {
            Some(number) => NcAttrValue::Doubles(vec![number]),
            None => NcAttrValue::Chars(text.clone()),
        }),
        Value::Bool(is) => Some(NcAttrValue::UBytes(vec![u8::from(*is)])),
        Value::Number(_) => numbers(std::slice::from_ref(value)),
        Value::Array(all) => {
            let texts: Option<Vec<String>> = all.iter().map(|one| one.as_str().map(str::to_owned)).collect();
            texts.filter(|texts| !texts.is_empty()).map(NcAttrValue::Strings).or_else(|| numbers(all))
        }
        Value::Null | Value::Object(_) => None,
    }
}

fn numbers(all: &[Value]) -> Option<NcAttrValue> {
    let whole: Option<Vec<i64>> = all.iter().map(Value::as_i64).collect();
    let numbers = || all.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    whole.map(NcAttrValue::Int64s).or_else(|| numbers().map(NcAttrValue::Doubles))
}

/// The attributes of an array, with its mark of missing values. In version 2 that is the fill value, in version 3 an
/// attribute, of floating-point numbers the bytes of a double in base64, as xarray has it.
pub(super) fn of_array(metadata: &ArrayMetadata, fill_value: Option<f64>) -> Vec<NcAttribute> {
    let (all, mark) = match metadata {
        ArrayMetadata::V2(metadata) => (&metadata.attributes, fill_value.filter(|_| !metadata.fill_value.is_null())),
        ArrayMetadata::V3(metadata) => (&metadata.attributes, metadata.attributes.get(FILL_VALUE).and_then(mark)),
    };
    let mut all = read(all);
    if let Some(mark) = mark {
        all.retain(|one| one.name != FILL_VALUE);
        all.push(NcAttribute { name: FILL_VALUE.to_owned(), value: NcAttrValue::Doubles(vec![mark]) });
    }
    all
}

fn mark(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => {
            let of_bytes = || Some(f64::from_le_bytes(BASE64.decode(text).ok()?.try_into().ok()?));
            not_finite(text).or_else(of_bytes)
        }
        value => value.as_f64(),
    }
}

/// Attributes as JSON, as xarray writes them.
pub(super) fn written(all: &[(String, NcAttrValue)]) -> Map<String, Value> {
    let of_one = |(name, value): &(String, NcAttrValue)| {
        let value = match value {
            NcAttrValue::Floats(marks) if name == FILL_VALUE => marks.first().map(|&mark| bytes(f64::from(mark))),
            NcAttrValue::Doubles(marks) if name == FILL_VALUE => marks.first().map(|&mark| bytes(mark)),
            value => json_of(value),
        };
        Some((name.clone(), value?))
    };
    all.iter().filter_map(of_one).collect()
}

fn bytes(mark: f64) -> Value {
    BASE64.encode(mark.to_le_bytes()).into()
}

fn json_of(value: &NcAttrValue) -> Option<Value> {
    fn list<T: Copy>(all: &[T], one: impl Fn(T) -> Value) -> Value {
        match all {
            [only] => one(*only),
            all => all.iter().map(|&value| one(value)).collect(),
        }
    }
    Some(match value {
        NcAttrValue::Chars(text) => json!(text),
        NcAttrValue::Strings(texts) => json!(texts),
        NcAttrValue::Bytes(all) => list(all, |value| json!(value)),
        NcAttrValue::Shorts(all) => list(all, |value| json!(value)),
        NcAttrValue::Ints(all) => list(all, |value| json!(value)),
        // Single precision by its own digits.
        NcAttrValue::Floats(all) => list(all, |value| json!(value.to_string().parse::<f64>().ok())),
        NcAttrValue::Doubles(all) => list(all, |value| json!(value)),
        NcAttrValue::UBytes(all) => list(all, |value| json!(value)),
        NcAttrValue::UShorts(all) => list(all, |value| json!(value)),
        NcAttrValue::UInts(all) => list(all, |value| json!(value)),
        NcAttrValue::Int64s(all) => list(all, |value| json!(value)),
        NcAttrValue::UInt64s(all) => list(all, |value| json!(value)),
        NcAttrValue::UserDefined { .. } => return None,
    })
}
