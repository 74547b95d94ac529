//! The drop-ins' results by the library, without C or Fortran.

use std::collections::BTreeMap;

use isobar_interface::{Array, Axes, Call, Callable, Element, ItemsAxis, Kind, Location, Setup, open};

/// A scheme in a precision on the calling thread.
pub(crate) fn scheme(name: &str, precision: &str, tables: &serde_json::Value) -> Box<dyn Callable> {
    let setup = serde_json::json!({ "device": "thread", "precision": precision, "tables": tables });
    open(name, &Setup::from_json(&setup.to_string()).unwrap()).unwrap()
}

/// Numbers of a field, the items the fastest.
pub(crate) enum Values {
    Real(Vec<f64>),
    Word(Vec<u32>),
}

/// What a scheme makes of inputs by name: numbers of each result that the options want. Shapes follow from the number
/// of items and the sizes of dimensions.
pub(crate) fn run(
    scheme: &dyn Callable,
    items: usize,
    sizes: &[(&str, usize)],
    inputs: Vec<(&'static str, Values)>,
    options: &serde_json::Value,
) -> BTreeMap<&'static str, Vec<f64>> {
    let single = scheme.precision() == Element::F32;
    let mut memory: Vec<Memory> = Vec::new();
    let mut arrays = vec![None; scheme.inputs().len()];
    let shape_of = |shape: &[isobar_interface::Dimension]| -> Vec<usize> {
        let size = |name: &str| sizes.iter().find(|(known, _)| *known == name).map(|(_, size)| *size).unwrap();
        shape.iter().map(|dimension| size(dimension.0)).chain([items]).collect()
    };
    for (name, values) in inputs {
        let index = scheme.input_index(name).unwrap();
        let shape = shape_of(scheme.inputs()[index].shape);
        let (bytes, element): (Vec<u8>, _) = match values {
            Values::Real(values) if single => {
                (values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect(), Element::F32)
            }
            Values::Real(values) => (values.iter().flat_map(|value| value.to_le_bytes()).collect(), Element::F64),
            Values::Word(values) => (values.iter().flat_map(|value| value.to_le_bytes()).collect(), Element::U32),
        };
        assert_eq!(bytes.len(), shape.iter().product::<usize>() * element.bytes(), "{name} of shape {shape:?}");
        memory.push(Memory::new(&bytes));
        arrays[index] = Some(memory.last().unwrap().array(element, &shape));
    }
    let serde_json::Value::Object(options) = options else { panic!("options are an object") };
    let options = scheme.options(options).unwrap();
    let axes = Axes { items: ItemsAxis::Last, top_first: None };
    let call = Call { inputs: &arrays, axes, options: &options, stop: None, progress: None };
    let plan = scheme.plan(&call).unwrap();
    let mut outputs = Vec::new();
    for (declared, shape) in scheme.outputs().iter().zip(&plan.outputs) {
        let element = if declared.kind == Kind::Word { Element::U32 } else { scheme.precision() };
        let count = shape.as_ref().map_or(0, |shape| shape.iter().product::<usize>() * element.bytes());
        memory.push(Memory::new(&vec![0; count]));
        let own = memory.last().unwrap();
        // SAFETY: nobody else has the memory.
        outputs.push(shape.as_ref().map(|shape| unsafe { own.array(element, shape).writable() }));
    }
    scheme.run(&call, &outputs).unwrap();
    let first = memory.len() - outputs.len();
    let results = scheme.outputs().iter().zip(&memory[first..]).filter(|(_, memory)| memory.len > 0);
    let numbers = |kind, bytes: &[u8]| -> Vec<f64> {
        match kind {
            Kind::Word => bytes.chunks_exact(4).map(|b| f64::from(u32::from_le_bytes(b.try_into().unwrap()))).collect(),
            Kind::Real if single => {
                bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap()))).collect()
            }
            Kind::Real => bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
        }
    };
    results.map(|(declared, memory)| (declared.name, numbers(declared.kind, &memory.bytes()))).collect()
}

/// Bytes that begin at a multiple of 8.
struct Memory {
    words: Vec<u64>,
    len: usize,
}

impl Memory {
    fn new(bytes: &[u8]) -> Self {
        let word = |part: &[u8]| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_ne_bytes(word)
        };
        Self { words: bytes.chunks(8).map(word).collect(), len: bytes.len() }
    }

    fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_ne_bytes()).take(self.len).collect()
    }

    /// An array of one piece.
    fn array(&self, element: Element, shape: &[usize]) -> Array {
        let mut strides = vec![0; shape.len()];
        let mut next = element.bytes();
        for (stride, &size) in strides.iter_mut().zip(shape).rev() {
            *stride = next as isize;
            next *= size;
        }
        // SAFETY: the bytes are there, and are kept during the call.
        unsafe { Array::new(self.words.as_ptr().cast(), element, shape, &strides, Location::Host).unwrap() }
    }
}

/// Are both the same numbers, bit for bit?
pub(crate) fn assert_same(got: &[f64], expected: &[f64], what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let other = got.iter().zip(expected).position(|(got, expected)| got.to_bits() != expected.to_bits());
    if let Some(index) = other {
        panic!("{what}: number {index} is {:e} instead of {:e}", got[index], expected[index]);
    }
}
