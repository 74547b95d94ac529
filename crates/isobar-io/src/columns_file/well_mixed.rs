//! Well-mixed greenhouse gases by the year.

use std::sync::LazyLock;

/// Global annual means, which the file cites.
const TABLE: &str = include_str!("well_mixed.txt");
/// The part of one mole of dry air, whatever the year (Picard et al. 2008, doi:10.1088/0026-1394/45/2/004, Table 1).
const ALWAYS: [(&str, f64); 2] = [("o2", 0.209_390), ("n2", 0.780_848)];

/// Gases, and their mixing ratios \[mol/mol\] by year.
struct Means {
    gases: Vec<&'static str>,
    first_year: i64,
    years: Vec<Vec<f64>>,
}

static MEANS: LazyLock<Means> = LazyLock::new(|| {
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let gases: Vec<&str> = lines.next().unwrap_or_default().split(' ').skip(1).collect();
    let numbers = |line: &str| line.split(' ').map(|word| word.parse().expect("a number")).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = lines.map(numbers).collect();
    let unit = |gas: &str| match gas {
        "co2" => 1e-6,
        "ch4" | "n2o" => 1e-9,
        _ => 1e-12,
    };
    let first_year = rows[0][0] as i64;
    let years = rows.iter().map(|row| gases.iter().zip(&row[1..]).map(|(gas, x)| unit(gas) * x).collect()).collect();
    Means { gases, first_year, years }
});

/// Whether a gas is one of them.
pub(super) fn is_known(gas: &str) -> bool {
    MEANS.gases.contains(&gas) || ALWAYS.iter().any(|(name, _)| *name == gas)
}

/// The first and last year.
pub(super) fn years() -> [i64; 2] {
    [MEANS.first_year, MEANS.first_year + MEANS.years.len() as i64 - 1]
}

/// The mixing ratio of a gas in a year \[mol/mol\]; nothing for other gases and years.
pub(super) fn of_year(gas: &str, year: i64) -> Option<f64> {
    if let Some(&(_, value)) = ALWAYS.iter().find(|(name, _)| *name == gas) {
        return Some(value);
    }
    let number = MEANS.gases.iter().position(|name| *name == gas)?;
    let row = usize::try_from(year - MEANS.first_year).ok()?;
    Some(MEANS.years.get(row)?[number])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Growth since 1850 as the Intergovernmental Panel has it (AR6 WG1, Table 2.2: 2019, and 1850).
    #[test]
    fn means_are_those_of_the_sixth_report() {
        assert_eq!(years(), [1850, 2024]);
        for (gas, year, expected, error) in [
            ("co2", 1850, 285.5e-6, 0.2e-6),
            ("co2", 2019, 409.9e-6, 0.4e-6),
            ("ch4", 2019, 1866.3e-9, 3.3e-9),
            ("n2o", 2019, 332.1e-9, 0.4e-9),
            ("cfc12", 2019, 503.1e-12, 3.2e-12),
            ("cfc11", 2019, 226.2e-12, 1.1e-12),
            ("hfc134a", 2019, 107.6e-12, 1.0e-12),
            ("cf4", 2019, 85.5e-12, 0.2e-12),
        ] {
            let found = of_year(gas, year).unwrap();
            assert!((found - expected).abs() <= error, "{gas} {year}: {found}");
        }
        assert_eq!((of_year("co2", 1849), of_year("co2", 2025), of_year("no2", 2000)), (None, None, None));
        assert!(is_known("o2") && !is_known("h2o") && of_year("n2", -50) == of_year("n2", 2000));
    }
}
