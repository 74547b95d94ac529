//! No value of any field ends the process, is silent, or reaches another item: every field that a scheme declares, with
//! the checks and without, in both precisions. Debug builds assert that all reads of views are inside.

use std::path::PathBuf;

use isobar_core::Status;
use isobar_core::fields::{Accepted, AnyField, Declared, Extents, InputSet, Kind, OwnedInputs};
use isobar_interface::{Array, Axes, Call, CallError, Callable, Element, FieldError, ItemsAxis, Location, Setup, open};
use isobar_launch::BadItems;
use serde_json::{Map, Value, json};

/// What no field is made for, and what is beyond the range of single precision or below its normal numbers.
const NUMBERS: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e30, 5e-324];
/// In all rows of the item, or in the middle one.
const PLACES: usize = 2;
/// An item for each, and one before and one behind that is as it should be.
const ITEMS: usize = NUMBERS.len() * PLACES + 2;

/// A scheme with inputs that it takes.
struct Case {
    scheme: &'static str,
    tables: Value,
    options: Value,
    extents: Extents,
    fields: Vec<Field>,
}

/// A field of all items, `[row * items + item]`; words as numbers.
#[derive(Clone)]
struct Field {
    declared: &'static Declared,
    values: Vec<f64>,
}

/// A result.
struct Found {
    name: &'static str,
    values: Vec<f64>,
}

fn data(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data")).join(path)
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

/// All fields of views, with values for all rows and items.
fn fields_of<'a, V: InputSet<'a, Real = f64>>(views: &V) -> Vec<Field> {
    let mut fields = Vec::new();
    views.visit(&mut |declared, field| {
        let (rows, items) = field.extent();
        let at = |row, item| match &field {
            AnyField::Real(field) => field.at(row, item),
            AnyField::Word(field) => f64::from(field.at(row, item)),
        };
        let values: Vec<f64> = (0..rows).flat_map(|row| (0..items).map(move |item| at(row, item))).collect();
        if !values.is_empty() {
            fields.push(Field { declared, values });
        }
    });
    fields
}

impl Case {
    fn new(scheme: &'static str, tables: Value, options: Value, extents: Extents, fields: Vec<Field>) -> Self {
        Self { scheme, tables, options, extents, fields }
    }

    /// With a field that has one value everywhere.
    fn with(mut self, name: &str, value: f64) -> Self {
        let scheme = isobar_interface::declared(self.scheme).unwrap();
        let declared = Declared::named(scheme.inputs, name);
        let values = vec![value; self.extents.rows(declared.shape) * ITEMS];
        self.fields.retain(|field| field.declared.name != name);
        self.fields.push(Field { declared, values });
        self
    }

    fn without(mut self, names: &[&str]) -> Self {
        self.fields.retain(|field| !names.contains(&field.declared.name));
        self
    }

    fn model(&self, precision: Element, bad_items: BadItems) -> Box<dyn Callable> {
        let tables = map(&self.tables);
        let setup = Setup { device: "thread".to_owned(), precision, bad_items, tables, ..Setup::default() };
        open(self.scheme, &setup).unwrap_or_else(|error| panic!("{}: {error}", self.scheme))
    }

    /// The results of fields of `items` items.
    fn run(
        &self,
        model: &dyn Callable,
        fields: &[Field],
        items: usize,
    ) -> Result<(Vec<FieldError>, Vec<Found>), CallError> {
        let precision = model.precision();
        let options = model.options(&map(&self.options)).unwrap_or_else(|error| panic!("{}: {error}", self.scheme));
        let memory: Vec<Memory> = fields.iter().map(|field| Memory::of(field, precision)).collect();
        let mut inputs: Vec<Option<Array>> = vec![None; model.inputs().len()];
        for (field, memory) in fields.iter().zip(&memory) {
            let own = field.declared.shape.iter().map(|&dimension| self.extents.size(dimension));
            let shape: Vec<usize> = own.chain([items]).collect();
            inputs[model.input_index(field.declared.name).unwrap()] = Some(memory.array(&shape));
        }
        let axes = Axes { items: ItemsAxis::Last, top_first: None };
        let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
        let plan = model.plan(&call)?;
        let mut results: Vec<Option<Memory>> = Vec::new();
        for (declared, shape) in model.outputs().iter().zip(&plan.outputs) {
            let values = |shape: &Vec<usize>| vec![0.0; shape.iter().product()];
            results.push(shape.as_ref().map(|shape| Memory::of(&Field { declared, values: values(shape) }, precision)));
        }
        let arrays = results.iter().zip(&plan.outputs);
        let arrays: Vec<Option<Array>> =
            arrays.map(|(memory, shape)| Some(memory.as_ref()?.array(shape.as_ref()?))).collect();
        // SAFETY: the memory is ours, and nobody looks at it during the call.
        let arrays: Vec<Option<Array>> =
            arrays.into_iter().map(|array| array.map(|array| unsafe { array.writable() })).collect();
        let refused = model.run(&call, &arrays)?;
        let results = model.outputs().iter().zip(results);
        let found =
            results.filter_map(|(declared, memory)| Some(Found { name: declared.name, values: memory?.values() }));
        Ok((refused, found.collect()))
    }
}

/// Values as a scheme takes them.
enum Memory {
    Single(Vec<f32>),
    Double(Vec<f64>),
    Word(Vec<u32>),
}

impl Memory {
    fn of(field: &Field, precision: Element) -> Self {
        match (field.declared.kind, precision) {
            (Kind::Word, _) => Self::Word(field.values.iter().map(|&value| value as u32).collect()),
            (Kind::Real, Element::F32) => Self::Single(field.values.iter().map(|&value| value as f32).collect()),
            (Kind::Real, _) => Self::Double(field.values.clone()),
        }
    }

    fn array(&self, shape: &[usize]) -> Array {
        let (start, element) = match self {
            Self::Single(values) => (values.as_ptr().cast(), Element::F32),
            Self::Double(values) => (values.as_ptr().cast(), Element::F64),
            Self::Word(values) => (values.as_ptr().cast(), Element::U32),
        };
        let mut strides = vec![element.bytes() as isize; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis] * shape[axis] as isize;
        }
        // SAFETY: there are as many values, side by side, and they outlive the call.
        unsafe { Array::new(start, element, shape, &strides, Location::Host).unwrap() }
    }

    fn values(self) -> Vec<f64> {
        match self {
            Self::Single(values) => values.into_iter().map(f64::from).collect(),
            Self::Double(values) => values,
            Self::Word(values) => values.into_iter().map(f64::from).collect(),
        }
    }
}

/// The bits of an item's results.
fn bits(results: &[Found], item: usize, items: usize) -> Vec<u64> {
    let of =
        |found: &Found| found.values[item..].iter().step_by(items).map(|value| value.to_bits()).collect::<Vec<_>>();
    results.iter().flat_map(of).collect()
}

fn status(results: &[Found], item: usize) -> u32 {
    results.iter().find(|found| found.name == "status").expect("all schemes have one").values[item] as u32
}

/// The first result of an item that is not finite.
fn not_finite(results: &[Found], item: usize, items: usize) -> Option<&str> {
    let finite = |found: &&Found| !found.values[item..].iter().step_by(items).all(|value| value.is_finite());
    results.iter().find(finite).map(|found| found.name)
}

/// The number that an item of a batch has in a field, and its rows.
fn number(item: usize) -> Option<(f64, usize)> {
    let of = item.checked_sub(1).filter(|&of| of < NUMBERS.len() * PLACES)?;
    Some((NUMBERS[of % NUMBERS.len()], of / NUMBERS.len()))
}

fn rows(place: usize, rows: usize) -> std::ops::Range<usize> {
    if place == 0 { 0..rows } else { rows / 2..rows / 2 + 1 }
}

/// A number as a precision has it.
fn rounded(value: f64, precision: Element) -> f64 {
    if precision == Element::F32 { f64::from(value as f32) } else { value }
}

/// Feeds every number to every field.
fn check(case: &Case, precision: Element) {
    let scheme = case.scheme;
    let [stopping, flagging, computing] =
        [BadItems::Stop, BadItems::Flag, BadItems::Compute].map(|bad_items| case.model(precision, bad_items));
    let (refused, expected) = case.run(&*flagging, &case.fields, ITEMS).unwrap();
    assert!(refused.is_empty(), "{scheme}: {}", refused[0]);
    for item in 0..ITEMS {
        assert_eq!((status(&expected, item), not_finite(&expected, item, ITEMS)), (0, None), "{scheme}, item {item}");
    }
    for field in 0..case.fields.len() {
        let declared = case.fields[field].declared;
        let mut fields = case.fields.clone();
        for item in 0..ITEMS {
            let count = fields[field].values.len() / ITEMS;
            let Some((value, place)) = number(item) else { continue };
            for row in rows(place, count) {
                fields[field].values[row * ITEMS + item] = value;
            }
        }
        for (model, checked) in [(&flagging, true), (&computing, false)] {
            let (_, results) = case.run(&**model, &fields, ITEMS).unwrap();
            for item in 0..ITEMS {
                let (status, wrong) = (status(&results, item), not_finite(&results, item, ITEMS));
                let what = format!("{scheme}, {precision:?}, {}, checked {checked}, {:?}", declared.name, number(item));
                let Some((value, _)) = number(item) else {
                    assert_eq!(bits(&results, item, ITEMS), bits(&expected, item, ITEMS), "another item: {what}");
                    continue;
                };
                assert!(status != 0 || wrong.is_none(), "{what}: {} is not finite, and status 0", wrong.unwrap());
                let single = model.precision() == Element::F32;
                let accepted = if single { declared.accepted.rounded::<f32>() } else { declared.accepted };
                let fits = accepted.fits(rounded(value, model.precision()));
                if checked && !fits && !declared.optional && declared.accepted != Accepted::Anything {
                    assert_eq!(status, Status::OUT_OF_RANGE.0, "{what}");
                }
            }
        }
        // An item alone.
        for value in [f64::NAN, -1e300] {
            let mut alone: Vec<Field> = case.fields.clone();
            for one in &mut alone {
                one.values = one.values.iter().step_by(ITEMS).copied().collect();
            }
            alone[field].values.fill(value);
            let (_, results) = case.run(&*computing, &alone, 1).unwrap();
            let (status, wrong) = (status(&results, 0), not_finite(&results, 0, 1));
            assert!(status != 0 || wrong.is_none(), "{scheme}, {} = {value}: {wrong:?} is not finite", declared.name);
            let flagged = case.run(&*flagging, &alone, 1).unwrap().0.into_iter().next();
            let stopped = case.run(&*stopping, &alone, 1);
            let stopped = stopped.err().map(|error| match error {
                CallError::Field(error) => error,
                other => panic!("{scheme}, {} = {value}: {other}", declared.name),
            });
            assert_eq!(format!("{stopped:?}"), format!("{flagged:?}"));
        }
    }
}

/// One after the other in the two precisions.
fn check_all(cases: &[Case]) {
    for (case, precision) in cases.iter().zip([Element::F64, Element::F32].into_iter().cycle()) {
        check(case, precision);
    }
}

#[test]
fn no_number_harms_the_boundary_layer() {
    let columns = isobar_ysu::analytic::columns::<f64>(ITEMS, 6, 2);
    let (extents, views) = (columns.extents(), columns.views(&columns.extents(), "column").unwrap());
    let case = |options: Value| Case::new("ysu", json!({}), options, extents, fields_of(&views));
    let plain =
        case(json!({ "time_step_s": 60 })).without(&["radiative_heating_k_per_s", "drag_factor", "wind_weight"]);
    check_all(&[case(json!({ "time_step_s": 60, "top_down": true, "topographic": true })), plain]);
}

#[test]
fn no_number_harms_the_surface_layer() {
    let columns = isobar_surface::analytic::columns::<f64>(ITEMS);
    let (extents, views) = (columns.extents(), columns.views(&columns.extents(), "column").unwrap());
    let case = |options: Value| Case::new("surface", json!({}), options, extents, fields_of(&views));
    let usual = case(json!({})).without(&["lake", "water_depth_m", "orography_deviation_m"]);
    let rough = json!({ "water_roughness": "garratt", "land_roughness": "chen_zhang", "form_drag": true });
    check_all(&[
        usual,
        case(json!({ "shallow_water": true, "root": "converged" })),
        case(rough),
        case(json!({ "water_roughness": "constant", "fluxes": "given" })),
    ]);
}

#[test]
fn no_number_harms_the_long_wave() {
    let columns = isobar_radiation::analytic::columns::<f64>(ITEMS, 4, true);
    let views = isobar_radiation::ColumnViews::try_from(&columns).unwrap();
    let k = isobar_radiation::rrtmg::analytic::k_distribution();
    let spectra = isobar_radiation::Spectra::default().with_rrtmg(&k).unwrap();
    let case = |options: Value| {
        let chosen = serde_json::from_value(options.clone()).unwrap();
        let extents = spectra.extents(&views, &chosen).unwrap();
        Case::new("radiation", json!({ "k_distributions": ["analytic"] }), options, extents, fields_of(&views))
            .with("emissivity", 0.98)
            .with("cloud_fraction", 0.5)
            .with("liquid_path_g_per_m2", 20.0)
            .with("ice_path_g_per_m2", 10.0)
            .with("aerosol_absorption_longwave", 0.1)
    };
    let exponential = json!({ "derivative": true, "clear_sky": true, "overlap": "exponential_random" });
    check_all(&[
        case(json!({
            "cloud_solver": "fractions",
            "rrtmg": { "transmittance": "table" },
            "band_fluxes": true,
            "angles": { "gauss": 2 },
        })),
        case(exponential),
    ]);
}

#[test]
fn no_number_harms_radiation() {
    let columns = isobar_radiation::analytic::columns::<f64>(ITEMS, 3, true);
    let views = isobar_radiation::ColumnViews::try_from(&columns).unwrap();
    let files = |kind: &str| ["longwave", "shortwave"].map(|wave| data(&format!("radiation/ecckd-{wave}-32{kind}.nc")));
    let tables = json!({ "k_distributions": files(""), "clouds": files("-clouds") });
    let [longwave, shortwave] = files("").map(|path| isobar_io::read_k_distribution(&path).unwrap());
    let spectra =
        [longwave, shortwave].into_iter().try_fold(isobar_radiation::Spectra::<f64>::default(), |all, one| {
            let [long, short] = files("-clouds").map(|path| isobar_io::read_cloud_tables(&path).unwrap());
            let gases = one.gas_optics().unwrap();
            let clouds = if long.fit(&gases) { long } else { short };
            all.with(&gases, Some(&isobar_radiation::CloudOptics::new(&clouds, isobar_radiation::Roughness::default())))
        });
    let spectra = spectra.unwrap();
    let case = |options: Value| {
        let chosen = serde_json::from_value(options.clone()).unwrap();
        let extents = spectra.extents(&views, &chosen).unwrap();
        Case::new("radiation", tables.clone(), options, extents, fields_of(&views))
            .with("emissivity", 0.98)
            .with("cloud_fraction", 0.5)
            .with("liquid_path_g_per_m2", 20.0)
            .with("ice_path_g_per_m2", 10.0)
            .with("surface_albedo_direct", 0.2)
            .with("surface_albedo_diffuse", 0.1)
            .with("aerosol_optical_depth", 0.1)
            .with("aerosol_albedo", 0.9)
            .with("aerosol_asymmetry", 0.7)
            .with("subcolumn_seed", 1.0)
    };
    let both = json!({
        "derivative": true, "clear_sky": true, "band_fluxes": true, "overlap": "exponential_random",
        "longwave_scattering": "two_stream", "delta_scaling": "mixture",
    });
    let three = json!({ "cloud_solver": "tripleclouds", "overlap": "exponential_random" });
    check_all(&[
        case(json!({})).with("aerosol_absorption_longwave", 0.1),
        case(both)
            .with("overlap_parameter", 0.5)
            .with("aerosol_optical_depth_longwave", 0.1)
            .with("aerosol_albedo_longwave", 0.5)
            .with("aerosol_asymmetry_longwave", 0.5),
        case(three).with("fractional_standard_deviation", 1.0),
        case(json!({ "longwave_scattering": "rescaled" })).without(&["thickness_m"]),
    ]);
}

#[test]
fn no_number_harms_clear_sky() {
    use isobar_core::fields::{ANGLE, LAYER};
    let case = |options: Value| {
        Case::new("clear_sky", json!({}), options, Extents::new(ITEMS).with(LAYER, 5).with(ANGLE, 2), Vec::new())
            .with("surface_planck_radiance", 100.0)
            .with("emissivity", 0.9)
            .with("cosmic_background", 0.1)
    };
    let sun = |case: Case| case.with("sun_cosine", 0.5).with("sun_irradiance", 10.0).with("sun_reflectivity", 0.1);
    for schedule in ["sequential", "block", "warp", "deep"] {
        let layers = |output: &str, reflection: Value| {
            json!({
                "cosine": [0.3, 0.9],
                "output": output,
                "reflection": reflection,
                "schedule": schedule,
            })
        };
        check_all(&[
            sun(case(layers("levels", json!("specular"))).with("optical_depth", 0.3).with("planck_radiance", 80.0)),
            sun(case(layers("ends", json!({ "lambertian": { "weight": [0.5, 0.5] } }))))
                .with("optical_depth", 0.3)
                .with("planck_radiance_level", 80.0),
            case(layers("emission", json!("none"))).with("transmittance", 0.7).with("planck_radiance", 80.0),
        ]);
    }
}

#[test]
fn no_number_harms_scattering() {
    use isobar_adding::scattering::STREAM;
    use isobar_core::fields::{LAYER, MOMENT};
    let case = |options: Value, streams: usize| {
        let extents = Extents::new(ITEMS).with(LAYER, 3).with(STREAM, streams).with(MOMENT, 5);
        Case::new("scattering", json!({}), options, extents, Vec::new())
            .with("optical_depth", 0.3)
            .with("single_scattering_albedo", 0.8)
            .with("planck_radiance", 80.0)
            .with("surface_planck_radiance", 100.0)
            .with("emissivity", 0.9)
            .with("cosmic_background", 0.1)
            .with("sun_cosine", 0.5)
            .with("sun_irradiance", 10.0)
            .with("sun_reflectivity", 0.1)
    };
    let options = |reflection: &str, levels: bool| json!({ "nodes": 2, "reflection": reflection, "levels": levels });
    check_all(&[
        case(options("specular", true), 3).with("viewing_cosine", 0.7).with("asymmetry", 0.5),
        case(options("lambertian", true), 2).with("asymmetry", 0.5),
        case(options("lambertian", false), 2).with("asymmetry", 0.5),
    ]);
}

#[test]
fn no_number_harms_light_from_any_direction() {
    use isobar_adding::azimuth::{AZIMUTH, PARAMETER, SUN, VIEW};
    use isobar_core::fields::{LAYER, MOMENT};
    let of = |scheme: &'static str, surface: &str, parameters: usize| {
        let options = json!({ "nodes": 2, "levels": true, "fluxes": true, "surface": surface });
        let extents = Extents::new(ITEMS).with(LAYER, 3).with(MOMENT, 5).with(VIEW, 2).with(PARAMETER, parameters);
        Case::new(scheme, json!({}), options, extents.with(SUN, 1).with(AZIMUTH, 2), Vec::new())
            .with("viewing_cosine", 0.7)
            .with("relative_azimuth", 60.0)
            .with("optical_depth", 0.3)
            .with("single_scattering_albedo", 0.8)
            .with("asymmetry", 0.5)
            .with("planck_radiance", 80.0)
            .with("surface_planck_radiance", 100.0)
            .with("cosmic_background", 0.1)
            .with("sun_cosine", 0.5)
            .with("sun_irradiance", 10.0)
    };
    let case = |surface: &str, parameters: usize| of("adding", surface, parameters);
    let adjoint = |surface: &str, parameters: usize| {
        of("adding_adjoint", surface, parameters).with("top_radiance", 1.0).with("downward_flux", 0.1)
    };
    check_all(&[
        case("lambertian", 1).with("surface_parameters", 0.2),
        case("lambertian", 1)
            .with("surface_parameters", 0.2)
            .with("planck_radiance_level", 80.0)
            .without(&["planck_radiance"]),
        case("rpv", 4).with("surface_parameters", 0.4),
        case("hapke", 3).with("surface_parameters", 0.4),
        case("ross_li", 3).with("surface_parameters", 0.4),
        case("cox_munk", 2).with("surface_parameters", 1.3),
        adjoint("lambertian", 1).with("surface_parameters", 0.2),
        adjoint("hapke", 3).with("surface_parameters", 0.4),
    ]);
}

#[test]
fn no_number_harms_chemistry() {
    use isobar_core::fields::{REACTION, SPECIES};
    let tables = json!({ "mechanism": data("mechanisms/chapman_nox.kpp") });
    let options = |rates: &str, method: &str| {
        json!({
            "end_s": 600,
            "rates": rates,
            "method": method,
            "wanted_times_s": [100, 500],
            "max_steps": 2000,
        })
    };
    let setup = Setup { tables: map(&tables), ..Setup::default() };
    let model = open("chemistry", &setup).unwrap();
    let chosen = model.options(&map(&options("frozen", "rodas3"))).unwrap();
    let file = model.read(&data("chemistry/cells.nc"), &chosen, &isobar_interface::FileChoices::default()).unwrap();
    let facts = model.facts();
    let count = |name: &str| facts[name].as_array().unwrap().len();
    let extents = Extents::new(ITEMS)
        .with(SPECIES, count("species"))
        .with(REACTION, count("reactions"))
        .with(isobar_rosenbrock::RATE_INPUT, count("rate_inputs"));
    let fields: Vec<Field> = file
        .fields
        .iter()
        .map(|field| {
            let items = field.shape.last().copied().unwrap_or(1);
            let rows = field.values.len() / items;
            let at = |row: usize, item: usize| field.values[row * items + item % items];
            let values = (0..rows).flat_map(|row| (0..ITEMS).map(move |item| (row, item)));
            Field { declared: field.declared, values: values.map(|(row, item)| at(row, item)).collect() }
        })
        .collect();
    let case = |options: Value| Case::new("chemistry", tables.clone(), options, extents, fields.clone());
    let given = case(options("frozen", "ros4")).without(&["rate_input"]).with("rate_constant", 1e-12);
    check(&given, Element::F64);
    check(&case(options("frozen", "rodas3")), Element::F64);
    check(&case(options("stage", "ros3")), Element::F64);
}

#[test]
fn no_number_harms_infrared() {
    let tables = |exact: bool| json!({ "control": data("limb/limb.ctl"), "jurassic_exact": exact });
    let options = json!({ "atmosphere": data("limb/atm.tab") });
    let case = |exact: bool| {
        Case::new("infrared", tables(exact), options.clone(), Extents::new(ITEMS), Vec::new())
            .with("time_s", 0.0)
            .with("observer_height_km", 780.0)
            .with("observer_longitude_deg", 0.0)
            .with("observer_latitude_deg", 0.0)
            .with("view_point_height_km", 30.0)
            .with("view_point_longitude_deg", 0.0)
            .with("view_point_latitude_deg", 26.5)
    };
    check_all(&[case(false), case(false), case(true)]);
}
