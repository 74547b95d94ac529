//! Radiative kernels: derivatives of fluxes at the top and at the surface by what columns have.

use isobar_core::Real;
use isobar_core::fields::{Declared, LAYER, OwnedInputs, OwnedOutputs};
use isobar_io::{ColumnSlopes, FilePressures, FileSlopes, RadiationInput};
use isobar_launch::{Device, Model};
use isobar_radiation::{AdjointPrecision, ColumnViews, Cotangents, GradientViews, Gradients, RadiationAdjoint};

use super::Work;
use super::gradient_choices::{GradientChoices, GradientOf};
use crate::program::failure::Failure;

use GradientOf::{SurfaceLongwaveDown, SurfaceNet, SurfaceShortwaveDown, ToaLongwaveUp, ToaNet, ToaShortwaveUp};

impl GradientOf {
    /// As variables have it, and in words.
    fn name(self) -> [&'static str; 2] {
        match self {
            ToaNet => ["toa_net", "net downward flux at the top"],
            ToaLongwaveUp => ["toa_longwave_up", "upward long-wave flux at the top"],
            ToaShortwaveUp => ["toa_shortwave_up", "upward short-wave flux at the top"],
            SurfaceNet => ["surface_net", "net downward flux at the surface"],
            SurfaceLongwaveDown => ["surface_longwave_down", "downward long-wave flux at the surface"],
            SurfaceShortwaveDown => ["surface_shortwave_down", "downward short-wave flux at the surface"],
        }
    }

    /// The weights of the long wave's and the short wave's fluxes, upward and downward; 0 for those that it is not of.
    fn weights(self) -> [[f64; 2]; 2] {
        match self {
            ToaNet | SurfaceNet => [[-1.0, 1.0]; 2],
            ToaLongwaveUp => [[1.0, 0.0], [0.0; 2]],
            ToaShortwaveUp => [[0.0; 2], [1.0, 0.0]],
            SurfaceLongwaveDown => [[0.0, 1.0], [0.0; 2]],
            SurfaceShortwaveDown => [[0.0; 2], [0.0, 1.0]],
        }
    }

    fn is_at_the_top(self) -> bool {
        matches!(self, ToaNet | ToaLongwaveUp | ToaShortwaveUp)
    }

    /// Is it of spectra that are computed?
    fn is_computed(self, waves: [bool; 2]) -> bool {
        self.weights().into_iter().zip(waves).any(|(weights, computed)| computed && weights != [0.0; 2])
    }

    /// Derivatives of it by fluxes of the spectra that are computed.
    fn cotangents<R: Real>(self, waves: [bool; 2], [levels, columns]: [usize; 2]) -> Cotangents<R> {
        let mut cotangents = Cotangents::default();
        let Cotangents {
            longwave_up_w_per_m2: longwave_up,
            longwave_down_w_per_m2: longwave_down,
            shortwave_up_w_per_m2: shortwave_up,
            shortwave_down_w_per_m2: shortwave_down,
            ..
        } = &mut cotangents;
        let of_waves = [[longwave_up, longwave_down], [shortwave_up, shortwave_down]];
        let level = if self.is_at_the_top() { levels - 1 } else { 0 };
        let computed = of_waves.into_iter().zip(self.weights()).zip(waves).filter(|(_, computed)| *computed);
        for (values, weight) in computed.flat_map(|((values, weights), _)| values.into_iter().zip(weights)) {
            if weight != 0.0 {
                values.resize(levels * columns, R::ZERO);
                values[level * columns..][..columns].fill(R::from_f64(weight));
            }
        }
        cotangents
    }
}

/// What the pressure of the surface is called, which columns have as that of their lowest level.
const SURFACE_PRESSURE: &str = "surface_pressure";

/// A variable of the output.
pub(super) struct Kernel<R> {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) long_name: String,
    /// `[layer or level * columns + column]`, or one for each column.
    pub(super) values: Vec<R>,
}

/// What can be computed of derivatives.
pub(super) struct Kernels<R: AdjointPrecision> {
    model: Model<RadiationAdjoint<R>>,
}

impl<R: AdjointPrecision> Kernels<R> {
    /// None, if no derivatives are wanted.
    pub(super) fn of(work: &Work<'_>, devices: &[Device]) -> Result<Option<Self>, Failure> {
        let Some(choices) = work.job.choices.gradient.filter(|choices| !choices.gradient.is_empty()) else {
            return Ok(None);
        };
        choices.check(work.tables.waves())?;
        Ok(Some(Self { model: work.tables.radiation::<R>()?.adjoint().on(devices) }))
    }

    /// Derivatives of all fluxes that are wanted by all that is.
    pub(super) fn run(&self, work: &Work<'_>, input: &RadiationInput) -> Result<Vec<Kernel<R>>, Failure> {
        let Some(choices) = work.job.choices.gradient else { return Ok(Vec::new()) };
        let columns = input.columns.rounded::<R>();
        let size = [input.columns.layers() + 1, input.columns.columns()];
        let by = choices.by(input)?;
        let mut kernels = Vec::new();
        for &of in &choices.gradient {
            let cotangents = of.cotangents::<R>(work.tables.waves(), size);
            let gradients = self.model.run((&columns, &cotangents), work.scheme);
            let gradients = gradients.map_err(|problem| Failure::usage(format!("--gradient: {problem}")))?;
            kernels.extend(kernels_of(of, (gradients, &by), (input, work.draw.is_some()))?);
        }
        Ok(kernels)
    }
}

impl GradientChoices {
    /// Refuses what there is of no column.
    fn check(&self, waves: [bool; 2]) -> Result<(), Failure> {
        if let Some(of) = self.gradient.iter().find(|of| !of.is_computed(waves)) {
            let missing = if waves[0] { "short" } else { "long" };
            return Err(Failure::usage(format!("--gradient {}: no {missing} wave is computed", of.name()[0])));
        }
        let again = |(index, of): (usize, &GradientOf)| self.gradient[..index].contains(of).then_some(of.name()[0]);
        match self.gradient.iter().enumerate().find_map(again) {
            Some(name) => Err(Failure::usage(format!("--gradient {name} is given twice"))),
            None => Ok(()),
        }
    }

    /// By what there are to be derivatives, as we call it: it is given so, or as the file calls it.
    fn by(&self, input: &RadiationInput) -> Result<Vec<&'static str>, Failure> {
        let names = GradientViews::<f64>::DECLARED.iter().filter(|declared| declared.name != "status").map(file_name);
        let names = names.chain([SURFACE_PRESSURE]);
        let one = |wanted: &String| {
            let is_ours = |name: &&str| *name == wanted.as_str();
            let is_theirs = |name: &&str| input.names.iter().any(|(ours, theirs)| ours == name && theirs == wanted);
            names.clone().find(is_ours).or(names.clone().find(is_theirs)).ok_or_else(|| {
                let all: Vec<&str> = names.clone().collect();
                let why = format!("there are no derivatives by it, but by {}", all.join(", "));
                Failure::usage(format!("--by {wanted}: {why}"))
            })
        };
        self.by.iter().map(one).collect()
    }
}

/// Those of a flux that are wanted: by these, or by all where there are none.
fn kernels_of<R: Real>(
    of: GradientOf,
    (mut gradients, wanted): (Gradients<R>, &[&str]),
    (input, are_drawn): (&RadiationInput, bool),
) -> Result<Vec<Kernel<R>>, Failure> {
    let in_f64 = |values: &Vec<R>| values.iter().map(|value| value.value()).collect::<Vec<f64>>();
    let Gradients { liquid_path_g_per_m2: liquid, ice_path_g_per_m2: ice, .. } = &gradients;
    let Gradients { rain_path_g_per_m2: rain, snow_path_g_per_m2: snow, .. } = &gradients;
    let FileSlopes { temperature, pressure, surface_pressure } = input.by_file(&ColumnSlopes {
        temperature: [&gradients.temperature_k, &gradients.level_temperature_k].map(in_f64),
        pressure: [&gradients.pressure_pa, &gradients.level_pressure_pa].map(in_f64),
        water_paths: [liquid, ice, rain, snow].map(in_f64),
    });
    let rounded =
        |values: Option<Vec<f64>>| -> Vec<R> { values.unwrap_or_default().into_iter().map(R::from_f64).collect() };
    [gradients.temperature_k, gradients.level_temperature_k] = temperature.map(rounded);
    [gradients.pressure_pa, gradients.level_pressure_pa] = pressure.map(rounded);

    let (count, layers) = (input.columns.columns(), input.columns.layers());
    let is_wanted = |by: &str, values: &[R]| !values.is_empty() && (wanted.is_empty() || wanted.contains(&by));
    let mut found = Vec::new();
    let [name, in_words] = of.name();
    gradients.each_real(&mut |declared, values| {
        let by = file_name(declared);
        // Bands have names of dimensions elsewhere; of a column that has one value for all of them it is their sum.
        let is_by_band = declared.shape.iter().any(|dimension| dimension.0.ends_with("_band"));
        let rows = if declared.shape.first() == Some(&LAYER) { layers } else { 1 };
        if is_by_band && values.len() > rows * count {
            if !input.same_in_bands.contains(&by) {
                return;
            }
            *values = sum_of_bands(values, count);
        }
        if is_wanted(by, values) {
            let doc = declared.doc.trim().trim_end_matches('.');
            found.push(Kernel {
                name: format!("{name}_by_{by}"),
                unit: unit(declared),
                long_name: format!("derivative of the {in_words} {}{}", doc[..1].to_lowercase(), &doc[1..]),
                values: values.to_vec(),
            });
        }
    });
    let values = rounded(surface_pressure);
    if is_wanted(SURFACE_PRESSURE, &values) {
        found.push(Kernel {
            name: format!("{name}_by_{SURFACE_PRESSURE}"),
            unit: "W m-2 Pa-1".to_owned(),
            long_name: format!("derivative of the {in_words} by the pressure of the surface, and those that follow it"),
            values,
        });
    }
    for wanted in wanted {
        if !found.iter().any(|kernel| kernel.name == format!("{name}_by_{wanted}")) {
            return Err(no_derivative(wanted, (input, are_drawn)));
        }
    }
    Ok(found)
}

/// The sum of derivatives by columns `[band * columns + column]` over the bands.
fn sum_of_bands<R: Real>(values: &[R], columns: usize) -> Vec<R> {
    let of = |column: usize| values[column..].iter().step_by(columns).fold(R::ZERO, |sum, &value| sum + value);
    (0..columns).map(of).collect()
}

/// What files call the input that a derivative is by.
fn file_name(declared: &Declared) -> &'static str {
    let inputs = ColumnViews::<f64>::DECLARED;
    inputs.iter().find(|input| input.name == declared.name).map_or(declared.name, |input| input.file_name)
}

/// W/m^2 over that of the input.
fn unit(declared: &Declared) -> String {
    match declared.unit {
        "1" => "W m-2".to_owned(),
        "W-1 m2" => "1".to_owned(),
        other => format!("W m-2 {other}"),
    }
}

/// Why there is none.
fn no_derivative(wanted: &str, (input, are_drawn): (&RadiationInput, bool)) -> Failure {
    let why = if ["temperature", "level_temperature"].contains(&wanted) && !input.columns.level_temperature_k.is_empty()
    {
        let other = if wanted == "temperature" { "level_temperature" } else { "temperature" };
        format!("the file has no {wanted}, which follows from {other}; the derivative by that has both")
    } else if ["pressure", "level_pressure"].contains(&wanted) && input.pressures != FilePressures::Both {
        match &input.pressures {
            FilePressures::Surface { source, .. } => {
                format!("the file has no {wanted} by column, which follows from {source}: --by {SURFACE_PRESSURE}")
            }
            _ => {
                let other = if wanted == "pressure" { "level_pressure" } else { "pressure" };
                format!("the file has no {wanted}, which follows from {other}; the derivative by that has both")
            }
        }
    } else if wanted == SURFACE_PRESSURE && are_drawn {
        "--samples hold pressures, of layers and of levels, whatever these follow from in the file".to_owned()
    } else if wanted == SURFACE_PRESSURE && !input.pressures.follow_the_surface() {
        "the pressures of the file do not follow from it".to_owned()
    } else {
        "nothing depends on it here, or it differs from band to band, whose derivatives are not written".to_owned()
    };
    Failure::usage(format!("--by {wanted}: {why}"))
}

/// How what was derived from temperatures, pressures or humidity begins, and is held.
const HELD: [&str; 5] = ["liquid_radius:", "ice radius:", "rain_radius =", "relative_humidity:", "aerosol mass ="];

/// What derivatives leave out, of what was derived.
pub(super) fn held_in_words(derived: &[String]) -> Option<String> {
    let is_held = |text: &&String| HELD.iter().any(|start| text.starts_with(start));
    let held: Vec<&str> = derived.iter().filter(is_held).map(String::as_str).collect();
    let text = || format!("--gradient: what was derived so is held, whatever it follows from: {}", held.join("; "));
    (!held.is_empty()).then(text)
}
