//! Cases of `scattering` of the reference data.

use std::collections::HashMap;
use std::path::Path;

use isobar_adding::azimuth::{Options, Profiles, Surface};
use isobar_golden::{Value, json, npy};

/// A case with all of its arrays.
pub(crate) struct Case {
    pub(crate) name: String,
    json: Value,
    arrays: HashMap<String, Vec<f64>>,
}

impl Case {
    pub(crate) fn read(path: &Path) -> Self {
        let (_, values) = npy(&path.with_extension("npy"));
        let json = json(&path.with_extension("json"));
        let number = |value: &Value| value.as_u64().expect("a whole number") as usize;
        let arrays = json["arrays"].as_object().expect("arrays");
        let arrays = arrays.iter().map(|(name, array)| {
            let len: usize = array["shape"].as_array().expect("a shape").iter().map(number).product();
            let offset = number(&array["offset"]);
            (name.clone(), values[offset..offset + len].to_vec())
        });
        let arrays = arrays.collect();
        Self { name: path.file_stem().expect("a name").to_string_lossy().into_owned(), json, arrays }
    }

    pub(crate) fn array(&self, name: &str) -> Option<&[f64]> {
        self.arrays.get(name).map(Vec::as_slice)
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        self.json[name].as_f64().expect("a number")
    }

    /// Is delta-M wanted for the values without suffix?
    pub(crate) fn delta(&self) -> bool {
        self.json["delta_scaling"].as_bool().unwrap_or(true)
    }

    pub(crate) fn kind(&self) -> &str {
        self.json["kind"].as_str().unwrap_or("")
    }

    pub(crate) fn layers(&self) -> usize {
        self.arrays["optical_depth"].len()
    }

    /// The levels of the radiances.
    pub(crate) fn levels(&self) -> Vec<usize> {
        match self.json["indices"]["out_level_index"].as_array() {
            Some(levels) => levels.iter().map(|level| level.as_u64().expect("a level") as usize).collect(),
            None => (0..=self.layers()).collect(),
        }
    }

    /// The layer and number of the moments by which the reference has derivatives.
    pub(crate) fn moments_index(&self) -> Vec<[usize; 2]> {
        let number = |value: &Value| value.as_u64().expect("a whole number") as usize;
        let index = self.json["indices"]["phase_moments_index"].as_array().expect("an index");
        index.iter().map(|pair| [number(&pair[0]), number(&pair[1])]).collect()
    }

    pub(crate) fn options(&self) -> Options {
        let surface = match self.json["surface"].as_str().expect("a surface") {
            "lambertian" => Surface::Lambertian,
            "rpv" => Surface::Rpv,
            _ => Surface::Hapke,
        };
        let nodes = self.number("streams") as usize / 2;
        Options { surface, levels: true, fluxes: true, corrections: false, ..Options::new(nodes) }
    }

    pub(crate) fn profiles(&self) -> Profiles<f64> {
        let own = |name: &str| self.arrays.get(name).cloned().unwrap_or_default();
        let (sun, surface) = (self.number("mu0"), self.json["surface"].as_str().expect("a surface"));
        let (top, bottom) = (own("planck_top"), own("planck_bottom"));
        let constant = top == bottom;
        let levels = || top.iter().chain(bottom.last()).copied().collect();
        if !constant {
            // But for the last digit.
            let same = |(top, bottom): (&f64, &f64)| (top - bottom).abs() <= 1e-14 * top.abs();
            assert!(top[1..].iter().zip(&bottom).all(same), "{}: the source is not continuous", self.name);
        }
        Profiles {
            viewing_cosine: own("mu"),
            relative_azimuth: if sun > 0.0 { own("phi") } else { Vec::new() },
            optical_depth: own("optical_depth"),
            single_scattering_albedo: own("single_scattering_albedo"),
            phase_moments: own("phase_moments"),
            planck_radiance: if constant { top.clone() } else { Vec::new() },
            planck_radiance_level: if constant { Vec::new() } else { levels() },
            surface_planck_radiance: vec![self.number("surface_planck")],
            surface_parameters: match surface {
                "lambertian" => vec![self.number("albedo")],
                "rpv" => isobar_golden::numbers(&self.json["rpv"]),
                _ => vec![1.0, 0.06, 0.6],
            },
            cosmic_background: vec![self.number("top_radiance")],
            sun_cosine: if sun > 0.0 { vec![sun] } else { Vec::new() },
            sun_irradiance: if sun > 0.0 { vec![self.number("beam_flux")] } else { Vec::new() },
            ..Profiles::default()
        }
    }
}
