//! Reactions and their rate constants.

use super::file::{File, required};
use super::value::{Object, Value, known_keys};
use super::version_0::{self, of_version_1};
use crate::error::Fault;

/// Avogadro's constant \[1/mol\].
const AVOGADRO: f64 = 6.022_140_76e23;
/// Molecules/cm3 of a mol/m3.
pub(super) const MOLECULES: f64 = AVOGADRO * 1e-6;
/// Boltzmann's constant \[J/K\].
const BOLTZMANN: f64 = 1.380_649e-23;
/// The constant of gases \[J/(mol K)\].
const GAS: f64 = AVOGADRO * BOLTZMANN;

/// A number in KPP's language, with all digits.
pub(super) fn number(value: f64) -> String {
    if value < 0.0 { format!("({value:e})") } else { format!("{value:e}") }
}

/// Numbers of a reaction by their keys.
struct Numbers<'a, 'o> {
    object: &'o Object<'a>,
    whole: Value<'a>,
    /// Molecules/cm3 of the unit of concentrations in rate constants.
    unit: f64,
}

impl Numbers<'_, '_> {
    fn or(&self, key: &str, default: f64) -> Result<f64, Fault> {
        self.object.get(key).map_or(Ok(default), |value| value.number())
    }

    fn needed(&self, key: &str) -> Result<f64, Fault> {
        required(self.object, key, self.whole)?.number()
    }

    /// `A exp(C/T) (T/D)^B (1 + E p)`
    fn arrhenius(&self) -> Result<String, Fault> {
        let c = match (self.object.get("Ea"), self.object.get("C")) {
            (Some(energy), Some(_)) => return Err(Fault::at(energy.span(), "`Ea` and `C` are the same in two ways")),
            (Some(energy), None) => -energy.number()? / BOLTZMANN,
            (None, _) => self.or("C", 0.0)?,
        };
        let mut formula = limit(self.or("A", 1.0)?, self.or("B", 0.0)?, c, self.or("D", 300.0)?);
        let e = self.or("E", 0.0)?;
        if e != 0.0 {
            formula += &format!("*(1.0+{}*PRESS)", number(e));
        }
        Ok(formula)
    }

    /// The low limit of a falloff, and what the falloff makes of it: the ratio `r` of the limits, and
    /// `F^(1/(1 + log10(r)^2/N))/(1 + r)`.
    fn falloff(&self) -> Result<(String, String), Fault> {
        let limit = |which: &str, at: f64| -> Result<String, Fault> {
            let of = |letter: &str, default| self.or(&format!("{which}_{letter}"), default);
            Ok(limit(of("A", at)?, of("B", 0.0)?, of("C", 0.0)?, 300.0))
        };
        let (low, high) = (limit("k0", 1.0)?, limit("kinf", 1.0)?);
        let ratio = format!("({low}*{}/({high}))", self.air());
        let (f, n) = (number(self.or("Fc", 0.6)?), number(self.or("N", 1.0)?));
        Ok((low, format!("{f}**(1.0/(1.0+LOG10({ratio})**2/{n}))/(1.0+{ratio})")))
    }

    /// The density of air.
    fn air(&self) -> String {
        format!("cair*{}", number(1.0 / self.unit))
    }
}

fn limit(a: f64, b: f64, c: f64, d: f64) -> String {
    let mut formula = number(a);
    if c != 0.0 {
        formula += &format!("*EXP({}/TEMP)", number(c));
    }
    if b != 0.0 {
        formula += &format!("*(TEMP/{})**{}", number(d), number(b));
    }
    formula
}

/// The falloff of nitrates from peroxy radicals of `n` heavy atoms at a density \[molecule/cm3\] and a temperature.
fn nitrates(n: f64, density: &str, temperature: &str) -> String {
    let low = format!("2.0e-22*EXP({})*{density}", number(n));
    let high = format!("(0.43*({temperature}/298.0)**(-8))");
    format!("({low}/(1.0+{low}/{high})*0.41**(1.0/(1.0+LOG10({low}/{high})**2)))")
}

/// Keys that reactions of each type have, besides those of all.
fn keys(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "ARRHENIUS" => &["A", "B", "C", "D", "E", "Ea", "reactants", "products"],
        "TROE" | "TERNARY_CHEMICAL_ACTIVATION" => {
            &["k0_A", "k0_B", "k0_C", "kinf_A", "kinf_B", "kinf_C", "Fc", "N", "reactants", "products"]
        }
        "TUNNELING" => &["A", "B", "C", "reactants", "products"],
        "BRANCHED_NO_RO2" => &["X", "Y", "a0", "n", "reactants", "alkoxy products", "nitrate products"],
        "TAYLOR_SERIES" => &["A", "B", "C", "D", "E", "Ea", "taylor coefficients", "reactants", "products"],
        "PHOTOLYSIS" | "USER_DEFINED" | "FIRST_ORDER_LOSS" => &["scaling factor", "reactants", "products"],
        "EMISSION" => &["scaling factor", "products"],
        "LAMBDA_RATE_CONSTANT" => &["lambda function", "reactants", "products"],
        "SURFACE" => &["reaction probability", "gas-phase species", "gas-phase products", "condensed phase"],
        _ => return None,
    })
}

impl File {
    /// An input that the host model gives, as `PHOTO(jno2)`: MUSICA's `PHOTO.jno2`.
    fn input(&mut self, kind: &str, object: &Object<'_>, whole: Value<'_>) -> Result<String, Fault> {
        let value = required(object, self.name_key(), whole)?;
        let (name, span) = (value.string()?, value.span());
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let digit = plain.starts_with(|c: char| c.is_ascii_digit());
        let input = format!("{kind}({}{plain})", if digit { "_" } else { "" });
        match self.inputs.insert(input.to_lowercase(), name.clone()).filter(|other| *other != name) {
            Some(other) => Err(Fault::at(span, format!("`{name}` and `{other}` would be the same input {input}"))),
            None => Ok(input),
        }
    }

    /// The key of a reaction's name.
    fn name_key(&self) -> &'static str {
        if self.version_0 { "MUSICA name" } else { "name" }
    }

    pub(super) fn add_reaction(&mut self, whole: Value<'_>, equations: &mut String) -> Result<(), Fault> {
        let object = whole.object()?;
        let kind = required(&object, "type", whole)?;
        let (mut kind, span) = (kind.string()?, kind.span());
        if self.version_0 {
            kind = of_version_1(&kind).to_owned();
        }
        let own = keys(&kind).ok_or_else(|| Fault::at(span, format!("reactions of the type {kind} are not read")))?;
        let mut known: Vec<&str> = ["type", "name", "gas phase"].iter().chain(own).copied().collect();
        if self.version_0 {
            known = version_0::keys(&kind, &known);
        }
        known_keys(&object, &format!("a reaction of the type {kind}"), &known)?;
        let in_molecules = ["ARRHENIUS", "TROE", "TERNARY_CHEMICAL_ACTIVATION", "TUNNELING", "BRANCHED_NO_RO2"];
        let unit = if self.version_0 && in_molecules.contains(&kind.as_str()) { 1.0 } else { MOLECULES };
        let numbers = Numbers { object: &object, whole, unit };
        let scaled = |this: &mut Self, kind: &str| -> Result<String, Fault> {
            Ok(format!("{}*{}", number(numbers.or("scaling factor", 1.0)?), this.input(kind, &object, whole)?))
        };
        let label = object.get(self.name_key()).map(|name| name.string()).transpose()?;
        let left = if kind == "SURFACE" {
            vec![self.surface_species(&object, whole)?]
        } else {
            self.side(&object, if self.version_0 && kind == "FIRST_ORDER_LOSS" { "species" } else { "reactants" })?
        };
        let products = match kind.as_str() {
            "SURFACE" => "gas-phase products",
            "EMISSION" if self.version_0 => "species",
            _ => "products",
        };
        let right = self.side(&object, products)?;
        if left.is_empty() && kind != "EMISSION" {
            return Err(Fault::at(whole.span(), "this reaction has no reactants").of_start());
        }
        let rate = match kind.as_str() {
            "ARRHENIUS" => numbers.arrhenius()?,
            "TROE" => {
                let (low, rest) = numbers.falloff()?;
                format!("{low}*{}*{rest}", numbers.air())
            }
            "TERNARY_CHEMICAL_ACTIVATION" => {
                let (low, rest) = numbers.falloff()?;
                format!("{low}*{rest}")
            }
            "TUNNELING" => {
                let (b, c) = (number(-numbers.or("B", 0.0)?), number(numbers.or("C", 0.0)?));
                format!("{}*EXP({b}/TEMP+{c}/TEMP**3)", number(numbers.or("A", 1.0)?))
            }
            "TAYLOR_SERIES" => {
                let list = object.get("taylor coefficients").map_or(Ok(vec![]), |value| value.list())?;
                let list = list.into_iter().map(Value::number).collect::<Result<Vec<_>, _>>()?;
                let terms = list.iter().enumerate().map(|(power, &x)| format!("{}*TEMP**{power}", number(x)));
                let sum: Vec<String> = terms.collect();
                format!("{}*({})", numbers.arrhenius()?, if sum.is_empty() { "1.0".to_owned() } else { sum.join("+") })
            }
            "BRANCHED_NO_RO2" => return self.branched(&numbers, label.as_deref(), &left, equations),
            "LAMBDA_RATE_CONSTANT" => self.lambda(&object, whole)?,
            "PHOTOLYSIS" => scaled(self, "PHOTO")?,
            "USER_DEFINED" => scaled(self, "USER")?,
            "FIRST_ORDER_LOSS" => scaled(self, "LOSS")?,
            "EMISSION" => scaled(self, "EMIS")?,
            _ => self.surface(&numbers, &left[0].0)?,
        };
        let rate = self.in_molecules(&left, &rate, &numbers)?;
        self.equation(label.as_deref(), [&left, &right], &rate, equations);
        Ok(())
    }

    /// A rate constant in molecules and cm3, with the part of air of what is left out of the equation.
    fn in_molecules(&self, left: &[(String, f64)], rate: &str, numbers: &Numbers<'_, '_>) -> Result<String, Fault> {
        let mut factor = numbers.unit;
        let mut air = String::new();
        for (name, coefficient) in left {
            let times = (1..=9_u32).find(|&times| f64::from(times).to_bits() == coefficient.to_bits());
            let Some(times) = times else {
                let what = format!("the coefficient of the reactant `{name}` is not a whole number of 1 to 9");
                return Err(Fault::at(numbers.whole.span(), what).of_start());
            };
            for _ in 0..times {
                factor /= numbers.unit;
                if let Some(part) = self.species[name].part_of_air {
                    factor *= part;
                    air += "*cair";
                }
            }
        }
        Ok(format!("{}{air}*({rate})", number(factor)))
    }

    /// Both ways of peroxy radicals with NO.
    fn branched(
        &mut self,
        numbers: &Numbers<'_, '_>,
        label: Option<&str>,
        left: &[(String, f64)],
        equations: &mut String,
    ) -> Result<(), Fault> {
        let (x, y) = (numbers.needed("X")?, numbers.needed("Y")?);
        let (a0, n) = (numbers.needed("a0")?, numbers.needed("n")?);
        let all = format!("{}*EXP({}/TEMP)", number(x), number(-y));
        // At 293 K and 40.6832 mol/m3 the part is a0.
        let z = format!("({}*{})", nitrates(n, &number(2.45e19), "293.0"), number((1.0 - a0) / a0));
        let yielded = nitrates(n, "cair", "TEMP");
        for (products, part) in [("alkoxy products", &z), ("nitrate products", &yielded)] {
            let right = self.side(numbers.object, products)?;
            let rate = format!("{all}*{part}/({yielded}+{z})");
            let rate = self.in_molecules(left, &rate, numbers)?;
            let label = label.map(|label| format!("{label}_{}", products.split(' ').next().unwrap_or_default()));
            self.equation(label.as_deref(), [left, &right], &rate, equations);
        }
        Ok(())
    }

    /// `[](double T, double P) { return k; }` of the temperature \[K\], the pressure \[Pa\] and the density of air
    /// \[mol/m3\], as a function in C.
    fn lambda(&mut self, object: &Object<'_>, whole: Value<'_>) -> Result<String, Fault> {
        let value = required(object, "lambda function", whole)?;
        let (text, span) = (value.string()?, value.span());
        let shown = Fault::at(span, "`[](double T, double P) { return k; }` is expected here").of_start();
        let rest = text.trim().strip_prefix("[](").ok_or_else(|| shown.clone())?;
        let (arguments, body) = rest.split_once(')').ok_or_else(|| shown.clone())?;
        let (body, count) = (body.trim(), arguments.split(',').count());
        let plain = |c: char| c.is_ascii() && c != '#' && c != '\\';
        if !(body.starts_with('{') && body.ends_with('}') && count <= 3 && text.chars().all(plain)) {
            return Err(shown);
        }
        let name = format!("lambda_{}", self.functions.matches("double lambda_").count() + 1);
        let body = body.replace("std::", "");
        self.functions += &format!("double {name}({arguments}) {body}\n");
        let given = ["TEMP".to_owned(), "PRESS".to_owned(), format!("cair*{}", number(1.0 / MOLECULES))];
        Ok(format!("{name}({})", given[..count].join(",")))
    }

    fn surface_species(&self, object: &Object<'_>, whole: Value<'_>) -> Result<(String, f64), Fault> {
        let key = if self.version_0 { "gas-phase reactant" } else { "gas-phase species" };
        let value = required(object, key, whole)?;
        Ok((self.known(value)?, 1.0))
    }

    /// Uptake on particles of a radius and a number that the host model gives.
    fn surface(&mut self, numbers: &Numbers<'_, '_>, name: &str) -> Result<String, Fault> {
        let species = &self.species[name];
        let needed = |value: Option<f64>, what: &str| {
            value.ok_or_else(|| Fault::at(numbers.whole.span(), format!("`{name}` has no {what}")).of_start())
        };
        let diffusion = needed(species.diffusion, "`diffusion coefficient [m2 s-1]` in the phase")?;
        let mass = needed(species.molar_mass, "`molecular weight [kg mol-1]`")?;
        let probability = numbers.or("reaction probability", 1.0)?;
        let radius = self.input("SURF_radius", numbers.object, numbers.whole)?;
        let count = self.input("SURF_number", numbers.object, numbers.whole)?;
        let pi = std::f64::consts::PI;
        let speed = format!("SQRT({}*TEMP)", number(8.0 * GAS / (pi * mass)));
        let resistance = format!("{radius}/{}+4.0/({speed}*{})", number(diffusion), number(probability));
        Ok(format!("{}*{count}*{radius}**2/({resistance})", number(4.0 * pi)))
    }
}
