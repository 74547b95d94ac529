//! Buffers go to every device and come back.

use isobar_core::selftest::TeamSum;
use isobar_launch::{Device, Error, Plain, Queue};

/// A struct of a physics crate: with padding, which travels too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Point {
    height_km: f64,
    gas: u8,
}

// SAFETY: numbers only; every pattern of bits is a value.
unsafe impl Plain for Point {}

#[test]
fn values_come_back_as_they_went() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        let numbers: Vec<u64> = (0..1000).collect();
        let buffer = queue.upload(&numbers).unwrap();
        assert_eq!((buffer.len(), buffer.device()), (1000, device));
        assert_eq!(queue.to_host(&buffer).unwrap(), numbers);
        assert_eq!(queue.to_host_range(&buffer, 990..1000).unwrap(), &numbers[990..]);
        let points = [Point { height_km: 1.5, gas: 3 }, Point { height_km: 8.0, gas: 4 }];
        assert_eq!(queue.to_host(&queue.upload(&points).unwrap()).unwrap(), points);
    }
}

#[test]
fn new_memory_is_zero_and_can_be_written_in_part() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        let mut buffer = queue.zeros::<f32>(5).unwrap();
        queue.upload_into(&[1.0, 2.0], &mut buffer).unwrap();
        assert_eq!(queue.to_host(&buffer).unwrap(), [1.0, 2.0, 0.0, 0.0, 0.0]);
    }
}

#[test]
fn nothing_is_a_buffer_and_a_launch_too() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        let values = queue.upload::<f64>(&[]).unwrap();
        let mut sums = queue.zeros(0).unwrap();
        let mut statuses = queue.zeros(0).unwrap();
        let kernel = TeamSum { values: values.item_fastest(32, 0), sums: sums.item_fastest_mut(1, 0) };
        queue.launch(&kernel, &mut statuses).unwrap();
        assert!(queue.to_host(&statuses).unwrap().is_empty());
        assert!(queue.to_host(&values).unwrap().is_empty());
    }
}

#[test]
fn one_bad_item_does_not_stop_the_others() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        let mut values = vec![1.0_f32; 32 * 3];
        values[3 * 17 + 1] = f32::NAN;
        let values = queue.upload(&values).unwrap();
        let mut sums = queue.zeros(3).unwrap();
        // More statuses than items: the others are left alone.
        let mut statuses = queue.upload(&[9, 9, 9, 9]).unwrap();
        let kernel = TeamSum { values: values.item_fastest(32, 3), sums: sums.item_fastest_mut(1, 3) };
        queue.launch(&kernel, &mut statuses).unwrap();
        queue.synchronize().unwrap();
        assert_eq!(queue.to_host(&statuses).unwrap(), [0, 1, 0, 9], "{device}");
        let sums: Vec<f32> = queue.to_host(&sums).unwrap();
        assert_eq!((sums[0], sums[2]), (32.0, 32.0), "{device}");
    }
}

#[test]
fn time_is_measured_and_errors_pass_through() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        let (buffer, time) = queue.time(|| queue.zeros::<f64>(1 << 20)).unwrap();
        assert!(buffer.len() == 1 << 20 && time.as_secs() < 60);
        let failed = queue.time(|| queue.to_host_range(&buffer, 0..usize::MAX));
        assert!(matches!(failed, Err(Error::TooShort { .. })));
        assert_eq!(queue.free_bytes().is_some(), device != Device::Cpu);
    }
}

#[test]
fn too_much_memory_is_an_error_that_names_the_device_and_the_size() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        // More than a GPU has, and more than an address can say.
        let len = if device == Device::Cpu { 1 << 58 } else { 1 << 43 };
        let error = queue.zeros::<f64>(len).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { device: d, bytes: _ } if d == device), "{error}");
        // The device is still there.
        assert_eq!(queue.to_host(&queue.zeros::<u8>(3).unwrap()).unwrap(), [0, 0, 0]);
    }
}

#[test]
fn too_short_buffers_are_refused() {
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        let mut buffer = queue.zeros::<u32>(4).unwrap();
        let error = queue.upload_into(&[1; 5], &mut buffer).unwrap_err();
        assert_eq!(error.to_string(), "an upload: 5 values are needed, and the buffer has 4");
        let values = queue.zeros::<f64>(32 * 5).unwrap();
        let mut sums = queue.zeros(5).unwrap();
        let kernel = TeamSum { values: values.item_fastest(32, 5), sums: sums.item_fastest_mut(1, 5) };
        let error = queue.launch(&kernel, &mut buffer).unwrap_err();
        assert_eq!(error.to_string(), "the statuses of a launch: 5 values are needed, and the buffer has 4");
    }
}

#[test]
#[should_panic(expected = "33 levels of 2 items do not fit into 64 values")]
fn a_view_stays_inside_of_its_buffer() {
    let buffer = Queue::new(Device::Cpu).unwrap().zeros::<f64>(64).unwrap();
    let _ = buffer.item_fastest(33, 2);
}

#[test]
fn a_buffer_of_another_device_is_refused() {
    let devices = isobar_golden::devices();
    for (first, second) in devices.iter().zip(devices.iter().skip(1)) {
        let buffer = Queue::new(*first).unwrap().zeros::<f64>(4).unwrap();
        let error = Queue::new(*second).unwrap().to_host(&buffer).unwrap_err();
        assert_eq!(error.to_string(), format!("a buffer of {first} was used on {second}"));
    }
}
