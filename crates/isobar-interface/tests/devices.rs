//! Arrays in the memory of a GPU, computed there: the bits of the host's. Runs where there is a GPU.

use isobar_core::fields::{AnyField, Extents, InputSet, LAYER, OwnedInputs};
use isobar_golden::devices;
use isobar_interface::{Array, Axes, Call, Callable, Element, ItemsAxis, Kind, Location, Setup, open};
use isobar_launch::{Buffer, Device, Queue};
use serde_json::{Map, Value, json};

const COLUMNS: usize = 333;
const LAYERS: usize = 40;
const AXES: Axes = Axes { items: ItemsAxis::Last, top_first: None };

/// A scheme with inputs: the values of each with its shape; a shape without axes is one value.
struct Case {
    scheme: &'static str,
    tables: Value,
    options: Value,
    inputs: Vec<Option<(Vec<f64>, Vec<usize>)>>,
}

fn inputs<'a, V: InputSet<'a, Real = f64>>(views: &V, extents: &Extents) -> Vec<Option<(Vec<f64>, Vec<usize>)>> {
    let mut all = Vec::new();
    views.visit(&mut |declared, field| match field {
        AnyField::Real(field) if !field.is_empty() && field.strides() == (0, 0) => {
            all.push(Some((vec![field.at(0, 0)], vec![])));
        }
        AnyField::Real(field) if !field.is_empty() => {
            let items = extents.items();
            let values = (0..field.levels()).flat_map(|row| (0..items).map(move |item| field.at(row, item))).collect();
            let own = declared.shape.iter().map(|&dimension| match extents.size(dimension) {
                // Bands, of which the columns have one.
                0 => 1,
                size => size,
            });
            all.push(Some((values, own.chain([items]).collect())));
        }
        _ => all.push(None),
    });
    all
}

fn cases() -> Vec<Case> {
    let ysu = isobar_ysu::analytic::columns::<f64>(COLUMNS, LAYERS, 2);
    let extents = ysu.extents();
    let ysu = inputs(&ysu.views(&extents, "column").unwrap(), &extents);
    let surface = isobar_surface::analytic::columns::<f64>(COLUMNS);
    let extents = surface.extents();
    let surface = inputs(&surface.views(&extents, "column").unwrap(), &extents);
    let radiation = isobar_radiation::analytic::columns::<f64>(COLUMNS, LAYERS, true);
    let extents = Extents::new(COLUMNS).with(LAYER, LAYERS);
    let radiation = isobar_radiation::ColumnViews::try_from(&radiation).unwrap();
    let radiation = inputs(&radiation, &extents);
    let file = |name: &str| format!("{}/../../data/radiation/{name}.nc", env!("CARGO_MANIFEST_DIR"));
    vec![
        Case { scheme: "surface", tables: json!({}), options: json!({ "root": "converged" }), inputs: surface },
        Case { scheme: "ysu", tables: json!({}), options: json!({ "time_step_s": 72 }), inputs: ysu },
        Case {
            scheme: "radiation",
            tables: json!({
                "k_distributions": [file("ecckd-longwave-32"), file("ecckd-shortwave-32")],
                "clouds": [file("ecckd-longwave-32-clouds"), file("ecckd-shortwave-32-clouds")],
            }),
            options: json!({ "clear_sky": true }),
            inputs: radiation,
        },
    ]
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn scheme(case: &Case, device: &str) -> Box<dyn Callable> {
    open(case.scheme, &Setup { device: device.into(), tables: map(&case.tables), ..Setup::default() }).unwrap()
}

/// An array without gaps.
fn array(start: *const u8, element: Element, shape: &[usize], location: Location) -> Array {
    let mut strides = vec![element.bytes() as isize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as isize;
    }
    // SAFETY: the tests keep what the arrays are of, and nobody else writes it.
    unsafe { Array::new(start, element, shape, &strides, location).unwrap().writable() }
}

/// Results of the host.
fn on_host(case: &Case) -> Vec<Option<(Vec<f64>, Vec<u32>)>> {
    let scheme = scheme(case, "cpu");
    let options = scheme.options(&map(&case.options)).unwrap();
    let of =
        |(values, shape): &(Vec<f64>, Vec<usize>)| array(values.as_ptr().cast(), Element::F64, shape, Location::Host);
    let inputs: Vec<Option<Array>> = case.inputs.iter().map(|input| input.as_ref().map(of)).collect();
    let call = Call { inputs: &inputs, axes: AXES, options: &options, stop: None, progress: None };
    let plan = scheme.plan(&call).unwrap();
    let room = |shape: &Vec<usize>| {
        let count = shape.iter().product();
        (vec![0.0_f64; count], vec![0_u32; count])
    };
    let results: Vec<Option<(Vec<f64>, Vec<u32>)>> =
        plan.outputs.iter().map(|shape| shape.as_ref().map(room)).collect();
    let each = scheme.outputs().iter().zip(&results).zip(&plan.outputs);
    let outputs: Vec<Option<Array>> = each
        .map(|((declared, result), shape)| {
            let ((reals, words), shape) = (result.as_ref()?, shape.as_ref()?);
            Some(match declared.kind {
                Kind::Real => array(reals.as_ptr().cast(), Element::F64, shape, Location::Host),
                Kind::Word => array(words.as_ptr().cast(), Element::U32, shape, Location::Host),
            })
        })
        .collect();
    assert!(scheme.run(&call, &outputs).unwrap().is_empty());
    results
}

#[test]
fn arrays_of_a_gpu_stay_there() {
    for case in cases() {
        let expected = on_host(&case);
        assert!(expected.iter().flatten().any(|(reals, _)| reals.iter().any(|&value| value != 0.0)));
        for device in devices() {
            let Device::Cuda(number) = device else { continue };
            let (scheme, queue) = (scheme(&case, &device.to_string()), Queue::new(device).unwrap());
            let options = scheme.options(&map(&case.options)).unwrap();
            let place = Location::Cuda(number);
            let uploaded: Vec<Option<Buffer<f64>>> = case
                .inputs
                .iter()
                .map(|input| input.as_ref().map(|(values, _)| queue.upload(values).unwrap()))
                .collect();
            let each = case.inputs.iter().zip(&uploaded);
            let inputs: Vec<Option<Array>> = each
                .map(|(input, buffer)| match (input.as_ref()?, buffer.as_ref()?) {
                    ((values, shape), _) if shape.is_empty() => {
                        Some(array(values.as_ptr().cast(), Element::F64, shape, Location::Host))
                    }
                    ((_, shape), buffer) => Some(array(buffer.column().as_ptr().cast(), Element::F64, shape, place)),
                })
                .collect();
            let call = Call { inputs: &inputs, axes: AXES, options: &options, stop: None, progress: None };
            let plan = scheme.plan(&call).unwrap();
            let room = |shape: &Vec<usize>| {
                let count = shape.iter().product();
                (queue.zeros::<f64>(count).unwrap(), queue.upload(&vec![99_u32; count]).unwrap())
            };
            let results: Vec<_> = plan.outputs.iter().map(|shape| shape.as_ref().map(room)).collect();
            queue.synchronize().unwrap();
            let each = scheme.outputs().iter().zip(&results).zip(&plan.outputs);
            let outputs: Vec<Option<Array>> = each
                .map(|((declared, result), shape)| {
                    let ((reals, words), shape) = (result.as_ref()?, shape.as_ref()?);
                    Some(match declared.kind {
                        Kind::Real => array(reals.column().as_ptr().cast(), Element::F64, shape, place),
                        Kind::Word => array(words.column().as_ptr().cast(), Element::U32, shape, place),
                    })
                })
                .collect();
            scheme.run(&call, &outputs).unwrap();
            for ((declared, result), expected) in scheme.outputs().iter().zip(&results).zip(&expected) {
                let (Some((reals, words)), Some((host_reals, host_words))) = (result, expected) else { continue };
                match declared.kind {
                    Kind::Real => {
                        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                        let (here, there) = (bits(host_reals), bits(&queue.to_host(reals).unwrap()));
                        assert_eq!(here, there, "{} of {} on {device}", declared.name, case.scheme);
                    }
                    Kind::Word => assert_eq!(*host_words, queue.to_host(words).unwrap(), "{}", declared.name),
                }
            }
        }
    }
}
