//! Wavelength bins, and what is in them.

use std::fmt;

use crate::host::formulas::scattering_of_air;

/// Why tables cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// The lowest temperature of the tables \[K\], the step from node to node, and their number: what is between them is
/// linear.
pub(crate) const LOWEST_K: f64 = 180.0;
pub(crate) const STEP_K: f64 = 5.0;
pub(crate) const NODES: usize = 29;

/// Wavelength bins with the Sun's photons, absorbers, and reactions.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    edges_nm: Vec<f64>,
    pub(crate) sun: Vec<f64>,
    pub(crate) scattering: Vec<f64>,
    pub(crate) oxygen: Vec<f64>,
    pub(crate) ozone: Vec<f64>,
    pub(crate) product: Vec<f64>,
    pub(crate) quenching: Vec<f64>,
    names: Vec<String>,
}

impl Tables {
    /// Bins between rising edges \[nm\], with the photons that each has of the Sun at its mean distance
    /// \[cm^-2 s^-1\]. Air scatters by [`scattering_of_air`] at the middle of each bin; nothing absorbs, and there is
    /// no reaction yet.
    ///
    /// # Errors
    /// Edges that do not rise, are not from 100 to 2000 nm, or are not one more than numbers of photons; photons that
    /// are not finite numbers, or below 0.
    pub fn new(edges_nm: Vec<f64>, sun_per_cm2_s: Vec<f64>) -> Result<Self, Error> {
        let bins = sun_per_cm2_s.len();
        if bins == 0 || edges_nm.len() != bins + 1 {
            return Err(Error(format!("{} edges of bins and photons of {bins}", edges_nm.len())));
        }
        if let Some(i) = edges_nm.iter().position(|edge| !(100.0..=2000.0).contains(edge)) {
            return Err(Error(format!("edge {i} of the bins is {} nm, not from 100 to 2000 nm", edges_nm[i])));
        }
        if let Some(i) = edges_nm.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(Error(format!(
                "edge {} of the bins is {} nm, not above {} nm",
                i + 1,
                edges_nm[i + 1],
                edges_nm[i]
            )));
        }
        check("photons of the Sun", &sun_per_cm2_s)?;
        let mut tables = Self {
            edges_nm,
            sun: sun_per_cm2_s,
            scattering: vec![],
            oxygen: vec![0.0; bins],
            ozone: vec![0.0; bins * NODES],
            product: vec![],
            quenching: vec![],
            names: vec![],
        };
        tables.scattering = tables.middles_nm().into_iter().map(scattering_of_air).collect();
        Ok(tables)
    }

    /// Air does not scatter.
    #[must_use]
    pub fn without_scattering(mut self) -> Self {
        self.scattering.fill(0.0);
        self
    }

    /// Ozone absorbs with these cross-sections \[cm^2\], of a wavelength \[nm\] and a temperature \[K\].
    ///
    /// # Errors
    /// A cross-section that is not a finite number, or below 0.
    pub fn ozone(self, of: impl Fn(f64, f64) -> f64) -> Result<Self, Error> {
        let middles = self.middles_nm();
        self.ozone_by_bin(|bin, t| of(middles[bin], t))
    }

    /// As [`Tables::ozone`], of a bin.
    ///
    /// # Errors
    /// As [`Tables::ozone`].
    pub fn ozone_by_bin(mut self, of: impl Fn(usize, f64) -> f64) -> Result<Self, Error> {
        self.ozone = self.by_node(&of);
        check("cross-sections of ozone", &self.ozone).map(|()| self)
    }

    /// Oxygen absorbs with these cross-sections \[cm^2\], of a wavelength \[nm\].
    ///
    /// # Errors
    /// As [`Tables::ozone`].
    pub fn oxygen(self, of: impl Fn(f64) -> f64) -> Result<Self, Error> {
        let middles = self.middles_nm();
        self.oxygen_by_bin(|bin| of(middles[bin]))
    }

    /// As [`Tables::oxygen`], of a bin.
    ///
    /// # Errors
    /// As [`Tables::ozone`].
    pub fn oxygen_by_bin(mut self, of: impl Fn(usize) -> f64) -> Result<Self, Error> {
        self.oxygen = (0..self.sun.len()).map(of).collect();
        check("cross-sections of oxygen", &self.oxygen).map(|()| self)
    }

    /// Adds a reaction: of a wavelength \[nm\] and a temperature \[K\] the product of cross-section and quantum yield
    /// without air \[cm^2\], and what air quenches \[cm^3\], by 1 plus which times the density it is divided.
    ///
    /// # Errors
    /// A number that is not finite, or below 0; a name that is there.
    pub fn reaction(self, name: &str, of: impl Fn(f64, f64) -> (f64, f64)) -> Result<Self, Error> {
        let middles = self.middles_nm();
        self.reaction_by_bin(name, |bin, t| of(middles[bin], t))
    }

    /// As [`Tables::reaction`], of a bin.
    ///
    /// # Errors
    /// As [`Tables::reaction`].
    pub fn reaction_by_bin(mut self, name: &str, of: impl Fn(usize, f64) -> (f64, f64)) -> Result<Self, Error> {
        if self.names.iter().any(|known| known == name) {
            return Err(Error(format!("reaction {name} is there twice")));
        }
        let (product, quenching) = (self.by_node(&|l, t| of(l, t).0), self.by_node(&|l, t| of(l, t).1));
        check(&format!("products of {name}"), &product)?;
        check(&format!("numbers of quenching of {name}"), &quenching)?;
        self.product.extend(product);
        self.quenching.extend(quenching);
        self.names.push(name.to_owned());
        Ok(self)
    }

    /// Names of the reactions, in the order of their rates.
    #[must_use]
    pub fn reactions(&self) -> &[String] {
        &self.names
    }

    /// What a reaction has in each bin at a temperature \[K\]: products \[cm^2\], and what air quenches \[cm^3\].
    ///
    /// # Panics
    /// If there is no such reaction.
    #[must_use]
    pub fn laws(&self, reaction: usize, temperature_k: f64) -> (Vec<f64>, Vec<f64>) {
        let node = ((temperature_k - LOWEST_K) / STEP_K).clamp(0.0, (NODES - 1) as f64);
        let (below, bins) = ((node as usize).min(NODES - 2), self.sun.len());
        let part = node - below as f64;
        let of = |table: &[f64]| {
            let at = |node: usize| &table[(reaction * NODES + node) * bins..][..bins];
            at(below).iter().zip(at(below + 1)).map(|(a, b)| a + part * (b - a)).collect()
        };
        (of(&self.product), of(&self.quenching))
    }

    /// Photons of the Sun at its mean distance in each bin \[cm^-2 s^-1\].
    #[must_use]
    pub fn sun_per_cm2_s(&self) -> &[f64] {
        &self.sun
    }

    /// Edges of the bins \[nm\].
    #[must_use]
    pub fn edges_nm(&self) -> &[f64] {
        &self.edges_nm
    }

    /// Middles of the bins \[nm\].
    #[must_use]
    pub fn middles_nm(&self) -> Vec<f64> {
        self.edges_nm.windows(2).map(|edges| 0.5 * (edges[0] + edges[1])).collect()
    }

    /// The temperatures of the nodes \[K\], at which laws are asked.
    #[must_use]
    pub fn nodes_k() -> Vec<f64> {
        (0..NODES).map(|node| LOWEST_K + STEP_K * node as f64).collect()
    }

    /// A number for each node and bin.
    fn by_node(&self, of: &dyn Fn(usize, f64) -> f64) -> Vec<f64> {
        Self::nodes_k()
            .into_iter()
            .flat_map(|t| (0..self.sun.len()).map(move |bin| (bin, t)))
            .map(|(bin, t)| of(bin, t))
            .collect()
    }
}

fn check(what: &str, values: &[f64]) -> Result<(), Error> {
    match values.iter().find(|value| !(value.is_finite() && **value >= 0.0)) {
        Some(value) => Err(Error(format!("{what}: {value}, which is not a finite number from 0 on"))),
        None => Ok(()),
    }
}
