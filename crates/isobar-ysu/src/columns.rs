//! Columns in the host's memory.

use isobar_core::Real;

macro_rules! values {
    ($(#[$doc:meta])* struct $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name<R> {
            $($(#[$field_doc])* pub $field: Vec<R>),*
        }

        impl<R: Real> $name<R> {
            fn rounded<T: Real>(&self) -> $name<T> {
                $name { $($field: self.$field.iter().map(|x| T::from_f64(x.value())).collect()),* }
            }

            fn rows_of(&self, columns: usize, range: std::ops::Range<usize>) -> Self {
                $name { $($field: part(&self.$field, columns, range.clone())),* }
            }
        }
    };
}

values! {
    /// The air, `[layer * columns + column]`, the lowest layer first.
    struct AirColumns {
        /// Eastward wind \[m/s\], up to 1000 either way.
        u,
        /// Northward wind \[m/s\], likewise.
        v,
        /// Temperature \[K\], 100 to 400.
        temperature,
        /// Mixing ratio of water vapour \[kg/kg\], -0.001 to 1: advection leaves small negative ones.
        vapour,
        /// Mixing ratio of cloud water \[kg/kg\], likewise.
        cloud_water,
        /// Mixing ratio of cloud ice \[kg/kg\], likewise.
        cloud_ice,
        /// Pressure in the middle of the layer \[Pa\], 1e-6 to 1e7, falling with height.
        pressure,
        /// Exner function there, 1e-4 to 2.
        exner,
        /// Thickness of the layer \[m\], 0.001 to 1e5.
        thickness,
        /// Radiative tendency of potential temperature \[K/s\]; read only, and needed, with top-down mixing.
        radiative_heating,
    }
}

values! {
    /// The surface of each column.
    struct SurfaceColumns {
        /// Pressure \[Pa\], 1e-6 to 1e7.
        pressure,
        /// Roughness length \[m\], zero or more.
        roughness,
        /// Friction velocity \[m/s\], above 0 and up to 100.
        friction_velocity,
        /// `ln(z/z0)` less the stability correction of momentum.
        profile_momentum,
        /// The same of heat, positive.
        profile_heat,
        /// 1 for land, 2 for water.
        land_or_water,
        /// Upward flux of sensible heat \[W/m^2\].
        sensible_heat_flux,
        /// Upward flux of moisture \[kg/(m^2 s)\].
        moisture_flux,
        /// Wind of the lowest layer with its convective enhancement \[m/s\], positive.
        wind_speed,
        /// Bulk Richardson number of the surface layer.
        richardson,
        /// Eastward wind at 10 m \[m/s\].
        u_10m,
        /// Northward wind at 10 m \[m/s\].
        v_10m,
        /// Eastward surface current \[m/s\].
        u_current,
        /// Northward surface current \[m/s\].
        v_current,
        /// Factor of the drag over unresolved orography, zero or more; read only, and needed, with the topographic
        /// option.
        drag_factor,
        /// Weight of the 10 m wind against that of the lowest layer; likewise.
        wind_weight,
    }
}

/// Columns of air over their surface, the column the fastest index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns<R> {
    /// The air.
    pub air: AirColumns<R>,
    /// Pressure of interfaces \[Pa\], `[interface * columns + column]` from the surface up, falling with height; one
    /// more than layers.
    pub interface_pressure: Vec<R>,
    /// The surface.
    pub surface: SurfaceColumns<R>,
    /// Mixing ratios of further tracers, `[(layer * tracers + tracer) * columns + column]`; empty where there are none.
    pub tracers: Vec<R>,
}

impl<R: Real> Columns<R> {
    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.surface.pressure.len()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.air.temperature.len() / self.columns().max(1)
    }

    /// The number of tracers.
    #[must_use]
    pub fn tracers(&self) -> usize {
        self.tracers.len() / (self.columns() * self.layers()).max(1)
    }

    /// The same columns in another precision.
    #[must_use]
    pub fn rounded<T: Real>(&self) -> Columns<T> {
        Columns {
            air: self.air.rounded(),
            interface_pressure: self.interface_pressure.iter().map(|x| T::from_f64(x.value())).collect(),
            surface: self.surface.rounded(),
            tracers: self.tracers.iter().map(|x| T::from_f64(x.value())).collect(),
        }
    }

    /// Some neighbouring columns.
    ///
    /// # Panics
    /// If the range ends beyond the columns.
    #[must_use]
    pub fn range(&self, range: std::ops::Range<usize>) -> Self {
        let columns = self.columns();
        Self {
            air: self.air.rows_of(columns, range.clone()),
            interface_pressure: part(&self.interface_pressure, columns, range.clone()),
            surface: self.surface.rows_of(columns, range.clone()),
            tracers: part(&self.tracers, columns, range),
        }
    }
}

/// The columns of a range, for every row of `values`.
fn part<R: Real>(values: &[R], columns: usize, range: std::ops::Range<usize>) -> Vec<R> {
    values.chunks(columns.max(1)).flat_map(|row| &row[range.clone()]).copied().collect()
}
