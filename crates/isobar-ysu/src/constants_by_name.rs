//! Constants from words: `mpas`, `cp=1004.6,g=9.80665`, or both.

use core::str::FromStr;
use std::format;
use std::string::String;
use std::vec::Vec;

use crate::physical::Constants;

impl FromStr for Constants {
    type Err = String;

    /// A host model by name, constants as `NAME=NUMBER`, or both, separated by commas; what is not given is WRF's.
    ///
    /// ```
    /// use isobar_ysu::Constants;
    /// let own: Constants = "mpas,cp=1004.6".parse()?;
    /// assert_eq!(own, Constants { heat_capacity_j_per_kg_k: 1004.6, ..Constants::MPAS });
    /// # Ok::<(), String>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let mut constants = Self::WRF;
        let mut given: Vec<&str> = Vec::new();
        for (place, part) in text.split(',').map(str::trim).enumerate() {
            let Some((name, value)) = part.split_once('=') else {
                constants = match Self::of_host(part) {
                    Some(host) if place == 0 => host,
                    Some(_) => return Err(format!("'{part}' comes first, and constants replace its own")),
                    None => return Err(no_host(part)),
                };
                continue;
            };
            if given.contains(&name.trim()) {
                return Err(format!("{} is given twice", name.trim()));
            }
            given.push(name.trim());
            let Some(constant) = constants.by_name(name.trim()) else {
                return Err(no_constant(name.trim()));
            };
            *constant = value.trim().parse().map_err(|_| format!("the constant {name} is '{value}', no number"))?;
        }
        Ok(constants)
    }
}

impl Constants {
    /// Those of a host model, one of [`Constants::NAMED`].
    #[must_use]
    pub fn of_host(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(host, _)| host.eq_ignore_ascii_case(&name.replace('-', "_"))).map(|(_, all)| all)
    }
}

fn no_host(name: &str) -> String {
    let hosts: Vec<_> = Constants::NAMED.iter().map(|(host, _)| *host).collect();
    format!("'{name}' is no host model of known constants: {}; nor is it NAME=NUMBER", hosts.join(", "))
}

fn no_constant(name: &str) -> String {
    let names: Vec<_> = Constants::WRF.each().iter().map(|(short, _, _)| *short).collect();
    format!("'{name}' is no constant: {}", names.join(", "))
}

#[cfg(feature = "serde")]
mod read {
    use core::fmt;

    use serde::de::{Error, MapAccess, Visitor};
    use serde::{Deserialize, Deserializer};

    use super::{Constants, String, no_constant};

    struct ByName;

    impl<'de> Visitor<'de> for ByName {
        type Value = Constants;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the name of a host model, or constants by name")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Constants, E> {
            text.parse().map_err(E::custom)
        }

        /// What is not there is WRF's.
        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Constants, M::Error> {
            let mut constants = Constants::WRF;
            while let Some(name) = map.next_key::<String>()? {
                let constant = constants.by_name(&name).ok_or_else(|| M::Error::custom(no_constant(&name)))?;
                *constant = map.next_value()?;
            }
            Ok(constants)
        }
    }

    impl<'de> Deserialize<'de> for Constants {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(ByName)
        }
    }
}
