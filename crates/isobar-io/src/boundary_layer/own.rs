//! The own layout, and what it has in common with WRF's.

use isobar_ysu::{AirColumns, Columns, Options, SurfaceColumns};

use super::derive::{self, Raw};
use super::layout::{Grid, Layout};
use super::quantity as q;
use super::quantity::Quantity;
use crate::error::{Error, Place};
use crate::netcdf::{Dataset, Dimension, Field, Orientation, VariableSpec};

pub(super) fn read(file: Dataset, options: &Options) -> Result<Raw, Error> {
    let mut reading = Reading::new(file);
    // In this order, so that a wrong size is blamed on the variable that is read later.
    reading.need(&q::PRESSURE)?;
    reading.need(&q::INTERFACE_PRESSURE)?;
    let by_theta = !reading.has(&q::T)? && reading.has(&q::THETA)?;
    reading.need(if by_theta { &q::THETA } else { &q::T })?;
    for quantity in [&q::U, &q::V, &q::VAPOUR] {
        reading.need(quantity)?;
    }
    for quantity in [&q::CLOUD_WATER, &q::CLOUD_ICE, &q::EXNER, &q::THICKNESS] {
        reading.maybe(quantity)?;
    }
    if !reading.found(&q::THICKNESS) {
        reading.maybe(&q::INTERFACE_HEIGHT)?;
    }
    if options.top_down {
        reading.need(&q::RADIATIVE_HEATING)?;
    }
    reading.maybe(&q::SURFACE_PRESSURE)?;
    reading.surface(options)?;

    let mut fields = reading.arrange("interface_pressure")?;
    let mut derived = Vec::new();
    let pressure = fields.take(&q::PRESSURE);
    let mut exner = fields.take(&q::EXNER);
    if exner.is_empty() {
        exner = derive::exner(&pressure);
        derived.push("exner = (pressure / 1e5 Pa)^(2/7)".to_owned());
    }
    let temperature = if by_theta {
        derived.push("temperature = theta exner".to_owned());
        fields.take(&q::THETA).iter().zip(&exner).map(|(theta, exner)| theta * exner).collect()
    } else {
        fields.take(&q::T)
    };
    let columns = Columns {
        air: AirColumns {
            u: fields.take(&q::U),
            v: fields.take(&q::V),
            temperature,
            vapour: fields.take(&q::VAPOUR),
            cloud_water: fields.take(&q::CLOUD_WATER),
            cloud_ice: fields.take(&q::CLOUD_ICE),
            pressure,
            exner,
            thickness: fields.take(&q::THICKNESS),
            radiative_heating: fields.take(&q::RADIATIVE_HEATING),
        },
        interface_pressure: fields.take(&q::INTERFACE_PRESSURE),
        surface: fields.surface(),
        tracers: Vec::new(),
    };
    let heights = fields.take(&q::INTERFACE_HEIGHT);
    Ok(fields.raw(columns, heights, derived, ["layer", "level"]))
}

/// A file whose variables are read one by one, and arranged when all sizes are known.
pub(super) struct Reading {
    pub(super) file: Dataset,
    layout: Layout,
    fields: Vec<(&'static str, Field)>,
}

impl Reading {
    pub(super) fn new(file: Dataset) -> Self {
        Self { layout: Layout::of(&file), file, fields: Vec::new() }
    }

    /// Reads what must be there.
    pub(super) fn need(&mut self, quantity: &Quantity) -> Result<(), Error> {
        self.need_as(&quantity.spec(self.layout))
    }

    /// Reads what may be there.
    pub(super) fn maybe(&mut self, quantity: &Quantity) -> Result<(), Error> {
        let field = self.file.read_optional(&quantity.spec(self.layout))?;
        self.fields.extend(field.map(|field| (quantity.name, field)));
        Ok(())
    }

    pub(super) fn need_as(&mut self, spec: &VariableSpec) -> Result<(), Error> {
        let field = self.file.read(spec)?;
        self.fields.push((spec.name, field));
        Ok(())
    }

    pub(super) fn has(&self, quantity: &Quantity) -> Result<bool, Error> {
        self.file.has(&quantity.spec(self.layout))
    }

    pub(super) fn converts(&self, quantity: &Quantity) -> Result<bool, Error> {
        self.file.converts(&quantity.spec(self.layout))
    }

    fn found(&self, quantity: &Quantity) -> bool {
        self.fields.iter().any(|(name, _)| *name == quantity.name)
    }

    /// The surface, which own files and WRF's have alike.
    pub(super) fn surface(&mut self, options: &Options) -> Result<(), Error> {
        self.need(&q::ROUGHNESS)?;
        // The message names the first.
        let by_mask = !self.has(&q::LAND_OR_WATER)? && self.has(&q::LAND_MASK)?;
        self.need(if by_mask { &q::LAND_MASK } else { &q::LAND_OR_WATER })?;
        self.need(&q::SENSIBLE_HEAT_FLUX)?;
        self.need(&q::MOISTURE_FLUX)?;
        for quantity in [
            &q::FRICTION_VELOCITY,
            &q::PROFILE_MOMENTUM,
            &q::PROFILE_HEAT,
            &q::RICHARDSON,
            &q::WIND_SPEED,
            &q::U_10M,
            &q::V_10M,
            &q::U_CURRENT,
            &q::V_CURRENT,
            &q::BOUNDARY_LAYER_HEIGHT,
        ] {
            self.maybe(quantity)?;
        }
        if options.topographic {
            self.need(&q::DRAG_FACTOR)?;
            self.need(&q::WIND_WEIGHT)?;
        }
        Ok(())
    }

    /// Everything surface first and of full size. Where the file does not say which end that is, this pressure does.
    pub(super) fn arrange(mut self, pressure: &str) -> Result<Fields, Error> {
        let layers = self.file.size(Dimension::Layer).unwrap_or(0);
        if layers < 4 {
            let problem = format!("dimension {} = {layers}: at least 4 are needed", Dimension::Layer);
            return Err(Error::invalid(Place::File(self.file.path().to_owned()), problem));
        }
        let orientation = match self.file.stated_orientation()? {
            Some(stated) => stated,
            None => self.fields.iter().find(|(name, _)| *name == pressure).map_or(Orientation::TopFirst, by_pressure),
        };
        for (_, field) in &mut self.fields {
            field.bottom_first(orientation);
        }
        Ok(Fields { reading: self, orientation, layers })
    }
}

/// Of most columns: where they have their highest pressure.
fn by_pressure((_, field): &(&'static str, Field)) -> Orientation {
    let row: usize = field.shape[1..].iter().product();
    let last = &field.values[field.values.len() - row..];
    let falls = field.values[..row].iter().zip(last).filter(|(first, last)| first > last).count();
    let rises = field.values[..row].iter().zip(last).filter(|(first, last)| first < last).count();
    if falls >= rises { Orientation::BottomFirst } else { Orientation::TopFirst }
}

/// What was read, surface first.
pub(super) struct Fields {
    reading: Reading,
    orientation: Orientation,
    pub(super) layers: usize,
}

impl Fields {
    pub(super) fn grid(&self) -> Grid {
        self.reading.layout.grid(&self.reading.file)
    }

    /// The values of a quantity, `[layer * columns + column]`; none where it was not there.
    pub(super) fn take(&mut self, quantity: &Quantity) -> Vec<f64> {
        self.take_field(quantity.name).map_or_else(Vec::new, |field| field.values)
    }

    pub(super) fn take_field(&mut self, name: &str) -> Option<Field> {
        let position = self.reading.fields.iter().position(|(known, _)| *known == name)?;
        let (_, field) = self.reading.fields.swap_remove(position);
        Some(self.reading.file.broadcast(field))
    }

    pub(super) fn surface(&mut self) -> SurfaceColumns<f64> {
        let mask = self.take(&q::LAND_MASK);
        let land_or_water = self.take(&q::LAND_OR_WATER);
        SurfaceColumns {
            pressure: self.take(&q::SURFACE_PRESSURE),
            roughness: self.take(&q::ROUGHNESS),
            friction_velocity: self.take(&q::FRICTION_VELOCITY),
            profile_momentum: self.take(&q::PROFILE_MOMENTUM),
            profile_heat: self.take(&q::PROFILE_HEAT),
            land_or_water: if mask.is_empty() { land_or_water } else { mask.iter().map(|land| 2.0 - land).collect() },
            sensible_heat_flux: self.take(&q::SENSIBLE_HEAT_FLUX),
            moisture_flux: self.take(&q::MOISTURE_FLUX),
            wind_speed: self.take(&q::WIND_SPEED),
            richardson: self.take(&q::RICHARDSON),
            u_10m: self.take(&q::U_10M),
            v_10m: self.take(&q::V_10M),
            u_current: self.take(&q::U_CURRENT),
            v_current: self.take(&q::V_CURRENT),
            drag_factor: self.take(&q::DRAG_FACTOR),
            wind_weight: self.take(&q::WIND_WEIGHT),
        }
    }

    pub(super) fn raw(
        mut self,
        columns: Columns<f64>,
        interface_height: Vec<f64>,
        derived: Vec<String>,
        vertical: [&'static str; 2],
    ) -> Raw {
        let boundary_layer_height = self.take(&q::BOUNDARY_LAYER_HEIGHT);
        let grid = self.grid();
        let file = self.reading.file;
        Raw {
            path: file.path().to_owned(),
            grid,
            layers: self.layers,
            orientation: self.orientation,
            vertical,
            refusals: file.refusals().to_vec(),
            columns,
            interface_height,
            boundary_layer_height,
            derived,
        }
    }
}
