//! Arrays in a GPU's memory through the interface of C: they stay there, and have the bits of the host.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr;

use isobar_c::{
    ISOBAR_VERSION, IsobarArray, IsobarField, IsobarKind, IsobarRun, IsobarScheme, IsobarSetup, Status, isobar_create,
    isobar_describe, isobar_destroy, isobar_field_count, isobar_last_error, isobar_run,
};
use isobar_core::fields::OwnedInputs;
use isobar_golden::devices;
use isobar_launch::{Device, Queue};
use isobar_ysu::analytic;

const COLUMNS: usize = 70;
const LAYERS: usize = 12;
const RESULT: &CStr = c"theta_tendency_k_per_s";

fn message() -> String {
    let mut text = vec![0_u8; 1024];
    // SAFETY: the text has the length that is given.
    let length = unsafe { isobar_last_error(text.as_mut_ptr().cast(), text.len()) };
    String::from_utf8_lossy(&text[..length.min(text.len() - 1)]).into_owned()
}

struct Scheme(*mut IsobarScheme);

impl Scheme {
    fn new(device: Device) -> Self {
        let device = CString::new(device.to_string()).unwrap();
        let setup = IsobarSetup {
            version: ISOBAR_VERSION,
            precision: 64,
            scheme: c"ysu".as_ptr(),
            device: device.as_ptr(),
            json: ptr::null(),
        };
        let mut scheme = ptr::null_mut();
        // SAFETY: all pointers are to what they should be.
        let status = unsafe { isobar_create(&raw const setup, &raw mut scheme) };
        assert_eq!(status, Status::Ok, "{}", message());
        Self(scheme)
    }

    /// Its results of these options: names, layers (0 for the surface), and whether they are words.
    fn results(&self) -> Vec<(CString, usize, bool)> {
        // SAFETY: a scheme.
        let count = unsafe { isobar_field_count(self.0, 1) };
        let describe = |index| {
            let mut field = MaybeUninit::<IsobarField>::zeroed();
            // SAFETY: all pointers are to what they should be; texts live as long as the scheme.
            let (field, name) = unsafe {
                (&raw mut (*field.as_mut_ptr()).version).write(ISOBAR_VERSION);
                assert_eq!(isobar_describe(self.0, 1, index, field.as_mut_ptr()), Status::Ok, "{}", message());
                let field = field.assume_init();
                (field, CStr::from_ptr(field.name).to_owned())
            };
            (name, if field.dimensions == 0 { 0 } else { LAYERS }, field.kind == IsobarKind::Word as i32)
        };
        let all = (0..count).map(describe);
        // There are no tracers.
        all.filter(|(name, ..)| !name.to_string_lossy().starts_with("tracers")).collect()
    }

    /// Runs it on inputs and results by name, each with its number of layers or levels (none for the surface) and its
    /// address.
    fn run(&self, inputs: &[(CString, usize, *const f64)], results: &[(CString, usize, bool, u64)], at: i32) -> Status {
        let array = |name: &CStr, rows: usize, kind: IsobarKind, sizes: &[i64; 2], data: u64| IsobarArray {
            version: ISOBAR_VERSION,
            kind: kind as i32,
            device: at,
            dimensions: if rows == 0 { 1 } else { 2 },
            name: name.as_ptr(),
            data: data as *mut _,
            sizes: if rows == 0 { &raw const sizes[1] } else { sizes.as_ptr() },
            strides: ptr::null(),
        };
        let sizes = |rows: usize| [rows as i64, COLUMNS as i64];
        let of_inputs: Vec<_> = inputs.iter().map(|(_, rows, _)| sizes(*rows)).collect();
        let of_results: Vec<_> = results.iter().map(|(_, rows, ..)| sizes(*rows)).collect();
        let each = inputs.iter().zip(&of_inputs);
        let inputs: Vec<_> =
            each.map(|((name, rows, data), sizes)| array(name, *rows, IsobarKind::F64, sizes, *data as u64)).collect();
        let kind = |is_word: bool| if is_word { IsobarKind::Word } else { IsobarKind::F64 };
        let each = results.iter().zip(&of_results);
        let outputs: Vec<_> =
            each.map(|((name, rows, word, data), sizes)| array(name, *rows, kind(*word), sizes, *data)).collect();
        let run = IsobarRun {
            version: ISOBAR_VERSION,
            items_first: 0,
            top_first: -1,
            reserved: 0,
            options: c"{\"time_step_s\": 60}".as_ptr(),
            inputs: inputs.as_ptr(),
            input_count: inputs.len(),
            outputs: outputs.as_ptr(),
            output_count: outputs.len(),
            progress: None,
            context: ptr::null_mut(),
        };
        // SAFETY: all pointers are to what they should be.
        unsafe { isobar_run(self.0, &raw const run) }
    }
}

impl Drop for Scheme {
    fn drop(&mut self) {
        // SAFETY: it was made, and is given back once.
        unsafe { isobar_destroy(self.0) };
    }
}

#[test]
fn arrays_of_a_gpu_have_the_bits_of_the_host() {
    let mut columns = analytic::columns::<f64>(COLUMNS, LAYERS, 0);
    let mut fields = Vec::new();
    columns.each_real(&mut |declared, values| {
        let unread = ["radiative_heating_k_per_s", "drag_factor", "wind_weight", "tracers"].contains(&declared.name);
        let rows = if declared.shape.is_empty() { 0 } else { values.len() / COLUMNS };
        if !unread {
            fields.push((CString::new(declared.name).unwrap(), rows, std::mem::take(values)));
        }
    });
    let at = |(name, rows, values): &(CString, usize, Vec<f64>)| (name.clone(), *rows, values.as_ptr());
    let on_host: Vec<_> = fields.iter().map(at).collect();
    let scheme = Scheme::new(Device::Cpu);
    let names = scheme.results();
    assert!(names.len() > 10 && names.iter().any(|(.., is_word)| *is_word));
    // Room for words, too, in doubles.
    let room = || vec![vec![0.0_f64; LAYERS * COLUMNS]; names.len()];
    let addresses = |of: &dyn Fn(usize) -> u64| -> Vec<_> {
        let each = names.iter().enumerate();
        each.map(|(i, (name, rows, is_word))| (name.clone(), *rows, *is_word, of(i))).collect()
    };
    let mut expected = room();
    let starts: Vec<_> = expected.iter_mut().map(|values| values.as_mut_ptr() as u64).collect();
    let on_cpu = addresses(&|i| starts[i]);
    let status = scheme.run(&on_host, &on_cpu, -1);
    assert_eq!(status, Status::Ok, "{}", message());
    let of_theta = names.iter().position(|(name, ..)| name.as_c_str() == RESULT).unwrap();
    let theta = &expected[of_theta];
    assert!(theta.iter().all(|value| value.is_finite()) && theta.iter().any(|&value| value != 0.0));
    // A scheme of the host takes no arrays of a GPU.
    let mut spare = room();
    let starts: Vec<_> = spare.iter_mut().map(|values| values.as_mut_ptr() as u64).collect();
    let status = scheme.run(&on_host, &addresses(&|i| starts[i]), 0);
    assert!(matches!(status, Status::Value | Status::Device | Status::Kind), "{status:?}");

    let same = |got: &[f64], expected: &[f64]| got.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits());
    for device in devices() {
        let Device::Cuda(number) = device else { continue };
        let queue = Queue::new(device).unwrap();
        let buffers: Vec<_> = fields.iter().map(|(_, _, values)| queue.upload(values).unwrap()).collect();
        let zeros = || queue.zeros::<f64>(LAYERS * COLUMNS).unwrap();
        let mut results: Vec<_> = names.iter().map(|_| zeros()).collect();
        queue.synchronize().unwrap();
        let each = fields.iter().zip(&buffers);
        let there: Vec<_> =
            each.map(|((name, rows, _), buffer)| (name.clone(), *rows, buffer.column().as_ptr())).collect();
        let starts: Vec<_> =
            results.iter_mut().map(|buffer| buffer.item_fastest_mut(LAYERS, COLUMNS).as_ptr() as u64).collect();
        let scheme = Scheme::new(device);
        let place = number as i32;
        assert_eq!(scheme.run(&there, &addresses(&|i| starts[i]), place), Status::Ok, "{}", message());
        for (result, expected) in results.iter().zip(&expected) {
            assert!(same(&queue.to_host(result).unwrap(), expected), "{device}");
        }
        // On a GPU no result is made that the caller has no array for.
        assert_eq!(scheme.run(&there, &addresses(&|i| starts[i])[1..], place), Status::Kind);
        // The same from the host's memory, of which results may be left out.
        let mut result = vec![0.0; LAYERS * COLUMNS];
        let (name, rows, is_word) = names[of_theta].clone();
        let alone = [(name, rows, is_word, result.as_mut_ptr() as u64)];
        assert_eq!(scheme.run(&on_host, &alone, -1), Status::Ok, "{}", message());
        assert!(same(&result, &expected[of_theta]), "{device}");
    }
}
