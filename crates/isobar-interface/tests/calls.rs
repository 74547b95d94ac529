//! Calls with arrays of any layout give the bits of the models themselves, and what does not fit is one error.

#[path = "calls/any_number.rs"]
mod any_number;

use isobar_core::fields::{AnyField, InputSet, OwnedInputs, OwnedOutputs};
use isobar_interface::{
    Array, Axes, Call, CallError, Callable, Category, Element, FieldError, FileChoices, ItemsAxis, Location, Plan,
    Setup, open,
};
use isobar_ysu::{Columns, Device, Options, Results, Ysu, analytic};
use serde_json::{Map, Value, json};

const COLUMNS: usize = 37;
const LAYERS: usize = 12;

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Numbers with a shape and strides in elements, and where the first is.
struct Owned {
    values: Vec<f64>,
    first: usize,
    shape: Vec<usize>,
    strides: Vec<isize>,
}

impl Owned {
    /// An array of values in the order of `shape`, with each axis stretched by a factor, and perhaps backwards.
    fn new(values: &[f64], shape: &[usize], order: &[usize], gap: usize, backwards: &[bool]) -> Self {
        let mut strides = vec![0_isize; shape.len()];
        let mut step = gap as isize;
        for &axis in order.iter().rev() {
            strides[axis] = step;
            step *= shape[axis] as isize;
        }
        let mut first = 0;
        for (axis, _) in backwards.iter().enumerate().filter(|(_, backwards)| **backwards) {
            first += (shape[axis] as isize - 1) * strides[axis];
            strides[axis] = -strides[axis];
        }
        let mut owned =
            Self { values: vec![f64::NAN; step as usize], first: first as usize, shape: shape.to_vec(), strides };
        for (number, value) in values.iter().enumerate() {
            let place = owned.place(number);
            owned.values[place] = *value;
        }
        owned
    }

    fn place(&self, number: usize) -> usize {
        let (mut rest, mut place) = (number, self.first as isize);
        for (&size, &stride) in self.shape.iter().zip(&self.strides).rev() {
            place += (rest % size) as isize * stride;
            rest /= size;
        }
        place as usize
    }

    fn all(&self) -> Vec<f64> {
        (0..self.shape.iter().product()).map(|number| self.values[self.place(number)]).collect()
    }

    fn array(&self) -> Array {
        let strides: Vec<isize> = self.strides.iter().map(|stride| 8 * stride).collect();
        let start = self.values[self.first..].as_ptr().cast();
        // SAFETY: the strides stay inside the values, which outlive the calls of these tests.
        unsafe { Array::new(start, Element::F64, &self.shape, &strides, Location::Host).unwrap() }
    }

    fn array_mut(&mut self) -> Array {
        // SAFETY: as above; nobody else has the values.
        unsafe { self.array().writable() }
    }
}

fn word(values: &mut [u32]) -> Array {
    // SAFETY: as above.
    unsafe {
        Array::new(values.as_ptr().cast(), Element::U32, &[values.len()], &[4], Location::Host).unwrap().writable()
    }
}

fn ysu() -> Box<dyn Callable> {
    open("ysu", &Setup::from_json(r#"{"device": "thread"}"#).unwrap()).unwrap()
}

fn columns() -> Columns<f64> {
    analytic::columns::<f64>(COLUMNS, LAYERS, 2)
}

/// The values of each input, `[row * items + item]`, as the scheme has them, or item by item; layers turned if asked
/// for.
fn values(columns: &Columns<f64>, items: ItemsAxis, turned: bool) -> Vec<Option<(Vec<f64>, Vec<usize>)>> {
    let extents = columns.extents();
    let views = columns.views(&extents, "column").unwrap();
    let mut all = Vec::new();
    views.visit(&mut |declared, field| {
        let AnyField::Real(field) = field else { unreachable!() };
        if field.is_empty() {
            all.push(None);
            return;
        }
        let own: Vec<usize> = declared.shape.iter().map(|&dimension| extents.size(dimension)).collect();
        let (first, rest) = (own.first().copied().unwrap_or(1), own.iter().skip(1).product::<usize>());
        let row = |row: usize| if turned { (first - 1 - row / rest) * rest + row % rest } else { row };
        let rows = field.levels();
        let (values, shape) = match items {
            ItemsAxis::Last => (
                (0..rows).flat_map(|r| (0..COLUMNS).map(move |c| (r, c))).map(|(r, c)| field.at(row(r), c)).collect(),
                own.iter().copied().chain([COLUMNS]).collect(),
            ),
            ItemsAxis::First => (
                (0..COLUMNS).flat_map(|c| (0..rows).map(move |r| (r, c))).map(|(r, c)| field.at(row(r), c)).collect(),
                [COLUMNS].into_iter().chain(own.iter().copied()).collect(),
            ),
        };
        all.push(Some((values, shape)));
    });
    all
}

fn expected() -> Results<f64> {
    let options = Options { top_down: true, topographic: true, ..Options::new(72.0) };
    Ysu::on(&[Device::Thread]).run(&columns(), &options).unwrap()
}

/// The results in the order of their declaration, words as nothing.
fn reals(results: &Results<f64>) -> Vec<Vec<f64>> {
    let mut all = Vec::new();
    results.each(&mut |_, values| match values {
        isobar_core::fields::AnyValues::Real(values) => all.push(values.to_vec()),
        isobar_core::fields::AnyValues::Word(values) => all.push(values.iter().map(|&word| f64::from(word)).collect()),
    });
    all
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// All layouts: items first and last, any of both the fastest in memory, with gaps, turned.
#[test]
fn any_layout_gives_the_bits_of_the_model() {
    let (scheme, expected) = (ysu(), reals(&expected()));
    let options = scheme.options(&map(json!({ "time_step_s": 72, "top_down": true, "topographic": true }))).unwrap();
    for (items, swapped, gap, top_first) in [
        (ItemsAxis::Last, false, 1, false),
        (ItemsAxis::Last, true, 1, false),
        (ItemsAxis::First, false, 1, false),
        (ItemsAxis::First, true, 3, false),
        (ItemsAxis::First, false, 2, true),
        (ItemsAxis::Last, false, 1, true),
    ] {
        let axes = Axes { items, top_first: Some(top_first) };
        let order = |shape: &[usize]| {
            let mut order: Vec<usize> = (0..shape.len()).collect();
            if swapped {
                // The items change places with the dimensions, as one.
                match items {
                    ItemsAxis::First => order.rotate_left(1),
                    ItemsAxis::Last => order.rotate_right(1),
                }
            }
            order
        };
        let place = |(values, shape): &(Vec<f64>, Vec<usize>)| {
            Owned::new(values, shape, &order(shape), gap, &vec![false; shape.len()])
        };
        let owned: Vec<Option<Owned>> =
            values(&columns(), items, top_first).iter().map(|field| field.as_ref().map(place)).collect();
        let inputs: Vec<Option<Array>> = owned.iter().map(|field| field.as_ref().map(Owned::array)).collect();
        let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
        let plan = scheme.plan(&call).unwrap();
        assert_eq!(plan.items, [COLUMNS]);
        let nothing = |shape: &Vec<usize>| {
            Owned::new(&vec![0.0; shape.iter().product()], shape, &order(shape), gap, &vec![false; shape.len()])
        };
        let mut results: Vec<Option<Owned>> = plan.outputs.iter().map(|shape| shape.as_ref().map(nothing)).collect();
        let (mut level, mut status) = (vec![9; COLUMNS], vec![9; COLUMNS]);
        let count = results.len();
        let outputs: Vec<Option<Array>> = results
            .iter_mut()
            .enumerate()
            .map(|(number, result)| match number {
                _ if number == count - 2 => Some(word(&mut level)),
                _ if number == count - 1 => Some(word(&mut status)),
                _ => result.as_mut().map(Owned::array_mut),
            })
            .collect();
        assert!(scheme.run(&call, &outputs).unwrap().is_empty());
        assert_eq!(status, vec![0; COLUMNS]);
        for (number, (result, expected)) in results.iter().zip(&expected).enumerate().take(count - 2) {
            let name = scheme.outputs()[number].name;
            let Some(result) = result else {
                assert!(expected.is_empty(), "{name} is wanted");
                continue;
            };
            let rows = expected.len() / COLUMNS;
            let tracers = if scheme.outputs()[number].shape.len() == 2 { 2 } else { 1 };
            let layers = rows / tracers;
            let row = |row: usize| {
                let layer = if top_first && rows > 1 { layers - 1 - row / tracers } else { row / tracers };
                layer * tracers + row % tracers
            };
            let got = result.all();
            let mut wanted = Vec::new();
            for number in 0..rows * COLUMNS {
                let (r, c) = match items {
                    ItemsAxis::First => (number % rows, number / rows),
                    ItemsAxis::Last => (number / COLUMNS, number % COLUMNS),
                };
                wanted.push(expected[row(r) * COLUMNS + c]);
            }
            assert_eq!(bits(&got), bits(&wanted), "{name}, {items:?}, swapped {swapped}, gap {gap}, top {top_first}");
        }
    }
}

/// Calls the scheme with one field of the columns replaced.
fn with(name: &str, replace: impl FnOnce(Owned) -> Option<Array>) -> Result<Plan, CallError> {
    let scheme = ysu();
    let options = scheme.options(&map(json!({ "time_step_s": 72 }))).unwrap();
    let place = |(values, shape): &(Vec<f64>, Vec<usize>)| {
        Owned::new(values, shape, &(0..shape.len()).collect::<Vec<_>>(), 1, &vec![false; shape.len()])
    };
    let mut owned: Vec<Option<Owned>> =
        values(&columns(), ItemsAxis::Last, false).iter().map(|field| field.as_ref().map(place)).collect();
    let number = scheme.input_index(name).unwrap();
    let own = owned[number].take().unwrap();
    let mut inputs: Vec<Option<Array>> = owned.iter().map(|field| field.as_ref().map(Owned::array)).collect();
    inputs[number] = replace(own);
    let axes = Axes { items: ItemsAxis::Last, top_first: None };
    let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
    let plan = scheme.plan(&call)?;
    scheme.run(&call, &vec![None; scheme.outputs().len()])?;
    Ok(plan)
}

fn leaked(owned: Owned) -> Option<Array> {
    Some(Box::leak(Box::new(owned)).array())
}

#[test]
fn what_does_not_fit_is_one_error() {
    let error = |name: &str, replace: &dyn Fn(Owned) -> Option<Array>| with(name, replace).unwrap_err();
    let wrong = error("u_m_per_s", &|own| {
        let shape = [COLUMNS, LAYERS];
        leaked(Owned::new(&own.all(), &shape, &[0, 1], 1, &[false; 2]))
    });
    assert_eq!(wrong.to_string(), "u_m_per_s has 12 columns along an axis, and v_m_per_s has 37");
    assert_eq!((wrong.category(), wrong.variable()), (Category::Value, Some("u_m_per_s")));
    // The one that differs from the others gets the blame, whichever the scheme takes the sizes from.
    for (name, layers) in [("u_m_per_s", 11), ("temperature_k", 13), ("interface_pressure_pa", 12), ("tracers", 5)] {
        let wrong = error(name, &|own| {
            let shape: Vec<usize> = [layers].iter().chain(&own.shape[1..]).copied().collect();
            let order: Vec<usize> = (0..shape.len()).collect();
            leaked(Owned::new(&vec![1.0; shape.iter().product()], &shape, &order, 1, &vec![false; shape.len()]))
        });
        assert_eq!(wrong.variable(), Some(name), "{wrong}");
    }
    let wrong = error("thickness_m", &|own| {
        leaked(Owned::new(&own.all()[COLUMNS..], &[LAYERS - 1, COLUMNS], &[0, 1], 1, &[false; 2]))
    });
    assert_eq!(wrong.to_string(), "thickness_m has shape (11, 37), and (layer, column) = (12, 37) is wanted");
    let wrong = error("roughness_m", &|_| None);
    assert_eq!(wrong.to_string(), "roughness_m is missing, and needed: (column), m");
    let wrong = error("temperature_k", &|_| None);
    assert_eq!(wrong.to_string(), "temperature_k is missing, and needed: (layer, column), K");
    let wrong = error("temperature_k", &|mut own| {
        own.values[3 * COLUMNS + 5] = f64::NAN;
        leaked(own)
    });
    let CallError::Field(FieldError::Value { variable, item, place, .. }) = &wrong else { panic!("{wrong}") };
    assert_eq!((*variable, *item, place.as_slice()), ("temperature_k", 5, [("layer", 3)].as_slice()));
    // SAFETY: nothing is read.
    let single = |own: Owned| unsafe {
        let own = Box::leak(Box::new(own));
        Array::new(own.values.as_ptr().cast(), Element::F32, &own.shape, &[8 * COLUMNS as isize, 8], Location::Host)
            .ok()
    };
    let wrong = error("temperature_k", &single);
    assert_eq!(
        (wrong.to_string().as_str(), wrong.category()),
        ("temperature_k is f32, and f64 is wanted", Category::Kind)
    );
    // SAFETY: nothing is read.
    let elsewhere = |own: Owned| unsafe {
        let own = Box::leak(Box::new(own));
        Array::new(own.values.as_ptr().cast(), Element::F64, &own.shape, &[8 * COLUMNS as isize, 8], Location::Cuda(1))
            .ok()
    };
    let wrong = error("temperature_k", &elsewhere);
    assert!(wrong.to_string().contains("lies on cuda:1, and u_m_per_s on the host"), "{wrong}");
    let few = |own: Owned| leaked(Owned { shape: vec![], strides: vec![], ..own });
    assert!(with("tracers", few).is_ok(), "one value is that of all");
}

/// What has no axis of items, or one of size 1, is the same for all of them; all of them single is one column.
#[test]
fn single_values_and_profiles_stand_for_all() {
    let plan = with("thickness_m", |own| {
        let profile: Vec<f64> = (0..LAYERS).map(|layer| own.all()[layer * COLUMNS]).collect();
        leaked(Owned::new(&profile, &[LAYERS], &[0], 1, &[false]))
    });
    assert_eq!(plan.unwrap().extents.items(), COLUMNS);
    let plan = with("roughness_m", |_| leaked(Owned::new(&[0.1], &[1], &[0], 1, &[false])));
    assert_eq!(plan.unwrap().items, [COLUMNS]);
    // Layers that are all as thick, of each column its own.
    let plan =
        with("thickness_m", |own| leaked(Owned::new(&own.all()[..COLUMNS], &[1, COLUMNS], &[0, 1], 1, &[false; 2])));
    assert_eq!(plan.unwrap().items, [COLUMNS]);
}

/// A batch may be empty: its results are, too, and have the other sizes.
#[test]
fn no_columns_are_computed_as_such() {
    let scheme = ysu();
    let options = scheme.options(&map(json!({ "time_step_s": 72 }))).unwrap();
    let none = |field: &Option<(Vec<f64>, Vec<usize>)>| {
        let (_, shape) = field.as_ref()?;
        let shape: Vec<usize> = shape[..shape.len() - 1].iter().copied().chain([0]).collect();
        Some(Owned { values: vec![0.0], first: 0, strides: vec![1; shape.len()], shape })
    };
    let owned: Vec<Option<Owned>> = values(&columns(), ItemsAxis::Last, false).iter().map(none).collect();
    let mut inputs: Vec<Option<Array>> = owned.iter().map(|field| field.as_ref().map(Owned::array)).collect();
    let axes = Axes { items: ItemsAxis::Last, top_first: None };
    let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
    let plan = scheme.plan(&call).unwrap();
    assert_eq!((plan.items.as_slice(), plan.outputs[0].as_deref()), ([0].as_slice(), Some([LAYERS, 0].as_slice())));
    assert!(scheme.run(&call, &vec![None; scheme.outputs().len()]).unwrap().is_empty());
    // Shapes are looked at all the same.
    let wrong = Owned { values: vec![0.0], first: 0, strides: vec![1; 2], shape: vec![LAYERS + 1, 0] };
    inputs[2] = Some(wrong.array());
    let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
    assert_eq!(scheme.plan(&call).unwrap_err().variable(), Some("temperature_k"));
}

/// A cell whose integration fails is an error with `stop`, and has a status with `flag`.
#[test]
fn what_fails_on_the_way_is_said() {
    let mechanism = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/mechanisms/chapman_nox.kpp");
    let run = |bad_items: &str| {
        let setup = json!({ "device": "thread", "bad_items": bad_items, "tables": { "mechanism": mechanism } });
        let scheme = open("chemistry", &Setup::from_json(&setup.to_string()).unwrap()).unwrap();
        // An hour is more than two steps from the first one's 10 microseconds, which is that of the options.
        let given = json!({ "end_s": 3600, "max_steps": 2, "rates": "frozen" });
        let options = scheme.options(&map(given)).unwrap();
        let species = scheme.facts()["species"].as_array().unwrap().len();
        let rate_inputs = scheme.facts()["rate_inputs"].as_array().unwrap();
        let inputs: Vec<f64> = rate_inputs.iter().map(|input| input["default"].as_f64().unwrap_or(1.0)).collect();
        let nothing = Owned::new(&vec![0.0; species], &[species, 1], &[0, 1], 1, &[false; 2]);
        let rate_input = Owned::new(&inputs, &[inputs.len()], &[0], 1, &[false]);
        let mut arrays = vec![None; scheme.inputs().len()];
        arrays[scheme.input_index("concentration").unwrap()] = Some(nothing.array());
        if !inputs.is_empty() {
            arrays[scheme.input_index("rate_input").unwrap()] = Some(rate_input.array());
        }
        let axes = Axes { items: ItemsAxis::Last, top_first: None };
        let call = Call { inputs: &arrays, axes, options: &options, stop: None, progress: None };
        let mut status = [9];
        let mut outputs = vec![None; scheme.outputs().len()];
        outputs[scheme.output_index("status").unwrap()] = Some(word(&mut status));
        let outcome = scheme.run(&call, &outputs);
        (outcome, status)
    };
    assert_eq!(run("stop").0.unwrap_err().to_string(), "cell 0 was not computed: too many steps (status 16)");
    let (flagged, status) = run("flag");
    assert_eq!(flagged.unwrap().iter().map(FieldError::item).collect::<Vec<_>>(), [Some(0)]);
    assert_eq!(status, [16]);
    let (computed, status) = run("compute");
    assert!(computed.unwrap().is_empty());
    assert_eq!(status, [16]);
}

#[test]
fn results_have_memory_of_their_own() {
    let scheme = ysu();
    let options = scheme.options(&map(json!({ "time_step_s": 72 }))).unwrap();
    let place = |(values, shape): &(Vec<f64>, Vec<usize>)| {
        Owned::new(values, shape, &(0..shape.len()).collect::<Vec<_>>(), 1, &vec![false; shape.len()])
    };
    let owned: Vec<Option<Owned>> =
        values(&columns(), ItemsAxis::Last, false).iter().map(|field| field.as_ref().map(place)).collect();
    let inputs: Vec<Option<Array>> = owned.iter().map(|field| field.as_ref().map(Owned::array)).collect();
    let axes = Axes { items: ItemsAxis::Last, top_first: None };
    let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
    let mut outputs: Vec<Option<Array>> = vec![None; scheme.outputs().len()];
    let tendency = scheme.output_index("u_tendency_m_per_s2").unwrap();
    outputs[tendency] = inputs[0];
    let error = scheme.run(&call, &outputs).unwrap_err().to_string();
    assert_eq!(error, "u_tendency_m_per_s2 is a result, and shares memory with the input u_m_per_s");
    let own = Owned::new(&[0.0; LAYERS * COLUMNS], &[LAYERS, COLUMNS], &[0, 1], 1, &[false; 2]);
    outputs[tendency] = Some(own.array());
    let error = scheme.run(&call, &outputs).unwrap_err();
    assert_eq!(error.to_string(), "u_tendency_m_per_s2 is a result, and may not be written: it is read-only");
    assert_eq!(
        scheme.output_index("u_tendency").unwrap_err().to_string(),
        "there is no result 'u_tendency': did you mean 'u_tendency_m_per_s2'?"
    );
}

#[test]
fn options_are_known_by_name() {
    let scheme = ysu();
    let error = |given: Value| scheme.options(&map(given)).err().unwrap().to_string();
    assert_eq!(error(json!({})), "the option 'time_step_s' has to be given");
    assert_eq!(error(json!({ "time_step": 60 })), "there is no option 'time_step': did you mean 'time_step_s'?");
    assert!(error(json!({ "time_step_s": 60, "version": "wrf5" })).contains("unknown variant `wrf5`, expected `wrf4`"));
    let lw = Setup { tables: map(json!({ "k_distributions": ["analytic"] })), ..Setup::default() };
    let lw = open("radiation", &lw).unwrap();
    // An option of a group by its own name, and by that of the group.
    assert!(lw.options(&map(json!({ "overlap": "random", "seed": 3, "angles": { "gauss": 2 } }))).is_ok());
    assert!(lw.options(&map(json!({ "rrtmg": { "ice": "spheres" } }))).is_ok());
    assert!(lw.options(&map(json!({ "rrtmg": { "ices": "spheres" } }))).is_err());
    let twice = lw.options(&map(json!({ "ice": "fu", "rrtmg": { "ice": "spheres" } }))).err().unwrap().to_string();
    assert_eq!(twice, "the option 'ice' is given twice: by its own name, and in 'rrtmg'");
    assert!(lw.options(&map(json!({ "liquid": "hu_stamnes", "rrtmg": { "ice": "spheres" } }))).is_ok());
    assert_eq!(
        open("ysd", &Setup::default()).err().unwrap().to_string(),
        "there is no scheme 'ysd': did you mean 'ysu'?"
    );
    // The one that is wrong is named, and null is the default.
    assert!(error(json!({ "time_step_s": 60, "top_down": 3 })).starts_with("the option 'top_down' is 3: "));
    assert!(error(json!({ "time_step_s": "long" })).starts_with("the option 'time_step_s' is \"long\": "));
    assert!(scheme.options(&map(json!({ "time_step_s": 60, "top_down": null }))).is_ok());
    // Constants: a host's, those that differ, one by its own name.
    for constants in [json!("mpas"), json!({ "gravity_m_per_s2": 9.8 }), json!("ufs,g=9.8")] {
        assert!(scheme.options(&map(json!({ "time_step_s": 60, "constants": constants }))).is_ok());
    }
    assert!(scheme.options(&map(json!({ "time_step_s": 60, "gravity_m_per_s2": 9.8 }))).is_ok());
    assert!(error(json!({ "time_step_s": 60, "constants": "mars" })).contains("'mars' is no host model"));
    for name in isobar_interface::SCHEMES {
        let declared = isobar_interface::declared(name).unwrap();
        assert!(!declared.inputs.is_empty() && !declared.defaults.is_empty(), "{name}");
    }
}

/// What is null among the defaults has to be given; in a group it need not be.
#[test]
fn nulls_outside_of_groups_have_to_be_given() {
    let mechanism = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/mechanisms/chapman_nox.kpp");
    let setup = Setup { tables: map(json!({ "mechanism": mechanism })), ..Setup::default() };
    let scheme = open("chemistry", &setup).unwrap();
    let defaults = scheme.defaults();
    let null = |(name, value): (&String, &Value)| value.is_null().then(|| name.clone());
    assert_eq!(defaults.iter().filter_map(null).collect::<Vec<_>>(), ["end_s"]);
    let in_group: Vec<String> = defaults["options"].as_object().unwrap().iter().filter_map(null).collect();
    assert!(in_group.contains(&"autonomous".to_owned()) && in_group.contains(&"max_step_s".to_owned()));
    let error = |given: Value| scheme.options(&map(given)).err().map(|error| error.to_string());
    assert_eq!(error(json!({})).unwrap(), "the option 'end_s' has to be given");
    assert_eq!(error(json!({ "end_s": 60 })), None);
    // Null is the default: what is said of the options may be given back.
    let mut all = defaults.clone();
    all.insert("end_s".to_owned(), 60.into());
    assert_eq!(error(all.into()), None);
    let twice = error(json!({ "end_s": 60, "method": "ros2", "options": { "method": "ros4" } }));
    assert_eq!(twice.unwrap(), "the option 'method' is given twice: by its own name, and in 'options'");
}

/// Files of boundary layers are read as `isobar pbl` reads them: constants win, a name may be another.
#[test]
fn files_of_boundary_layers_are_completed() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/pbl/columns.nc");
    for name in ["ysu", "shin_hong"] {
        let scheme = open(name, &Setup::from_json(r#"{"device": "thread"}"#).unwrap()).unwrap();
        let options = scheme.options(&map(json!({ "time_step_s": 60 }))).unwrap();
        let read = |choices: serde_json::Value| {
            let read = scheme.read(&path, &options, &FileChoices::from_map(&map(choices)).unwrap())?;
            let of = |wanted: &str| {
                let field = read.fields.iter().find(|field| field.declared.name == wanted).expect("it was read");
                field.values.clone()
            };
            Ok::<_, CallError>([of("roughness_m"), of("surface_pressure_pa"), of("moisture_flux_kg_per_m2_s")])
        };
        let [roughness, pressure, flux] = read(json!({})).unwrap();
        assert_ne!(roughness, [0.25; 4]);
        let given = read(json!({ "values": { "roughness": 0.25 } })).unwrap();
        assert_eq!(given, [vec![0.25; 4], pressure.clone(), flux.clone()]);
        // The file again completes itself.
        assert_eq!(read(json!({ "others": [path] })).unwrap(), [roughness, pressure.clone(), flux]);
        let named = read(json!({ "names": { "moisture_flux": "hfx" } })).unwrap_err().to_string();
        assert!(named.contains("hfx has units \"W m-2\""), "{named}");
        let vertical = read(json!({ "vertical": "nothing" })).unwrap_err().to_string();
        assert!(vertical.contains("there is no dimension nothing"), "{vertical}");
    }
}

/// What a user should hear: of a call with amounts of gases for which ecCKD's tables were not trained, and of a file
/// whose clouds have no fraction.
#[test]
fn doubts_of_radiation_are_told() {
    let file = |name: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation").join(name);
    let tables = json!({ "k_distributions": [file("ecckd-longwave-32.nc")] });
    let setup = json!({ "device": "thread", "tables": tables }).to_string();
    let radiation = open("radiation", &Setup::from_json(&setup).unwrap()).unwrap();
    assert_eq!(radiation.facts()["longwave"]["trained_mole_fractions"]["n2o"], json!([190e-9, 540e-9]));
    let options = radiation.options(&Map::new()).unwrap();
    let heard = |methane: Option<f64>| {
        let gases = methane.map(|methane| json!({ "ch4": methane })).unwrap_or_else(|| json!({}));
        let choices = FileChoices::from_map(&map(json!({ "gases": gases }))).unwrap();
        let read = radiation.read(&file("columns.nc"), &options, &choices).unwrap();
        // The long wave needs nothing of the sun.
        let [not_read] = &read.notes[..] else { panic!("{:?}", read.notes) };
        assert!(not_read.starts_with("not read: ") && not_read.ends_with("total_solar_irradiance"), "{not_read}");
        let owned: Vec<Option<Owned>> = radiation
            .inputs()
            .iter()
            .map(|declared| {
                let field = read.fields.iter().find(|field| field.declared.name == declared.name)?;
                let order: Vec<usize> = (0..field.shape.len()).collect();
                Some(Owned::new(&field.values, &field.shape, &order, 1, &[]))
            })
            .collect();
        let inputs: Vec<Option<Array>> = owned.iter().map(|owned| Some(owned.as_ref()?.array())).collect();
        let axes = Axes { items: ItemsAxis::Last, top_first: None };
        let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
        radiation.doubts(&call).unwrap()
    };
    assert_eq!(heard(None), [""; 0]);
    let [text] = &heard(Some(0.0))[..] else { panic!("one gas") };
    assert!(
        text.starts_with("ch4 is 0 mol/mol at the ground of column 0") && text.contains("8 of 8 columns"),
        "{text}"
    );
}

/// Air that is hotter than the emissivity tables at all points of all paths.
#[test]
fn doubts_of_paths_are_told() {
    let control = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/limb/limb.ctl");
    let setup = json!({ "device": "thread", "tables": { "control": control } }).to_string();
    let infrared = open("infrared", &Setup::from_json(&setup).unwrap()).unwrap();
    let height_km: Vec<f64> = (0..=40).map(|i| 2.0 * f64::from(i)).collect();
    let pressure_hpa: Vec<f64> = height_km.iter().map(|z| 1000.0 * isobar_core::Real::exp(-z / 7.0)).collect();
    let levels = json!({
        "height_km": height_km,
        "pressure_hpa": pressure_hpa,
        "temperature_k": vec![450.0; 41],
        "mixing_ratio": { "CO2": vec![4e-4; 41] },
    });
    let options = infrared.options(&map(json!({ "atmosphere": levels }))).unwrap();
    let of = |name: &str| match name {
        "observer_height_km" => 780.0,
        "view_point_height_km" => 30.0,
        "view_point_latitude_deg" => 26.5,
        _ => 0.0,
    };
    let all = infrared.inputs().iter().map(|declared| Owned::new(&[of(declared.name); 3], &[3], &[0], 1, &[]));
    let owned: Vec<Owned> = all.collect();
    let inputs: Vec<Option<Array>> = owned.iter().map(|owned| Some(owned.array())).collect();
    let axes = Axes { items: ItemsAxis::Last, top_first: None };
    let call = Call { inputs: &inputs, axes, options: &options, stop: None, progress: None };
    let doubts = infrared.doubts(&call).unwrap();
    let told = " path points (100.00 %) lie outside the emissivity tables, the first at ";
    let of_carbon_dioxide = doubts.iter().filter(|line| line.starts_with("CO2: ") && line.contains(told));
    assert_eq!(of_carbon_dioxide.count(), 1, "{doubts:?}");
}

/// What the command takes unless it is told: RRTMG_LW alone has a heat capacity of its own.
#[test]
fn heat_capacity_is_that_of_the_command() {
    let file = |name: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation").join(name);
    let [longwave, shortwave] = ["ecckd-longwave-32.nc", "ecckd-shortwave-32.nc"].map(file);
    let analytic = std::path::PathBuf::from("analytic");
    for (files, capacity) in
        [(vec![&analytic], 1004.0), (vec![&analytic, &shortwave], 1004.64), (vec![&longwave, &shortwave], 1004.64)]
    {
        let setup = json!({ "device": "thread", "tables": { "k_distributions": files } }).to_string();
        let radiation = open("radiation", &Setup::from_json(&setup).unwrap()).unwrap();
        assert_eq!(radiation.defaults()["heat_capacity_j_per_kg_k"], json!(capacity));
        assert_eq!(radiation.defaults()["clear_sky"], json!(false));
    }
}
