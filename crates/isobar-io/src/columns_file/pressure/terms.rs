//! What a vertical coordinate says that it is: a pressure, or a number of which pressures follow by coefficients.

use crate::netcdf::{Dataset, Dimension};

/// CF's dimensionless vertical coordinates whose pressures depend on that of the surface (CF conventions 1.11,
/// appendix D).
const OF_THE_SURFACE: [&str; 2] = ["atmosphere_hybrid_sigma_pressure_coordinate", "atmosphere_sigma_coordinate"];

/// The coordinate of a dimension, and what of it says that it is no pressure, whatever its unit is; nothing where
/// nothing does.
pub(super) fn is_no_pressure(file: &Dataset, dimension: Dimension) -> Option<(String, String)> {
    let (name, _) = file.dimension_of(dimension)?;
    let text = |attribute: &str| file.text_attribute(&name, attribute);
    let by_name = text("standard_name").filter(|standard| OF_THE_SURFACE.contains(&standard.as_str()));
    let by_name = by_name.map(|standard| format!("standard_name {standard:?}"));
    // Where CF's names are missing, as in older files of CAM, its long name has the formula.
    let by_words = || text("long_name").filter(|text| text.to_lowercase().contains("hybrid level"));
    let said = by_name
        .or_else(|| text("formula_terms").map(|terms| format!("formula_terms {terms:?}")))
        .or_else(|| by_words().map(|text| format!("long_name {text:?}")))?;
    Some((name, said))
}

/// The variables that are the coefficients `a` (or `ap`) and `b` of the coordinate of a dimension, as its formula
/// terms say; nothing where they do not, or the file has none of these names.
pub(super) fn coefficients(file: &Dataset, dimension: Dimension) -> Option<[String; 2]> {
    let (name, _) = file.dimension_of(dimension)?;
    let text = file.text_attribute(&name, "formula_terms")?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let term = |wanted: &str| {
        let pair = words.windows(2).find(|pair| pair[0].strip_suffix(':') == Some(wanted))?;
        file.has_name(pair[1]).then(|| pair[1].to_owned())
    };
    Some([term("ap").or_else(|| term("a"))?, term("b")?])
}
