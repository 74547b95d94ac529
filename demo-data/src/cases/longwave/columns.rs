//! Columns for long-wave radiation.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{NetcdfOutput, OutputVariable};

use super::super::folder::Folder;
use super::super::short;

pub(crate) const LAYERS: usize = 40;
/// The lowest layer \[km\], and by what each is thicker than the one below: up to 63 km.
const LOWEST_KM: f64 = 0.25;
const GROWTH: f64 = 1.085;
const SURFACE_PA: f64 = 101_325.0;
/// g over the gas constant of dry air \[K/km\].
const WEIGHT: f64 = 34.163;

/// A cloud between two heights \[km\]: its part of the sky, water path \[g/m^2\] and size of particles \[um\].
#[derive(Clone, Copy)]
pub(crate) struct Cloud {
    between: [f64; 2],
    fraction: f64,
    path: f64,
    size: f64,
}

/// One of the clouds of a scene.
type Which = fn(&Scene) -> Option<Cloud>;

pub(crate) struct Scene {
    pub(crate) surface_k: f64,
    pub(crate) emissivity: f64,
    /// Temperature of the air at the ground \[K\], its fall \[K/km\] up to the tropopause \[km\].
    pub(crate) ground_k: f64,
    pub(crate) lapse: f64,
    pub(crate) tropopause_km: f64,
    /// Water vapour at the ground \[mol/mol\] and the height in which it falls to 1/e \[km\].
    pub(crate) water: (f64, f64),
    pub(crate) droplets: Option<Cloud>,
    pub(crate) ice: Option<Cloud>,
}

const SCENES: [Scene; 4] = [
    // Tropical, clear.
    Scene {
        surface_k: 300.0,
        emissivity: 0.98,
        ground_k: 299.5,
        lapse: 6.3,
        tropopause_km: 16.5,
        water: (0.026, 2.3),
        droplets: None,
        ice: None,
    },
    // Subtropical, low clouds over sea.
    Scene {
        surface_k: 294.0,
        emissivity: 0.985,
        ground_k: 293.5,
        lapse: 6.2,
        tropopause_km: 14.0,
        water: (0.016, 2.0),
        droplets: Some(Cloud { between: [0.6, 1.4], fraction: 0.8, path: 40.0, size: 10.0 }),
        ice: None,
    },
    // Middle latitudes, low clouds and cirrus.
    Scene {
        surface_k: 285.0,
        emissivity: 0.97,
        ground_k: 284.0,
        lapse: 6.0,
        tropopause_km: 11.5,
        water: (0.009, 2.1),
        droplets: Some(Cloud { between: [1.2, 3.0], fraction: 0.5, path: 60.0, size: 8.0 }),
        ice: Some(Cloud { between: [8.0, 10.5], fraction: 0.6, path: 8.0, size: 60.0 }),
    },
    // Polar night, with an inversion.
    Scene {
        surface_k: 248.0,
        emissivity: 0.99,
        ground_k: 250.0,
        lapse: 3.8,
        tropopause_km: 8.5,
        water: (8e-4, 2.5),
        droplets: None,
        ice: Some(Cloud { between: [3.0, 5.0], fraction: 0.3, path: 15.0, size: 45.0 }),
    },
];

impl Scene {
    pub(crate) fn temperature(&self, z: f64) -> f64 {
        let tropopause = self.ground_k - self.lapse * self.tropopause_km;
        // Warmer from 20 to 48 km, colder above.
        let stratosphere = (265.0 - tropopause) / 28.0 * (z - 20.0).clamp(0.0, 28.0) - 2.0 * (z - 50.0).max(0.0);
        self.ground_k - self.lapse * z.min(self.tropopause_km) + stratosphere
    }

    /// Pressures of layers and of levels: hydrostatic.
    pub(crate) fn pressures(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut ln, mut layers, mut levels) = (Real::ln(SURFACE_PA), Vec::new(), vec![SURFACE_PA]);
        for layer in 0..LAYERS {
            let thickness = level_km(layer + 1) - level_km(layer);
            let step = WEIGHT * thickness / self.temperature(middle_km(layer));
            layers.push(short(Real::exp(ln - 0.5 * step)));
            ln -= step;
            levels.push(short(Real::exp(ln)));
        }
        (layers, levels)
    }

    pub(crate) fn water(&self, z: f64) -> f64 {
        (self.water.0 * Real::exp(-z / self.water.1)).max(4e-6)
    }

    pub(crate) fn ozone(z: f64) -> f64 {
        3e-8 + 8e-6 * Real::exp(-0.5 * ((z - 33.0) / 8.0) * ((z - 33.0) / 8.0))
    }
}

impl Cloud {
    /// What a layer has of the whole.
    fn share(&self, layer: usize) -> f64 {
        let inside = |k: usize| (self.between[0]..self.between[1]).contains(&middle_km(k));
        let count = (0..LAYERS).filter(|&k| inside(k)).count();
        if inside(layer) { 1.0 / count as f64 } else { 0.0 }
    }
}

pub(crate) fn level_km(level: usize) -> f64 {
    LOWEST_KM * (Real::powi(GROWTH, level as i32) - 1.0) / (GROWTH - 1.0)
}

pub(crate) fn middle_km(layer: usize) -> f64 {
    0.5 * (level_km(layer) + level_km(layer + 1))
}

/// The input file.
pub(crate) fn columns() -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    write(&folder.path("columns.nc")).map_err(|error| error.to_string())?;
    folder.read("columns.nc")
}

fn write(path: &Path) -> Result<(), isobar_io::Error> {
    let mut file = NetcdfOutput::create(path)?;
    file.attribute("Conventions", "CF-1.11")?;
    let title = "Analytic columns: tropical and clear, subtropical with low clouds, middle latitudes with two decks, \
                 polar night";
    file.attribute("title", title)?;
    file.attribute("comment", "Made by cargo xtask demo-data; for demonstration only")?;
    for (name, size) in [("column", SCENES.len()), ("layer", LAYERS), ("level", LAYERS + 1)] {
        file.dimension(name, size)?;
    }
    let pressures: Vec<_> = SCENES.iter().map(Scene::pressures).collect();
    let table = |rows: usize, value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..rows).flat_map(|k| (0..SCENES.len()).map(move |i| (k, i))).map(|(k, i)| short(value(k, i))).collect()
    };
    let by_layer = |value: &dyn Fn(&Scene, f64) -> f64| table(LAYERS, &|k, i| value(&SCENES[i], middle_km(k)));
    let (layer, level, column): (&[&str], &[&str], &[&str]) = (&["layer", "column"], &["level", "column"], &["column"]);
    let mut put = |name, dimensions, units, long_name, standard_name, values: Vec<f64>| {
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name, reference_name: None };
        file.variable(&variable, &values)
    };
    let air_pressure = Some("air_pressure");
    put("pressure", layer, "Pa", "pressure of the layer", air_pressure, table(LAYERS, &|k, i| pressures[i].0[k]))?;
    let levels = table(LAYERS + 1, &|k, i| pressures[i].1[k]);
    put("level_pressure", level, "Pa", "pressure of the level", air_pressure, levels)?;
    let air = Some("air_temperature");
    put("temperature", layer, "K", "temperature of the layer", air, by_layer(&Scene::temperature))?;
    let levels = table(LAYERS + 1, &|k, i| SCENES[i].temperature(level_km(k)));
    put("level_temperature", level, "K", "temperature of the level", air, levels)?;
    put("h2o", layer, "mol mol-1", "water vapour relative to dry air", None, by_layer(&Scene::water))?;
    put("o3", layer, "mol mol-1", "ozone", None, by_layer(&|_, z| Scene::ozone(z)))?;
    for (name, units, long_name, value) in [
        ("co2", "1e-6", "carbon dioxide", 420.0),
        ("ch4", "1e-9", "methane", 1900.0),
        ("n2o", "1e-9", "nitrous oxide", 335.0),
        ("o2", "1", "oxygen", 0.209),
    ] {
        put(name, &[], units, long_name, None, vec![value])?;
    }
    let surface = SCENES.iter().map(|scene| scene.surface_k).collect();
    put("surface_temperature", column, "K", "temperature of the surface", Some("surface_temperature"), surface)?;
    let emissivity = SCENES.iter().map(|scene| scene.emissivity).collect();
    let name = Some("surface_longwave_emissivity");
    put("emissivity", column, "1", "emissivity of the surface in all bands", name, emissivity)?;
    let of = |which: Which, value: &dyn Fn(Cloud, f64) -> f64| {
        table(LAYERS, &|k, i| which(&SCENES[i]).map_or(0.0, |cloud| value(cloud, cloud.share(k))))
    };
    let (droplets, ice): (Which, Which) = (|scene| scene.droplets, |scene| scene.ice);
    let part = |cloud: Cloud, share: f64| if share > 0.0 { cloud.fraction } else { 0.0 };
    let fraction = of(droplets, &part).iter().zip(of(ice, &part)).map(|(a, b)| a.max(b)).collect();
    let name = Some("cloud_area_fraction_in_atmosphere_layer");
    put("cloud_fraction", layer, "1", "cloudy part of the layer", name, fraction)?;
    let water = of(droplets, &|cloud, share| cloud.path * share);
    put("liquid_water_path", layer, "g m-2", "liquid water path of the cloudy part", None, water)?;
    let water = of(ice, &|cloud, share| cloud.path * share);
    put("ice_water_path", layer, "g m-2", "ice water path of the cloudy part", None, water)?;
    let size = of(droplets, &|cloud, _| cloud.size);
    put("liquid_radius", layer, "um", "effective radius of droplets", None, size)?;
    put("ice_size", layer, "um", "generalised effective size of ice", None, of(ice, &|cloud, _| cloud.size))?;
    file.commit()
}
