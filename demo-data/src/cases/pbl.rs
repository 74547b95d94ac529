//! Columns for the boundary-layer scheme, and the command's tendencies of them.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, OutputVariable};

use super::folder::Folder;
use super::short;

const LAYERS: usize = 40;
/// The lowest layer \[m\], and by what each is thicker than the one below.
const LOWEST_M: f64 = 40.0;
const GROWTH: f64 = 1.05;
const SURFACE_PA: f64 = 101_000.0;

const GRAVITY: f64 = 9.81;
const HEAT_CAPACITY: f64 = 1004.5;
const GAS_CONSTANT: f64 = 287.0;
const LATENT_HEAT: f64 = 2.5e6;

/// A day, a night, a storm, a sea.
struct Scene {
    /// Potential temperature below the inversion \[K\], its excess at the ground \[K\] with its depth \[m\].
    theta: f64,
    ground: (f64, f64),
    /// Height \[m\] and strength \[K\] of the inversion, lapse above \[K/m\].
    inversion: (f64, f64),
    lapse: f64,
    /// Wind aloft \[m/s\], and the depth in which it falls off to the ground \[m\].
    wind: (f64, f64),
    /// Vapour below the inversion and far above \[kg/kg\].
    vapour: (f64, f64),
    /// Base of a cloud below the inversion \[m\].
    cloud_base: Option<f64>,
    /// Upward fluxes of heat \[W/m^2\] and moisture \[kg/(m^2 s)\].
    fluxes: (f64, f64),
    /// Roughness length \[m\], 1 for land or 2 for water.
    surface: (f64, f64),
    /// Factors of the drag over unresolved orography.
    orography: (f64, f64),
}

const SCENES: [Scene; 4] = [
    Scene {
        theta: 300.0,
        ground: (0.8, 40.0),
        inversion: (800.0, 3.0),
        lapse: 0.005,
        wind: (5.0, 60.0),
        vapour: (0.009, 0.002),
        cloud_base: None,
        fluxes: (250.0, 1e-4),
        surface: (0.1, 1.0),
        orography: (1.0, 1.0),
    },
    Scene {
        theta: 292.0,
        ground: (-6.0, 80.0),
        inversion: (1200.0, 1.0),
        lapse: 0.004,
        wind: (8.0, 120.0),
        vapour: (0.006, 0.002),
        cloud_base: None,
        fluxes: (-20.0, 0.0),
        surface: (0.1, 1.0),
        orography: (1.6, 0.8),
    },
    Scene {
        theta: 285.0,
        ground: (0.0, 50.0),
        inversion: (1100.0, 2.0),
        lapse: 0.006,
        wind: (18.0, 150.0),
        vapour: (0.006, 0.001),
        cloud_base: None,
        fluxes: (5.0, 1e-5),
        surface: (0.03, 1.0),
        orography: (2.5, 0.7),
    },
    Scene {
        theta: 289.0,
        ground: (0.2, 40.0),
        inversion: (700.0, 8.0),
        lapse: 0.005,
        wind: (7.0, 30.0),
        vapour: (0.009, 0.0015),
        cloud_base: Some(450.0),
        fluxes: (10.0, 4e-5),
        surface: (2e-4, 2.0),
        orography: (1.0, 1.0),
    },
];

/// The input file.
pub(super) fn columns() -> Result<Vec<u8>, String> {
    let folder = Folder::new()?;
    write_columns(&folder.path("columns.nc")).map_err(|error| error.to_string())?;
    folder.read("columns.nc")
}

/// What the command says to it. The command line, which the file records, is that of the README.
pub(super) fn tendencies(data: &Path) -> Result<Vec<u8>, String> {
    let folder = Folder::with(&data.join("pbl/columns.nc"))?;
    folder.isobar(&["pbl", "columns.nc", "-o", "tendencies.nc", "--dt", "60", "--steps", "60", "--device", "cpu"])?;
    folder.read("tendencies.nc")
}

impl Scene {
    /// 0 below the inversion, 1 above.
    fn above(&self, z: f64) -> f64 {
        0.5 + 0.5 * Real::tanh((z - self.inversion.0) / 60.0)
    }

    fn cloud_water(&self, z: f64) -> f64 {
        self.cloud_base.map_or(0.0, |base| 1.6e-6 * (z - base).max(0.0) * f64::from(z < self.inversion.0))
    }

    fn vapour(&self, z: f64) -> f64 {
        let (low, high) = self.vapour;
        low + (high - low) * self.above(z) - self.cloud_water(z)
    }

    fn theta(&self, z: f64) -> f64 {
        let ground = self.ground.0 * Real::exp(-z / self.ground.1);
        let above = self.inversion.1 * self.above(z) + self.lapse * (z - self.inversion.0).max(0.0);
        self.theta + ground + above + LATENT_HEAT / HEAT_CAPACITY * self.cloud_water(z)
    }

    fn wind(&self, z: f64) -> f64 {
        self.wind.0 * (1.0 - 0.7 * Real::exp(-z / self.wind.1))
    }

    /// Pressures of layers and of interfaces: hydrostatic.
    fn pressures(&self) -> (Vec<f64>, Vec<f64>) {
        let power = HEAT_CAPACITY / GAS_CONSTANT;
        let pressure = |exner: f64| short(1e5 * Real::powf(exner, power));
        let mut exner = Real::powf(SURFACE_PA / 1e5, 1.0 / power);
        let (mut layers, mut interfaces) = (Vec::new(), vec![SURFACE_PA]);
        for layer in 0..LAYERS {
            let z = middle_m(layer);
            let half =
                0.5 * thickness_m(layer) * GRAVITY / (HEAT_CAPACITY * self.theta(z) * (1.0 + 0.608 * self.vapour(z)));
            layers.push(pressure(exner - half));
            exner -= 2.0 * half;
            interfaces.push(pressure(exner));
        }
        (layers, interfaces)
    }

    /// Long-wave cooling of the upper 50 m of a cloud, a weak one elsewhere \[K/s\].
    fn heating(&self, z: f64) -> f64 {
        let at_top = self.cloud_base.is_some() && (self.inversion.0 - 80.0..self.inversion.0).contains(&z);
        if at_top { -8e-4 } else { -2e-5 }
    }
}

fn thickness_m(layer: usize) -> f64 {
    short(LOWEST_M * Real::powi(GROWTH, layer as i32))
}

fn middle_m(layer: usize) -> f64 {
    (0..layer).map(thickness_m).sum::<f64>() + 0.5 * thickness_m(layer)
}

fn write_columns(path: &Path) -> Result<(), isobar_io::Error> {
    let mut file = DatasetWriter::create(path)?;
    file.attribute("Conventions", "CF-1.11")?;
    file.attribute("title", "Analytic columns: a convective day, a stable night, a neutral storm, a cloud over sea")?;
    file.attribute("comment", "Made by cargo xtask demo-data; for demonstration only")?;
    file.attribute("orientation", "bottom_first")?;
    for (name, size) in [("column", SCENES.len()), ("layer", LAYERS), ("level", LAYERS + 1)] {
        file.dimension(name, size)?;
    }
    let pressures: Vec<_> = SCENES.iter().map(Scene::pressures).collect();
    let by_layer = |value: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..LAYERS).flat_map(|k| (0..SCENES.len()).map(move |i| (k, i))).map(|(k, i)| short(value(k, i))).collect()
    };
    let scene = |value: fn(&Scene, f64) -> f64| by_layer(&|k, i| value(&SCENES[i], middle_m(k)));
    let exner = |p: f64| Real::powf(p / 1e5, 2.0 / 7.0);
    let interfaces = (0..=LAYERS).flat_map(|k| pressures.iter().map(move |(_, p)| p[k])).collect();
    let column = |value: fn(&Scene) -> f64| SCENES.iter().map(value).collect::<Vec<f64>>();
    let (layer, level, surface): (&[&str], &[&str], &[&str]) =
        (&["layer", "column"], &["level", "column"], &["column"]);
    let mut put = |name, dimensions, units, long_name, standard_name, values: Vec<f64>| {
        let variable = OutputVariable { name, dimensions, units, long_name, standard_name, reference_name: None };
        file.variable(&variable, &values)
    };
    put("u", layer, "m s-1", "eastward wind", Some("eastward_wind"), scene(Scene::wind))?;
    put("v", layer, "m s-1", "northward wind", Some("northward_wind"), scene(|_, z| 1.0 + 5e-4 * z))?;
    let temperature = by_layer(&|k, i| SCENES[i].theta(middle_m(k)) * exner(pressures[i].0[k]));
    put("t", layer, "K", "temperature", Some("air_temperature"), temperature)?;
    let vapour = Some("humidity_mixing_ratio");
    put("qv", layer, "kg kg-1", "mixing ratio of water vapour", vapour, scene(Scene::vapour))?;
    let cloud = Some("cloud_liquid_water_mixing_ratio");
    put("qc", layer, "kg kg-1", "mixing ratio of cloud water", cloud, scene(Scene::cloud_water))?;
    let pressure = Some("air_pressure");
    put("p", layer, "Pa", "pressure of the layer", pressure, by_layer(&|k, i| pressures[i].0[k]))?;
    put("p_int", level, "Pa", "pressure of the interface", pressure, interfaces)?;
    put("dz", &["layer"], "m", "thickness", None, (0..LAYERS).map(thickness_m).collect())?;
    let heating = "tendency of potential temperature due to radiation";
    put("rthraten", layer, "K s-1", heating, None, scene(Scene::heating))?;
    put("znt", surface, "m", "roughness length", Some("surface_roughness_length"), column(|s| s.surface.0))?;
    put("xland", surface, "1", "1 land, 2 water", None, column(|s| s.surface.1))?;
    let heat = Some("surface_upward_sensible_heat_flux");
    put("hfx", surface, "W m-2", "upward flux of sensible heat", heat, column(|s| s.fluxes.0))?;
    let moisture = Some("water_evapotranspiration_flux");
    put("qfx", surface, "kg m-2 s-1", "upward flux of moisture", moisture, column(|s| s.fluxes.1))?;
    put("ctopo", surface, "1", "factor of the drag", None, column(|s| s.orography.0))?;
    put("ctopo2", surface, "1", "weight of the wind at 10 m", None, column(|s| s.orography.1))?;
    file.commit()
}
