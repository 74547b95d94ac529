//! Times and durations of NumPy, which are counts of 64 bits with a unit.

use serde_json::{Value, json};
use zarrs::metadata::v2::DataTypeMetadataV2;
use zarrs::metadata::v3::MetadataV3;
use zarrs::metadata::{ArrayMetadata, FillValueMetadata};

/// NumPy's time that is none.
pub(super) const NOT_A_TIME: i64 = i64::MIN;

/// What NumPy calls units, in version 3 and in version 2, and what CF calls them.
const UNITS: [(&str, &str); 7] = [
    ("D", "days"),
    ("h", "hours"),
    ("m", "minutes"),
    ("s", "seconds"),
    ("ms", "milliseconds"),
    ("us", "microseconds"),
    ("ns", "nanoseconds"),
];

/// Makes an array of such numbers one of whole numbers, with CF's unit for them. One of other numbers, or in another
/// unit or in multiples of one, stays.
pub(super) fn as_counts(metadata: &mut ArrayMetadata) {
    let (attributes, is_date, unit) = match metadata {
        ArrayMetadata::V3(metadata) => {
            let is_date = match metadata.data_type.name() {
                "numpy.datetime64" => true,
                "numpy.timedelta64" => false,
                _ => return,
            };
            let configuration = metadata.data_type.configuration();
            let of = |name: &str| configuration.and_then(|all| all.get(name));
            if of("scale_factor").and_then(Value::as_i64).unwrap_or(1) != 1 {
                return;
            }
            let Some(unit) = of("unit").and_then(Value::as_str).and_then(cf_unit) else { return };
            metadata.data_type = MetadataV3::new("int64");
            if !matches!(metadata.fill_value, FillValueMetadata::Number(_)) {
                metadata.fill_value = FillValueMetadata::from(NOT_A_TIME);
            }
            (&mut metadata.attributes, is_date, unit)
        }
        ArrayMetadata::V2(metadata) => {
            let DataTypeMetadataV2::Simple(name) = &metadata.dtype else { return };
            let (order, rest) = name.split_at(name.len().min(1));
            let is_date = match rest.get(..2) {
                Some("M8") => true,
                Some("m8") => false,
                _ => return,
            };
            let unit = rest[2..].strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(cf_unit);
            let Some(unit) = unit else { return };
            metadata.dtype = DataTypeMetadataV2::Simple(format!("{order}i8"));
            metadata.fill_value = FillValueMetadata::from(NOT_A_TIME);
            (&mut metadata.attributes, is_date, unit)
        }
    };
    let since = if is_date { format!("{unit} since 1970-01-01 00:00:00") } else { unit.to_owned() };
    attributes.insert("units".to_owned(), json!(since));
    attributes.insert("_FillValue".to_owned(), json!(NOT_A_TIME));
    if is_date {
        attributes.insert("calendar".to_owned(), json!("proleptic_gregorian"));
    }
}

fn cf_unit(numpy: &str) -> Option<&'static str> {
    UNITS.iter().find(|(known, _)| *known == numpy).map(|(_, unit)| *unit)
}
