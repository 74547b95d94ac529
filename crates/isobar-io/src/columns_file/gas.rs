//! Gases: mixing ratios of any kind as those relative to dry air.

use isobar_core::fields::OwnedInputs;
use isobar_optics::gases::{GASES, MOLAR_MASSES};

use super::humidity::Ratio;
use super::{Fields, Per, Quantity, Reading, time, well_mixed};
use crate::error::{Error, Place};

/// Water vapour, of which files have several kinds of ratios.
const WATER: &str = "h2o";

/// A gas that is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gas {
    /// The formula in small letters.
    pub(crate) name: &'static str,
    /// Its mixing ratio by amount, as the scheme declares it.
    pub(crate) amount: Quantity,
    /// \[g/mol\]
    pub(crate) molar_mass: f64,
    /// What is asked for instead of the file's.
    pub(crate) constant: Option<f64>,
    /// Whether the computation knows it.
    pub(crate) needed: bool,
    /// Whether files often lack it, and it counts for little.
    pub(crate) may_be_missing: bool,
}

/// Gases that hosts must give; the others often are missing, and count for little.
pub const NEEDED: [&str; 7] = ["h2o", "co2", "o3", "n2o", "ch4", "o2", "n2"];

impl Gas {
    /// A gas by its number in [`GASES`], as a scheme declares it; the last of several constants for it holds.
    pub(crate) fn of(number: usize, amount: Quantity, needed: bool, constants: &[(usize, f64)]) -> Self {
        let name = GASES[number];
        Self {
            name,
            amount,
            molar_mass: MOLAR_MASSES[number],
            constant: constants.iter().rev().find(|(other, _)| *other == number).map(|&(_, value)| value),
            needed,
            may_be_missing: !NEEDED.contains(&name),
        }
    }

    /// As a file has it for layers or for all of them.
    fn amount(&self) -> Quantity {
        self.amount.per(Per::AnyLayer)
    }

    /// The gas by mass, as a file has it.
    fn mass(&self) -> Quantity {
        self.amount().in_unit("kg kg-1")
    }
}

/// How a gas is given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Constant(f64),
    Zero,
    Amount,
    Mass,
    /// The mass in a mass of moist air.
    MassFraction,
    /// The global mean of the year.
    OfYear,
    /// Of water vapour, as this quantity.
    Vapour(Ratio, Quantity),
    /// What a unit of a moist mass of air has of it, by this variable; times this factor, it is relative to as many
    /// moles as dry air of that mass has.
    OfMoistAir(Quantity, f64),
    /// The humidity of moist air; times this factor, it is relative to as many moles as dry air of that mass has.
    Humidity(f64),
}

/// Puts a gas into columns.
pub(crate) fn put(columns: &mut impl OwnedInputs<f64>, name: &str, mut values: Vec<f64>) {
    columns.each_real(&mut |declared, field| {
        if declared.name == name {
            *field = std::mem::take(&mut values);
        }
    });
}

/// How each gas is given.
pub(crate) struct Forms(Vec<(Gas, Form)>);

/// Reads all gases that are needed, and those beside them that the file has.
pub(crate) fn read(reading: &mut Reading, gases: impl Iterator<Item = Gas>, assume_zero: bool) -> Result<Forms, Error> {
    read_by(reading, gases, assume_zero, in_file)
}

/// Reads all gases as [`read`] does; `in_file` reads one, if it is there.
pub(crate) fn read_by(
    reading: &mut Reading,
    gases: impl Iterator<Item = Gas>,
    assume_zero: bool,
    in_file: impl Fn(&mut Reading, &Gas) -> Result<Option<Form>, Error>,
) -> Result<Forms, Error> {
    let (mut forms, mut missing) = (Vec::new(), Vec::new());
    for gas in gases {
        let form = match gas.constant {
            Some(value) => Some(Form::Constant(value)),
            None => in_file(reading, &gas)?,
        };
        match form {
            Some(form) => forms.push((gas, form)),
            None if !gas.needed => {}
            None if !assume_zero && well_mixed::is_known(gas.name) && time::read(reading)? => {
                forms.push((gas, Form::OfYear));
            }
            None if assume_zero || gas.may_be_missing => forms.push((gas, Form::Zero)),
            None => missing.push(match others(reading, &gas) {
                Some(others) => format!("{} ({others})", gas.name),
                None => gas.name.to_owned(),
            }),
        }
    }
    if missing.is_empty() {
        return Ok(Forms(forms));
    }
    Err(Error::MissingGases { place: Place::File(reading.file.path().to_owned()), names: missing })
}

/// What goes by a name of a gas that is missing and says that it is something else, or else may be meant by it.
fn others(reading: &Reading, gas: &Gas) -> Option<String> {
    let amount = gas.amount();
    let others = if gas.name == WATER { Ratio::others(reading, &amount) } else { reading.others(&amount) };
    others.or_else(|| Some(format!("is it {}?", similar(reading, gas)?)))
}

/// A variable that may be meant by a gas that is missing: with its formula as a part of the name, in whatever case, and
/// with or without what RRTMG adds.
fn similar(reading: &Reading, gas: &Gas) -> Option<String> {
    let is_formula = |part: &str| {
        let part = part.to_ascii_lowercase();
        ["vmr", "mmr", ""].iter().any(|end| part.strip_suffix(end) == Some(gas.name))
    };
    reading.file.not_read().into_iter().find(|name| name.split(|c: char| !c.is_ascii_alphanumeric()).any(is_formula))
}

/// Reads a gas, if it is there.
fn in_file(reading: &mut Reading, gas: &Gas) -> Result<Option<Form>, Error> {
    if gas.name == WATER {
        return Ok(Ratio::read(reading, &gas.amount())?.map(|(ratio, found)| Form::Vapour(ratio, found)));
    }
    let (amount, mass) = (gas.amount(), gas.mass());
    if reading.has(&amount)? {
        let [as_amount, as_mass] = [reading.converts(&amount)?, reading.converts(&mass)?];
        let standard = reading.standard_name(&amount).unwrap_or_default();
        let [is_amount, is_mass] = ["mole_fraction_of_", "mass_fraction_of_"].map(|start| standard.starts_with(start));
        if (is_amount && !as_amount && as_mass) || (is_mass && !as_mass && as_amount) {
            let name = reading.name(&amount).unwrap_or_default();
            let units = reading.file.units_of(&name).unwrap_or_default();
            let text = format!("{name} has standard_name {standard:?}, but units {units:?}: it is one or the other");
            return Err(reading.file.invalid(text));
        }
        // A ratio of what its unit does not say is one of masses by its standard name alone. What is no ratio of
        // masses either gets the message about amounts.
        let by_mass = as_mass && (is_mass || !as_amount);
        reading.need(if by_mass { &mass } else { &amount })?;
        return Ok(Some(match (by_mass, is_mass) {
            (true, true) => Form::MassFraction,
            (true, false) => Form::Mass,
            _ => Form::Amount,
        }));
    }
    Ok(None)
}

impl Forms {
    /// Gives each gas, by its name, to `put`; `dry_air` is the molar mass of dry air \[g/mol\], `humidity` that of
    /// moist air where gases are relative to it.
    pub(crate) fn take(
        &self,
        fields: &mut Fields,
        (dry_air, humidity): (f64, &[f64]),
        put: &mut dyn FnMut(&'static str, Vec<f64>),
        derived: &mut Vec<String>,
    ) -> Result<(), Error> {
        let years =
            if self.0.iter().any(|(_, form)| matches!(form, Form::OfYear)) { years(fields)? } else { Vec::new() };
        let by_year: Vec<&str> =
            self.0.iter().filter(|(_, form)| matches!(form, Form::OfYear)).map(|(gas, _)| gas.name).collect();
        if let (Some(first), Some(last)) = (years.iter().min(), years.iter().max()) {
            let years = if first == last { first.to_string() } else { format!("{first} to {last}") };
            derived.push(format!("{}: global means of {years} (Forster et al. 2025)", by_year.join(", ")));
        }
        // Mass of water to that of dry air, layer by layer, once water is known, which is the first of the gases.
        let mut moisture: Vec<f64> = Vec::new();
        for (gas, form) in &self.0 {
            let heavier = dry_air / gas.molar_mass;
            let values = match *form {
                Form::Constant(value) => vec![value],
                Form::Zero => Vec::new(),
                Form::Amount => fields.take_compact(&gas.amount()),
                Form::Mass => fields.take_compact(&gas.mass()).into_iter().map(|x| x * heavier).collect(),
                Form::Vapour(ratio, found) => {
                    let name = fields.name(found.name).unwrap_or_default();
                    let all = fields.take_compact(&found);
                    if ratio.by_mass() {
                        fields.note_negative(&name, &all);
                    }
                    all.into_iter().map(|x| ratio.dry(x, heavier)).collect()
                }
                Form::MassFraction => {
                    let all = fields.take(&gas.mass());
                    // One value of water is that of all layers.
                    let water =
                        |index: usize| if moisture.len() == 1 { Some(&moisture[0]) } else { moisture.get(index) };
                    let dry = |(index, x): (usize, &f64)| x * heavier * (1.0 + water(index).unwrap_or(&0.0));
                    all.iter().enumerate().map(dry).collect()
                }
                Form::OfYear => {
                    let of = |year: &i64| well_mixed::of_year(gas.name, *year).unwrap_or(f64::NAN);
                    match &years[..] {
                        [first, others @ ..] if others.iter().any(|year| year != first) => {
                            let row: Vec<f64> = years.iter().map(of).collect();
                            row.repeat(fields.layers)
                        }
                        years => years.iter().take(1).map(of).collect(),
                    }
                }
                Form::Humidity(factor) => humidity.iter().map(|water| factor * water / (1.0 - water)).collect(),
                Form::OfMoistAir(quantity, factor) => {
                    let all = fields.take(&quantity);
                    all.iter().zip(humidity).map(|(x, water)| factor * x / (1.0 - water)).collect()
                }
            };
            if gas.name == WATER {
                moisture = values.iter().map(|water| water / heavier).collect();
            }
            put(gas.name, values);
            match form {
                Form::Constant(value) => derived.push(format!("{} = {value} mol/mol, as asked for", gas.name)),
                Form::Zero => derived.push(format!("{} = 0", gas.name)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The year of each column, of which there are global means.
fn years(fields: &Fields) -> Result<Vec<i64>, Error> {
    let times = time::times(fields)?;
    let [first, last] = well_mixed::years();
    if let Some(time) = times.iter().find(|time| !(first..=last).contains(&time.year)) {
        return Err(fields.refuse(format!(
            "gases are missing, of which there are global means of the years {first} to {last}, not of {}: give them \
             with --gas NAME=VALUE",
            time.year
        )));
    }
    Ok(times.into_iter().map(|time| time.year).collect())
}
