//! The numbers by which radiances are differentiated, and their order.

#[cfg(feature = "std")]
use isobar_raytrace::Atmosphere;

/// How many elements of each kind the state of an atmosphere has: every number of it that a radiance depends on.
///
/// The order is pressure, temperature, each gas and each extinction window, at all levels in the order of the
/// atmosphere; height, depth and extinctions of the cloud; height, pressure, temperature and emissivities of the
/// surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Elements {
    /// Levels, along a track those of all profiles.
    pub levels: usize,
    /// Gases.
    pub gases: usize,
    /// Extinction windows.
    pub windows: usize,
    /// Wavenumber nodes of the cloud's extinction; 0: no cloud.
    pub cloud_nodes: usize,
    /// Wavenumber nodes of the surface's emissivity; 0: no surface layer.
    pub surface_nodes: usize,
}

impl Elements {
    /// Those of an atmosphere.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn of(atmosphere: &Atmosphere) -> Self {
        Self {
            levels: atmosphere.levels(),
            gases: atmosphere.mixing_ratio.len(),
            windows: atmosphere.extinction_per_km.len(),
            cloud_nodes: atmosphere.cloud.as_ref().map_or(0, |cloud| cloud.extinction_per_km.len()),
            surface_nodes: atmosphere.surface.as_ref().map_or(0, |surface| surface.emissivity.len()),
        }
    }

    /// Pressure \[hPa\] at a level.
    #[inline(always)]
    #[must_use]
    pub fn pressure(&self, level: usize) -> usize {
        level
    }

    /// Temperature \[K\] at a level.
    #[inline(always)]
    #[must_use]
    pub fn temperature(&self, level: usize) -> usize {
        self.levels + level
    }

    /// Mixing ratio of a gas at a level.
    #[inline(always)]
    #[must_use]
    pub fn mixing_ratio(&self, gas: usize, level: usize) -> usize {
        (2 + gas) * self.levels + level
    }

    /// Extinction \[1/km\] of a window at a level.
    #[inline(always)]
    #[must_use]
    pub fn extinction(&self, window: usize, level: usize) -> usize {
        (2 + self.gases + window) * self.levels + level
    }

    /// Height of the cloud \[km\].
    #[inline(always)]
    #[must_use]
    pub fn cloud_height(&self) -> usize {
        (2 + self.gases + self.windows) * self.levels
    }

    /// Depth of the cloud \[km\].
    #[inline(always)]
    #[must_use]
    pub fn cloud_depth(&self) -> usize {
        self.cloud_height() + 1
    }

    /// Extinction of the cloud at a wavenumber node \[1/km\].
    #[inline(always)]
    #[must_use]
    pub fn cloud_extinction(&self, node: usize) -> usize {
        self.cloud_height() + 2 + node
    }

    /// Height of the surface \[km\].
    #[inline(always)]
    #[must_use]
    pub fn surface_height(&self) -> usize {
        self.cloud_height() + if self.cloud_nodes > 0 { 2 + self.cloud_nodes } else { 0 }
    }

    /// Pressure at the surface \[hPa\].
    #[inline(always)]
    #[must_use]
    pub fn surface_pressure(&self) -> usize {
        self.surface_height() + 1
    }

    /// Temperature of the surface \[K\].
    #[inline(always)]
    #[must_use]
    pub fn surface_temperature(&self) -> usize {
        self.surface_height() + 2
    }

    /// Emissivity of the surface at a wavenumber node.
    #[inline(always)]
    #[must_use]
    pub fn surface_emissivity(&self, node: usize) -> usize {
        self.surface_height() + 3 + node
    }

    /// The number of an atmosphere that an element is.
    ///
    /// # Panics
    /// If the atmosphere has not these elements.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn value<'a>(&self, atmosphere: &'a mut Atmosphere, element: usize) -> &'a mut f64 {
        let profiles = self.cloud_height();
        if element < profiles {
            let (profile, level) = (element / self.levels, element % self.levels);
            return match profile {
                0 => &mut atmosphere.pressure_hpa[level],
                1 => &mut atmosphere.temperature_k[level],
                _ if profile < 2 + self.gases => &mut atmosphere.mixing_ratio[profile - 2][level],
                _ => &mut atmosphere.extinction_per_km[profile - 2 - self.gases][level],
            };
        }
        if element < self.surface_height() {
            let cloud = atmosphere.cloud.as_mut().expect("an atmosphere with a cloud");
            return match element - profiles {
                0 => &mut cloud.height_km,
                1 => &mut cloud.depth_km,
                node => &mut cloud.extinction_per_km[node - 2],
            };
        }
        let surface = atmosphere.surface.as_mut().expect("an atmosphere with a surface");
        match element - self.surface_height() {
            0 => &mut surface.height_km,
            1 => &mut surface.pressure_hpa,
            2 => &mut surface.temperature_k,
            node => &mut surface.emissivity[node - 3],
        }
    }

    /// All of them.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.surface_height() + if self.surface_nodes > 0 { 3 + self.surface_nodes } else { 0 }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn elements_follow_each_other_without_gaps() {
        for (cloud_nodes, surface_nodes) in [(0, 0), (2, 0), (0, 3), (2, 3)] {
            let e = Elements { levels: 3, gases: 2, windows: 1, cloud_nodes, surface_nodes };
            let mut all: Vec<usize> =
                (0..3).flat_map(|i| [e.pressure(i), e.temperature(i), e.extinction(0, i)]).collect();
            all.extend((0..6).map(|i| e.mixing_ratio(i / 3, i % 3)));
            if cloud_nodes > 0 {
                all.extend([e.cloud_height(), e.cloud_depth()]);
                all.extend((0..cloud_nodes).map(|node| e.cloud_extinction(node)));
            }
            if surface_nodes > 0 {
                all.extend([e.surface_height(), e.surface_pressure(), e.surface_temperature()]);
                all.extend((0..surface_nodes).map(|node| e.surface_emissivity(node)));
            }
            all.sort_unstable();
            assert_eq!(all, (0..e.count()).collect::<Vec<_>>());
        }
    }
}
