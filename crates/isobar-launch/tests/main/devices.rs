//! What is asked for is what is taken, or there is a reason.

use isobar_launch::{Device, Error, Queue, parse_devices};

#[test]
fn devices_are_written_as_they_are_read() {
    assert_eq!("cpu".parse::<Device>().unwrap(), Device::Cpu);
    for device in isobar_golden::devices() {
        assert_eq!(device.to_string().parse::<Device>().unwrap(), device);
    }
}

#[test]
fn what_is_no_device_is_refused() {
    for text in ["", "gpu", "cuda:", "cuda:-1", "cuda:one", "CPU"] {
        let error = parse_devices(text).unwrap_err();
        assert!(matches!(&error, Error::NotADevice { text: t } if t == text), "{text}: {error}");
    }
}

#[test]
fn cuda_that_cannot_be_had_is_an_error_and_never_the_cpu() {
    let gpus = Device::gpus().unwrap_or(0) as u32;
    for text in [format!("cuda:{gpus}"), format!("cuda:{}", u32::MAX)] {
        let error = parse_devices(&text).unwrap_err();
        assert!(matches!(error, Error::NoSuchDevice { .. } | Error::NotCompiledIn | Error::NoDriver { .. }), "{error}");
    }
    assert!(Queue::new(Device::Cuda(gpus)).is_err());
    assert_eq!(parse_devices("cuda").is_ok(), gpus > 0);
    assert_eq!(parse_devices("cuda:all").map_or(0, |all| all.len()), gpus as usize);
}

#[cfg(not(feature = "cuda"))]
#[test]
fn without_the_feature_cuda_says_how_to_get_it() {
    let error = Queue::new(Device::Cuda(0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "CUDA was asked for, but this isobar was not compiled with it: build with `--features cuda`"
    );
}

#[test]
fn auto_takes_a_gpu_where_there_is_one_and_says_so_in_one_line() {
    let (device, sentence) = Device::auto();
    let gpus = Device::gpus().unwrap_or(0);
    assert_eq!(device != Device::Cpu, gpus > 0);
    assert!(sentence.starts_with(&format!("device {device}")) && !sentence.contains('\n'), "{sentence}");
    assert_eq!("auto".parse::<Device>().unwrap(), device);
}

#[test]
fn the_list_has_the_cpu_and_every_gpu() {
    let list = Device::list();
    assert_eq!(list[0].device, Device::Cpu);
    assert!(!list[0].name.is_empty());
    assert_eq!(list.len(), isobar_golden::devices().len());
    for gpu in &list[1..] {
        assert!(gpu.memory_bytes > 0 && gpu.compute_capability.is_some(), "{gpu}");
    }
}
