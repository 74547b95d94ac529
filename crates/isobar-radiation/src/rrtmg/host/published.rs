//! AER's tables that come with the crate; `data/LICENSE-AER` has their terms.

/// Planck radiance \[W/(cm^2 sr cm^-1)\]: a row a temperature, a column a band.
pub(crate) const PLANCK: &str = include_str!("../../../data/rrtmg/planck.txt");
/// Its derivative by temperature.
pub(crate) const PLANCK_DERIVATIVE: &str = include_str!("../../../data/rrtmg/planck_derivative.txt");
/// ln(p / hPa), temperature and mixing ratios: a row a level.
pub(crate) const REFERENCE_ATMOSPHERE: &str = include_str!("../../../data/rrtmg/reference_atmosphere.txt");
/// Absorption of ice spheres: a row a size, a column a band.
pub(crate) const ICE_SPHERES: &str = include_str!("../../../data/rrtmg/ice_spheres.txt");
/// Absorption of ice by Fu.
pub(crate) const ICE_FU: &str = include_str!("../../../data/rrtmg/ice_fu.txt");
/// Absorption of droplets.
pub(crate) const LIQUID: &str = include_str!("../../../data/rrtmg/liquid.txt");

/// The rows of a table.
pub(crate) fn rows(text: &str) -> Vec<Vec<f64>> {
    let number = |word: &str| word.parse().expect("the crate's own tables are numbers");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().map(number).collect()).collect()
}

/// The columns of a table, one after the other.
pub(crate) fn columns(text: &str) -> Vec<f64> {
    let rows = rows(text);
    (0..rows[0].len()).flat_map(|column| rows.iter().map(move |row| row[column])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rrtmg::grid;

    #[test]
    fn tables_have_their_sizes() {
        assert_eq!(columns(PLANCK).len(), 16 * grid::PLANCK_TEMPERATURES);
        assert_eq!(columns(PLANCK_DERIVATIVE).len(), 16 * grid::PLANCK_TEMPERATURES);
        assert_eq!(columns(REFERENCE_ATMOSPHERE).len(), 9 * grid::LEVELS);
        assert_eq!(columns(ICE_SPHERES).len(), 16 * 43);
        assert_eq!(columns(ICE_FU).len(), 16 * 46);
        assert_eq!(columns(LIQUID).len(), 16 * 58);
    }
}
