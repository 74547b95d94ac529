//! The state: what is retrieved, in JURASSIC's order.
//!
//! Pressure, temperature, each gas and each extinction window at the levels within their heights; height, depth and
//! extinctions of the cloud; height, pressure, temperature and emissivities of the surface.

use isobar_ega::jacobian::Elements;
use isobar_io::{Control, Label, ProfileControl, RetrievalControl};
use isobar_raytrace::Atmosphere;

use crate::{Error, limits};

/// What an element of the state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quantity {
    /// Pressure \[hPa\].
    Pressure,
    /// Temperature \[K\].
    Temperature,
    /// Mixing ratio of a gas.
    Gas(usize),
    /// Extinction of a window \[1/km\].
    Extinction(usize),
    /// Height of the cloud \[km\].
    CloudHeight,
    /// Depth of the cloud \[km\].
    CloudDepth,
    /// Extinction of the cloud at a wavenumber node \[1/km\].
    CloudExtinction(usize),
    /// Height of the surface \[km\].
    SurfaceHeight,
    /// Pressure at the surface \[hPa\].
    SurfacePressure,
    /// Temperature of the surface \[K\].
    SurfaceTemperature,
    /// Emissivity of the surface at a wavenumber node.
    SurfaceEmissivity(usize),
}

impl Quantity {
    /// JURASSIC's name.
    #[must_use]
    pub fn name(self, gases: &[String]) -> String {
        match self {
            Self::Pressure => "PRESSURE".into(),
            Self::Temperature => "TEMPERATURE".into(),
            Self::Gas(gas) => gases[gas].clone(),
            Self::Extinction(window) => format!("EXTINCT_WINDOW{window}"),
            Self::CloudHeight => "CLOUD_HEIGHT".into(),
            Self::CloudDepth => "CLOUD_DEPTH".into(),
            Self::CloudExtinction(node) => format!("CLOUD_EXTINCT{node}"),
            Self::SurfaceHeight => "SURFACE_HEIGHT".into(),
            Self::SurfacePressure => "SURFACE_PRESSURE".into(),
            Self::SurfaceTemperature => "SURFACE_TEMPERATURE".into(),
            Self::SurfaceEmissivity(node) => format!("SURFACE_EMISSIVITY{node}"),
        }
    }

    /// Its unit; 1 for mixing ratios, in volume, and emissivities.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Pressure | Self::SurfacePressure => "hPa",
            Self::Temperature | Self::SurfaceTemperature => "K",
            Self::Gas(_) | Self::SurfaceEmissivity(_) => "1",
            Self::Extinction(_) | Self::CloudExtinction(_) => "km-1",
            Self::CloudHeight | Self::CloudDepth | Self::SurfaceHeight => "km",
        }
    }

    /// The least and the largest value that the forward model gets.
    #[must_use]
    pub fn limits(self) -> (f64, f64) {
        match self {
            Self::Pressure => (5e-7, 5e4),
            Self::Temperature | Self::SurfaceTemperature => (100.0, 400.0),
            Self::Gas(_) | Self::SurfaceEmissivity(_) => (0.0, 1.0),
            Self::Extinction(_) | Self::CloudExtinction(_) => (0.0, f64::INFINITY),
            Self::CloudDepth => (0.1, f64::INFINITY),
            Self::CloudHeight | Self::SurfaceHeight | Self::SurfacePressure => (0.0, f64::INFINITY),
        }
    }

    /// The step of JURASSIC's one-sided differences, at a value.
    #[must_use]
    pub fn step(self, value: f64) -> f64 {
        match self {
            Self::Pressure => (limits::RELATIVE_STEP * value.abs()).max(limits::LEAST_PRESSURE_STEP_HPA),
            Self::Gas(_) => (limits::RELATIVE_STEP * value.abs()).max(limits::LEAST_MIXING_RATIO_STEP),
            Self::Temperature | Self::SurfaceTemperature => limits::TEMPERATURE_STEP_K,
            Self::CloudHeight | Self::CloudDepth => limits::CLOUD_STEP_KM,
            Self::Extinction(_) | Self::CloudExtinction(_) => limits::EXTINCTION_STEP_PER_KM,
            Self::SurfaceHeight => limits::SURFACE_HEIGHT_STEP_KM,
            Self::SurfacePressure => limits::SURFACE_PRESSURE_STEP_HPA,
            Self::SurfaceEmissivity(_) => limits::EMISSIVITY_STEP,
        }
    }
}

/// One element.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Element {
    /// What it is.
    pub quantity: Quantity,
    /// The level of a profile; 0 for cloud and surface.
    pub level: usize,
    /// Its number among all [`Elements`] of the atmosphere.
    pub number: usize,
    /// Its name and place.
    pub label: Label,
}

/// The elements that are retrieved.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StateVector {
    /// In order.
    pub elements: Vec<Element>,
    /// All elements of the atmosphere.
    pub all: Elements,
}

impl StateVector {
    /// What a control file asks to retrieve of an atmosphere. Of pressures that are made hydrostatic, the one that
    /// stays (`HYDZ`) alone is an element.
    ///
    /// # Errors
    /// There is none, or none of a quantity for which heights are given; `HYDZ` outside the levels.
    pub fn new(control: &Control, retrieval: &RetrievalControl, atmosphere: &Atmosphere) -> Result<Self, Error> {
        let all = Elements::of(atmosphere);
        let mut elements = Vec::new();
        let mut add = |quantity: Quantity, level: usize, number: usize| {
            let label = Label {
                name: quantity.name(&control.emitters),
                time_s: atmosphere.time_s[level],
                height_km: atmosphere.height_km[level],
                longitude_deg: atmosphere.longitude_deg[level],
                latitude_deg: atmosphere.latitude_deg[level],
            };
            elements.push(Element { quantity, level, number, label });
        };
        let mut nowhere = None;
        // Where pressure is hydrostatic, those of other levels have no effect.
        let references =
            control.hydrostatic_reference_km.map(|height| atmosphere.reference_levels(height)).transpose()?;
        let mut profile = |quantity: Quantity, of: &ProfileControl, number: &dyn Fn(usize) -> usize| {
            let Some([low, high]) = of.range_km else { return };
            let counts = |level: &usize| {
                quantity != Quantity::Pressure || references.as_ref().is_none_or(|levels| levels.contains(level))
            };
            let within = |level: &usize| (low..=high).contains(&atmosphere.height_km[*level]) && counts(level);
            let levels: Vec<usize> = (0..atmosphere.height_km.len()).filter(within).collect();
            if levels.is_empty() {
                let quantity = quantity.name(&control.emitters);
                let reference_km = control.hydrostatic_reference_km.filter(|_| quantity == "PRESSURE");
                nowhere.get_or_insert(Error::NoLevel { quantity, low_km: low, high_km: high, reference_km });
            }
            levels.into_iter().for_each(|level| add(quantity, level, number(level)));
        };
        profile(Quantity::Pressure, &retrieval.pressure, &|level| all.pressure(level));
        profile(Quantity::Temperature, &retrieval.temperature, &|level| all.temperature(level));
        for (gas, of) in retrieval.gases.iter().enumerate() {
            profile(Quantity::Gas(gas), of, &|level| all.mixing_ratio(gas, level));
        }
        for (window, of) in retrieval.windows.iter().enumerate() {
            profile(Quantity::Extinction(window), of, &|level| all.extinction(window, level));
        }
        if let Some(error) = nowhere {
            return Err(error);
        }
        let r = retrieval;
        for (one, quantity, number) in [
            (&r.cloud_height, Quantity::CloudHeight, all.cloud_height()),
            (&r.cloud_depth, Quantity::CloudDepth, all.cloud_depth()),
        ] {
            if one.retrieved {
                add(quantity, 0, number);
            }
        }
        if r.cloud_extinction.retrieved {
            (0..all.cloud_nodes).for_each(|node| add(Quantity::CloudExtinction(node), 0, all.cloud_extinction(node)));
        }
        for (one, quantity, number) in [
            (&r.surface_height, Quantity::SurfaceHeight, all.surface_height()),
            (&r.surface_pressure, Quantity::SurfacePressure, all.surface_pressure()),
            (&r.surface_temperature, Quantity::SurfaceTemperature, all.surface_temperature()),
        ] {
            if one.retrieved {
                add(quantity, 0, number);
            }
        }
        if r.surface_emissivity.retrieved {
            let nodes = 0..all.surface_nodes;
            nodes.for_each(|node| add(Quantity::SurfaceEmissivity(node), 0, all.surface_emissivity(node)));
        }
        if elements.is_empty() { Err(Error::NoState) } else { Ok(Self { elements, all }) }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Their values in an atmosphere.
    #[must_use]
    pub fn values(&self, atmosphere: &Atmosphere) -> Vec<f64> {
        let mut atmosphere = atmosphere.clone();
        self.elements.iter().map(|element| *self.all.value(&mut atmosphere, element.number)).collect()
    }

    /// The atmosphere with other values of them, forced into [`Quantity::limits`].
    #[must_use]
    pub fn put(&self, atmosphere: &Atmosphere, values: &[f64]) -> Atmosphere {
        let mut atmosphere = atmosphere.clone();
        for (element, value) in self.elements.iter().zip(values) {
            let (low, high) = element.quantity.limits();
            *self.all.value(&mut atmosphere, element.number) = value.clamp(low, high);
        }
        atmosphere
    }

    /// An atmosphere of these values, and 0 elsewhere: for errors and the like.
    #[must_use]
    pub fn alone(&self, atmosphere: &Atmosphere, values: &[f64]) -> Atmosphere {
        let mut alone = atmosphere.clone();
        for number in 0..self.all.count() {
            *self.all.value(&mut alone, number) = 0.0;
        }
        for (element, value) in self.elements.iter().zip(values) {
            *self.all.value(&mut alone, element.number) = *value;
        }
        alone
    }

    /// Those of its elements that are at an end of [`Quantity::limits`] in an atmosphere.
    #[must_use]
    pub fn at_limits(&self, atmosphere: &Atmosphere) -> Vec<&Element> {
        let is_at_an_end = |(element, value): &(&Element, f64)| {
            let (low, high) = element.quantity.limits();
            *value == low || *value == high
        };
        self.elements.iter().zip(self.values(atmosphere)).filter(is_at_an_end).map(|(element, _)| element).collect()
    }

    /// Refuses values outside [`Quantity::limits`].
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self, atmosphere: &Atmosphere) -> Result<(), Error> {
        for (element, value) in self.elements.iter().zip(self.values(atmosphere)) {
            let (low, high) = element.quantity.limits();
            if !(low..=high).contains(&value) {
                let (quantity, level, height_km) = (element.label.name.clone(), element.level, element.label.height_km);
                return Err(Error::APriori { quantity, level, height_km, value, low, high });
            }
        }
        Ok(())
    }

    /// What their rows or columns of a matrix stand for.
    #[must_use]
    pub fn labels(&self) -> Vec<Label> {
        self.elements.iter().map(|element| element.label.clone()).collect()
    }
}
