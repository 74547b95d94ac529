//! Quantum yields by their types.

use isobar_core::Real;
use isobar_photolysis::formulas;

use super::cross_sections::by_temperature;
use super::data::{Of, along_lines, at, files};
use super::object::Object;
use super::{Law, Reading, Unread, Yield};

/// Densities of air for which tables hold \[molecule/cm^3\].
const OF_FORMALDEHYDE: f64 = 2.45e19;
const OF_ACETALDEHYDE: f64 = 2.465e19;

/// The law of an object.
pub(super) fn read(object: &Object<'_>, reading: &mut Reading<'_>) -> Result<Yield, Unread> {
    let (kind, middles) = (object.text("type")?, reading.middles());
    let bins = middles.len();
    let alone = |value: Law| Yield { value, quenching: Box::new(move |_| vec![0.0; bins]) };
    let fixed = |values: Vec<f64>| alone(Box::new(move |_| values.clone()));
    let of_all = |of: &dyn Fn(f64) -> f64| middles.iter().map(|&l| of(l)).collect::<Vec<f64>>();
    Ok(match kind.as_str() {
        "base" => match object.number("constant value") {
            Ok(value) => fixed(overridden(object, vec![value; bins], reading)?),
            Err(_) => {
                let mut all = files(object, Of::QuantumYield, reading)?;
                let values = all.swap_remove(0).0.swap_remove(0);
                fixed(overridden(object, values, reading)?)
            }
        },
        "tint" => alone(by_temperature(object, files(object, Of::QuantumYield, reading)?, at)?),
        // TUV-x goes on along the lines of the ends with this one, and with no other.
        "NO2 tint" => alone(by_temperature(object, files(object, Of::QuantumYield, reading)?, along_lines)?),
        "Taylor series" => {
            let coefficients = object.numbers("coefficients")?;
            let least = object.number("minimum wavelength").unwrap_or(0.0);
            let most = object.number("maximum wavelength").unwrap_or(f64::INFINITY);
            let usual = object.number("constant value").unwrap_or(0.0);
            let series = |l: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * l + c).clamp(0.0, 1.0);
            let values = of_all(&|l| if (least..=most).contains(&l) { series(l) } else { usual });
            fixed(overridden(object, values, reading)?)
        }
        "O3+hv->O2+O(1D)" | "O3+hv->O2+O(3P)" => {
            let singlet = kind.ends_with("O(1D)");
            alone(Box::new(move |t| {
                let of = |&l: &f64| formulas::singlet_oxygen_of_ozone(l, t);
                middles.iter().map(|l| if singlet { of(l) } else { 1.0 - of(l) }).collect()
            }))
        }
        "ClONO2+hv->Cl+NO3" | "ClONO2+hv->ClO+NO2" => {
            let atom = |l: f64| {
                if l < 308.0 {
                    0.6
                } else if l <= 364.0 {
                    7.143e-3 * l - 1.6
                } else {
                    1.0
                }
            };
            fixed(of_all(&|l| if kind.ends_with("Cl+NO3") { atom(l) } else { 1.0 - atom(l) }))
        }
        "MVK+hv->Products" => Yield {
            value: fixed(of_all(&|l| Real::exp(-0.055 * (l - 308.0)).min(5.5) / 5.5)).value,
            quenching: Box::new(move |_| vec![9.2e-19 / 5.5; bins]),
        },
        "CH2O" => {
            let mut all = files(object, Of::QuantumYield, reading)?;
            let p = two(object, all.swap_remove(0).0)?;
            let quenched = move |l: f64, second: f64| (330.0..360.0).contains(&l) && second > 0.0;
            let (values, own, middles) = (p.clone(), p, middles.clone());
            let of_value = middles.clone();
            Yield {
                value: Box::new(move |_| {
                    let of =
                        |i: usize| if quenched(of_value[i], values[1][i]) { 1.0 - values[0][i] } else { values[1][i] };
                    (0..of_value.len()).map(of).collect()
                }),
                quenching: Box::new(move |t| {
                    let colder = (300.0 - t) / 80.0;
                    let of = |i: usize| {
                        let (l, first, second) = (middles[i], own[0][i], own[1][i]);
                        let warm = (1.0 - (first + second)) / (OF_FORMALDEHYDE * second);
                        if quenched(l, second) { warm * (1.0 + 0.05 * (l - 329.0) * colder) } else { 0.0 }
                    };
                    (0..middles.len()).map(of).collect()
                }),
            }
        }
        "CH3CHO+hv->CH3+HCO" => {
            let mut all = files(object, Of::QuantumYield, reading)?;
            let p = two(object, all.swap_remove(0).0)?;
            let by_air = |i: usize| if p[1][i] > 0.0 { ((1.0 - p[0][i]) / p[1][i] - 1.0).max(0.0) } else { 0.0 };
            let values = (0..bins).map(|i| p[1][i] * (1.0 + by_air(i))).collect();
            let quenching: Vec<f64> = (0..bins).map(|i| by_air(i) / OF_ACETALDEHYDE).collect();
            Yield { value: fixed(values).value, quenching: Box::new(move |_| quenching.clone()) }
        }
        other => return Err(Unread::Kind(format!("the quantum yield {other:?}"))),
    })
}

fn two(object: &Object<'_>, parameters: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>, Unread> {
    if parameters.len() >= 2 {
        Ok(parameters)
    } else {
        Err(object.invalid("its file has less than two parameters").into())
    }
}

/// With what "override bands" say of ranges of wavelengths.
fn overridden(object: &Object<'_>, mut values: Vec<f64>, reading: &mut Reading<'_>) -> Result<Vec<f64>, Unread> {
    let Ok(bands) = object.list("override bands") else { return Ok(values) };
    for band in bands {
        // TUV-x's own bounds of these.
        let (least, most) = match band.text("band")?.as_str() {
            "range" => (
                band.number("minimum wavelength").unwrap_or(0.0),
                band.number("maximum wavelength").unwrap_or(f64::MAX),
            ),
            "lyman-alpha" => (121.4, 121.9),
            "schumann-runge continuum" => (130.0, 175.0),
            "schumann-runge" => (175.0, 205.0),
            other => return Err(Unread::Kind(format!("the band {other:?}"))),
        };
        let value = band.number("value")?;
        for (own, l) in values.iter_mut().zip(reading.middles()) {
            if (least..=most).contains(&l) {
                *own = value;
            }
        }
    }
    Ok(values)
}
