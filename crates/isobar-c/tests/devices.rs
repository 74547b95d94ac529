//! Arrays in a GPU's memory through the interface of C: they stay there, and have the bits of the host.

use std::ffi::CString;
use std::ptr;

use isobar_c::{
    ISOBAR_VERSION, IsobarArray, IsobarKind, IsobarRun, IsobarScheme, IsobarSetup, Status, isobar_create,
    isobar_destroy, isobar_last_error, isobar_run,
};
use isobar_core::fields::OwnedInputs;
use isobar_golden::devices;
use isobar_launch::{Device, Queue};
use isobar_ysu::analytic;

const COLUMNS: usize = 70;
const LAYERS: usize = 12;
const RESULT: &std::ffi::CStr = c"theta_tendency_k_per_s";

fn message() -> String {
    let mut text = vec![0_u8; 1024];
    // SAFETY: there is room for so many bytes.
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

    /// Runs it on arrays by name, of so many layers or levels (none for the surface), at these addresses.
    fn run(&self, inputs: &[(CString, usize, *const f64)], result: *mut f64, device: i32) -> Status {
        let sizes: Vec<[i64; 2]> = inputs.iter().map(|(_, rows, _)| [*rows as i64, COLUMNS as i64]).collect();
        let array = |name: &std::ffi::CStr, sizes: &[i64; 2], data: *mut f64| IsobarArray {
            version: ISOBAR_VERSION,
            kind: IsobarKind::F64 as i32,
            device,
            dimensions: if sizes[0] == 0 { 1 } else { 2 },
            name: name.as_ptr(),
            data: data.cast(),
            sizes: if sizes[0] == 0 { &raw const sizes[1] } else { sizes.as_ptr() },
            strides: ptr::null(),
        };
        let each = inputs.iter().zip(&sizes);
        let inputs: Vec<_> = each.map(|((name, _, data), sizes)| array(name, sizes, data.cast_mut())).collect();
        let of_result = [LAYERS as i64, COLUMNS as i64];
        let output = array(RESULT, &of_result, result);
        let run = IsobarRun {
            version: ISOBAR_VERSION,
            items_first: 0,
            top_first: -1,
            reserved: 0,
            options: c"{\"time_step_s\": 60}".as_ptr(),
            inputs: inputs.as_ptr(),
            input_count: inputs.len(),
            outputs: &raw const output,
            output_count: 1,
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
    let mut expected = vec![0.0; LAYERS * COLUMNS];
    let status = Scheme::new(Device::Cpu).run(&on_host, expected.as_mut_ptr(), -1);
    assert_eq!(status, Status::Ok, "{}", message());
    assert!(expected.iter().all(|value| value.is_finite()) && expected.iter().any(|&value| value != 0.0));
    // A scheme of the host takes no arrays of a GPU.
    let status = Scheme::new(Device::Cpu).run(&on_host, expected.clone().as_mut_ptr(), 0);
    assert!(matches!(status, Status::Value | Status::Device | Status::Kind), "{status:?}");

    for device in devices() {
        let Device::Cuda(number) = device else { continue };
        let queue = Queue::new(device).unwrap();
        let buffers: Vec<_> = fields.iter().map(|(_, _, values)| queue.upload(values).unwrap()).collect();
        let mut result = queue.zeros::<f64>(LAYERS * COLUMNS).unwrap();
        queue.synchronize().unwrap();
        let each = fields.iter().zip(&buffers);
        let there: Vec<_> =
            each.map(|((name, rows, _), buffer)| (name.clone(), *rows, buffer.column().as_ptr())).collect();
        let scheme = Scheme::new(device);
        let status = scheme.run(&there, result.item_fastest_mut(LAYERS, COLUMNS).as_ptr(), number as i32);
        assert_eq!(status, Status::Ok, "{}", message());
        let got = queue.to_host(&result).unwrap();
        assert!(got.iter().zip(&expected).all(|(got, expected)| got.to_bits() == expected.to_bits()), "{device}");
        // The same from the host's memory.
        let mut result = vec![0.0; LAYERS * COLUMNS];
        assert_eq!(scheme.run(&on_host, result.as_mut_ptr(), -1), Status::Ok, "{}", message());
        assert!(result.iter().zip(&expected).all(|(got, expected)| got.to_bits() == expected.to_bits()), "{device}");
    }
}
