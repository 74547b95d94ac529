//! The tangent linear model, by numbers that carry their derivatives: against complex steps of the reference's code.

use isobar_adding::azimuth::{Options, Profiles, Radiances, compute};
use isobar_core::{Dual, Real};

use crate::beam::missing;
use crate::case::Case;

/// Variables that are computed together.
pub(crate) const VARIABLES: usize = 2;

pub(crate) type Number = Dual<f64, VARIABLES>;

/// What varies, and its row among the reference's derivatives by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Variable {
    Depth(usize),
    Albedo(usize),
    Moment(usize, [usize; 2]),
    Asymmetry(usize),
    SurfaceAlbedo,
    PlanckLevel(usize),
    SurfacePlanck,
    Cosmic,
}

impl Variable {
    /// All, or `some` of each kind.
    pub(crate) fn all(case: &Case, some: bool) -> Vec<Self> {
        let layers = case.layers();
        let layers_of_some: Vec<usize> = if some && layers > 8 { vec![0, 7, 15, 29] } else { (0..layers).collect() };
        let has = |parameter: &str| case.array(&format!("d_flux_up_top_d_{parameter}")).is_some();
        let mut all: Vec<Self> = layers_of_some.iter().flat_map(|&k| [Self::Depth(k), Self::Albedo(k)]).collect();
        let moments = case.moments_index();
        let step = if some { moments.len().div_ceil(16) } else { 1 };
        all.extend(moments.into_iter().enumerate().step_by(step).map(|(row, index)| Self::Moment(row, index)));
        if has("asymmetry") {
            all.extend(layers_of_some.iter().map(|&k| Self::Asymmetry(k)));
        }
        if has("albedo") {
            all.push(Self::SurfaceAlbedo);
        }
        if has("planck_top") {
            all.extend((0..=layers).map(Self::PlanckLevel));
            all.push(Self::SurfacePlanck);
        }
        if has("top_radiance") {
            all.push(Self::Cosmic);
        }
        all
    }

    pub(crate) fn vary(self, profiles: &mut Profiles<Number>, number: usize) {
        let moments = profiles.phase_moments.len() / profiles.optical_depth.len();
        let variable = |x: &mut Number| *x = Dual::variable(x.value, number);
        match self {
            Self::Depth(k) => variable(&mut profiles.optical_depth[k]),
            Self::Albedo(k) => variable(&mut profiles.single_scattering_albedo[k]),
            Self::Moment(_, [k, l]) => variable(&mut profiles.phase_moments[k * moments + l]),
            Self::Asymmetry(k) => {
                let asymmetry: Number = Dual::variable(profiles.phase_moments[k * moments + 1].value, number);
                for l in 1..moments {
                    profiles.phase_moments[k * moments + l].derivative[number] =
                        asymmetry.powi(l as i32).derivative[number];
                }
            }
            Self::SurfaceAlbedo => variable(&mut profiles.surface_parameters[0]),
            Self::PlanckLevel(k) => variable(&mut profiles.planck_radiance_level[k]),
            Self::SurfacePlanck => variable(&mut profiles.surface_planck_radiance[0]),
            Self::Cosmic => variable(&mut profiles.cosmic_background[0]),
        }
    }

    /// The reference's derivatives of an output.
    pub(crate) fn expected(self, case: &Case, output: &str) -> Option<Vec<f64>> {
        let row = |parameter: &str, rows: usize, row: usize| {
            let values = case.array(&format!("d_{output}_d_{parameter}"))?;
            let len = values.len() / rows;
            Some(values[row * len..][..len].to_vec())
        };
        let layers = case.layers();
        match self {
            Self::Depth(k) => row("optical_depth", layers, k),
            Self::Albedo(k) => row("single_scattering_albedo", layers, k),
            Self::Moment(number, _) => row("phase_moments", case.moments_index().len(), number),
            Self::Asymmetry(k) => row("asymmetry", layers, k),
            Self::SurfaceAlbedo => row("albedo", 1, 0),
            // A level is the bottom of a layer and the top of the next.
            Self::PlanckLevel(k) => {
                let top = if k < layers { Some(row("planck_top", layers, k)?) } else { None };
                let bottom = if k > 0 { Some(row("planck_bottom", layers, k - 1)?) } else { None };
                match (top, bottom) {
                    (Some(top), Some(bottom)) => Some(top.iter().zip(&bottom).map(|(a, b)| a + b).collect()),
                    (top, bottom) => top.or(bottom),
                }
            }
            Self::SurfacePlanck => row("surface_planck", 1, 0),
            Self::Cosmic => row("top_radiance", 1, 0),
        }
    }
}

pub(crate) fn dual(profiles: &Profiles<f64>) -> Profiles<Number> {
    let all = |values: &Vec<f64>| values.iter().map(|&x| Dual::constant(x)).collect();
    Profiles {
        viewing_cosine: all(&profiles.viewing_cosine),
        relative_azimuth: all(&profiles.relative_azimuth),
        optical_depth: all(&profiles.optical_depth),
        single_scattering_albedo: all(&profiles.single_scattering_albedo),
        asymmetry: all(&profiles.asymmetry),
        phase_moments: all(&profiles.phase_moments),
        planck_radiance: all(&profiles.planck_radiance),
        planck_radiance_level: all(&profiles.planck_radiance_level),
        surface_planck_radiance: all(&profiles.surface_planck_radiance),
        surface_parameters: all(&profiles.surface_parameters),
        cosmic_background: all(&profiles.cosmic_background),
        sun_cosine: all(&profiles.sun_cosine),
        sun_irradiance: all(&profiles.sun_irradiance),
    }
}

/// The outputs that the reference has, by name.
fn outputs(radiances: &Radiances<Number>, corrections: bool, layers: usize) -> [(&'static str, Vec<Number>); 4] {
    let [up, down] = if corrections {
        ["radiance_up_top_tms", "radiance_down_bottom_tms_ims"]
    } else {
        ["radiance_up_top", "radiance_down_bottom"]
    };
    [
        (up, radiances.top_radiance.clone()),
        (down, radiances.surface_downward_radiance.clone()),
        ("flux_up_top", vec![radiances.upward_flux[0]]),
        // The beam is in it there.
        ("flux_down_bottom", vec![radiances.downward_flux[layers] + radiances.direct_flux[layers]]),
    ]
}

/// The reference's complex steps agree with five-point differences to 4e-8; ours with them to a few hundred roundings.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// The cases that have derivatives.
pub(crate) const NAMES: [&str; 8] =
    ["column_16", "edges_8", "hg_16", "mie_16", "rayleigh_8", "rpv_8", "sun_and_thermal_8", "thermal_16"];

#[test]
fn derivatives_of_the_reference() {
    let Some(dir) = isobar_golden::find("scattering") else { return };
    let mut wrong = Vec::new();
    for name in NAMES {
        let case = Case::read(&dir.join("derivatives").join(name));
        let profiles = case.profiles();
        for corrections in [false, true] {
            if corrections && case.array("radiance_up_top_tms").is_none() {
                continue;
            }
            let options = Options { corrections, levels: false, delta_scaling: case.delta(), ..case.options() };
            // Some layers of each: every kind of derivative, in a minute.
            for variables in Variable::all(&case, true).chunks(VARIABLES) {
                let mut varied = dual(&profiles);
                for (number, variable) in variables.iter().enumerate() {
                    variable.vary(&mut varied, number);
                }
                let mut found = compute(&varied, &options).expect("a valid batch");
                if corrections {
                    let missing = missing(&varied, &options);
                    found.top_radiance.iter_mut().zip(missing).for_each(|(x, missing)| *x -= missing);
                }
                for (number, variable) in variables.iter().enumerate() {
                    for (output, values) in outputs(&found, corrections, case.layers()) {
                        let Some(expected) = variable.expected(&case, output) else { continue };
                        // Without a Sun the azimuths of the reference have the same light.
                        let repeat = expected.len() / values.len();
                        let scale = expected.iter().fold(1e-300, |largest: f64, x| largest.max(x.abs()));
                        let error = expected.iter().enumerate().fold(0.0, |worst: f64, (i, expected)| {
                            let difference = (values[i / repeat].derivative[number] - expected).abs() / scale;
                            worst.max(if difference.is_finite() { difference } else { f64::INFINITY })
                        });
                        if error > TOLERANCE {
                            wrong.push(format!("{name} d {output} d {variable:?}: {error:.1e} of {scale:.1e}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
