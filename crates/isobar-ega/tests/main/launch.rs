//! Rays in pieces, by threads, as declared fields, with little memory and interrupted: the same bits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use isobar_core::Status;
use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::fields::{Beams, RayViews, Rays};
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::Jacobian;
use isobar_ega::tables::Cell;
use isobar_ega::{
    FieldOfView, Filter, ForwardError, ForwardSetup, GroundKind, Infrared, InfraredError, InfraredModel, Radiances,
    TableData, planck,
};
use isobar_launch::{Device, Error, RunError, Scheme, with_threads};
use isobar_raytrace::status::TOO_MANY_POINTS;
use isobar_raytrace::{Atmosphere, CloudLayer, PathOptions, Position, Ray, SurfaceLayer};

const RAYS: usize = 12;
/// Bytes.
const LITTLE: usize = 150_000;

fn infrared() -> Infrared<f64> {
    with(|_| {})
}

fn with(change: impl FnOnce(&mut ForwardSetup)) -> Infrared<f64> {
    checked(change).unwrap()
}

fn checked(change: impl FnOnce(&mut ForwardSetup)) -> Result<Infrared<f64>, ForwardError> {
    let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
    let grid = TableGrid {
        pressures_hpa: vec![0.1, 1.0, 10.0, 100.0, 1000.0],
        temperatures_k: vec![vec![200.0, 250.0, 300.0]; 5],
        column_factor: 1.3,
        emissivities: (1e-6, 0.9999),
    };
    let tables = TableData::new(&[Some(band.table(&grid)), None], 2, false).unwrap();
    let filter = |nu: f64| Filter { wavenumber_per_cm: vec![nu - 1.0, nu + 1.0], transmission: vec![1.0, 1.0] };
    let mut setup = ForwardSetup {
        gases: vec!["CO2".into()],
        wavenumbers_per_cm: vec![792.0, 850.0],
        filters: vec![filter(792.0), filter(850.0)],
        windows: vec![0, 0],
        ..ForwardSetup::default()
    };
    change(&mut setup);
    Infrared::new(&setup, tables)
}

fn atmosphere(temperature_k: f64) -> Atmosphere {
    let height_km: Vec<f64> = (0..=40).map(|z| 2.0 * f64::from(z)).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * isobar_core::Real::exp(-z / 7.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![temperature_k; 41]).unwrap();
    atmosphere.mixing_ratio = vec![vec![400e-6; 41]];
    atmosphere
}

/// A limb scan, with one ray from below the ground.
fn rays() -> Vec<Ray> {
    let at = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
    let limb = |i| Ray { time_s: 0.0, observer: at(780.0, 0.0), view_point: at(8.0 + 3.0 * i as f64, 26.8) };
    let mut rays: Vec<Ray> = (0..RAYS).map(limb).collect();
    rays[4].observer.height_km = -1.0;
    rays
}

fn assert_same(found: &Radiances, expected: &Radiances) {
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&found.radiance), bits(&expected.radiance));
    assert_eq!(bits(&found.transmittance), bits(&expected.transmittance));
    assert_eq!(found.tangent_points, expected.tangent_points);
    assert_eq!((&found.points, &found.statuses), (&expected.points, &expected.statuses));
    assert_eq!((&found.outside, found.cut_short), (&expected.outside, expected.cut_short));
}

fn jacobian(model: &InfraredModel<f64>) -> Result<Jacobian, InfraredError> {
    model.jacobian(&atmosphere(250.0), &rays(), Geometry::Moving, &|_| {})
}

#[test]
fn pieces_threads_and_memory_change_no_bit() {
    let on = |device| infrared().on(&[device]);
    let expected = on(Device::Thread).run(&atmosphere(250.0), &rays()).unwrap();
    assert_eq!(expected.check().unwrap_err().to_string(), "ray 4: the observer is below the ground");
    assert!(expected.outside[0].points > 0 && expected.outside[0].temperature_k == 250.0);
    let beside = on(Device::Thread).run(&atmosphere(251.0), &rays()).unwrap();
    // The cells of one path have room, those of all have not.
    let bytes = expected.points.iter().max().unwrap() * size_of::<Cell<f64>>() as u32;
    assert!((10_000..LITTLE as u32).contains(&bytes) && bytes * RAYS as u32 > 2 * LITTLE as u32, "{bytes} bytes");
    for model in [
        on(Device::Cpu),
        on(Device::Cpu).items_per_chunk(5),
        on(Device::Thread).items_per_chunk(RAYS).largest_allocation(LITTLE),
        infrared().on(&[Device::Thread, Device::Cpu]),
    ] {
        // A workspace goes from one atmosphere to another.
        for _ in 0..2 {
            assert_same(&with_threads(2, || model.run(&atmosphere(250.0), &rays())).unwrap().unwrap(), &expected);
            assert_same(&model.run(&atmosphere(251.0), &rays()).unwrap(), &beside);
        }
    }
    // One piece has enough rays for threads to share the storing.
    let many = rays().repeat(20);
    let found = on(Device::Cpu).items_per_chunk(many.len()).run(&atmosphere(250.0), &many).unwrap();
    assert_same(&found, &on(Device::Thread).run(&atmosphere(250.0), &many).unwrap());
    let error = on(Device::Cpu).largest_allocation(1000).run(&atmosphere(250.0), &rays()).unwrap_err();
    assert!(matches!(error, InfraredError::Interrupted { source: Error::OutOfMemory { .. }, done: 0, .. }), "{error}");
    let none = on(Device::Cpu).run(&atmosphere(250.0), &[]).unwrap();
    assert!(none.radiance.is_empty() && none.statuses.is_empty());
    let error = infrared().on(&[]).run(&atmosphere(250.0), &rays()).unwrap_err();
    assert_eq!(error.to_string(), "a model needs at least one device");
}

/// A worker expects paths as long as the longest so far, and finds out about longer ones, and those that are too long.
#[test]
fn paths_may_be_longer_than_those_before() {
    let long = rays();
    let mut short = rays();
    short.iter_mut().for_each(|ray| ray.view_point.height_km += 35.0);
    let counted = infrared().on(&[Device::Thread]).run(&atmosphere(250.0), &long).unwrap().points;
    let most = counted.iter().max().copied().unwrap();
    for max_points in [most, most - 1, counted[RAYS - 1]] {
        let path = || PathOptions { max_points, ..PathOptions::default() };
        let on = || with(|setup| setup.path = path()).on(&[Device::Thread]);
        for piece in [1, 5, RAYS] {
            let model = on().items_per_chunk(piece);
            let mut found = Radiances::default();
            for rays in [&short, &long, &short, &long] {
                // A worker that knows of no path counts those of a piece first.
                let expected = on().items_per_chunk(RAYS).run(&atmosphere(250.0), rays).unwrap();
                model.run_into(&atmosphere(250.0), rays, &mut found).unwrap();
                assert_same(&found, &expected);
            }
            let too_long = found.statuses.iter().filter(|&&status| status == TOO_MANY_POINTS).count();
            assert_eq!(too_long, counted.iter().filter(|&&points| points > max_points).count());
        }
    }
}

/// By the device, or by the host behind a field of view, which is that of a ray after the other.
#[test]
fn brightness_temperatures_and_fields_of_view_have_the_bits_of_a_single_thread() {
    let rays = rays().repeat(20).into_iter().enumerate();
    // Scans at different times.
    let rays: Vec<Ray> = rays.map(|(i, ray)| Ray { time_s: (i / RAYS) as f64, ..ray }).collect();
    let view = FieldOfView { offset_km: vec![-7.0, -1.0, 0.0, 2.5], weight: vec![0.3, 1.0, 2.0, 0.5] };
    let plain = infrared().on(&[Device::Thread]).run(&atmosphere(250.0), &rays).unwrap();
    for (view, brightness_temperature) in [(None, true), (Some(&view), false), (Some(&view), true)] {
        let mut expected = plain.clone();
        if let Some(view) = view {
            view.convolve(&rays, 2, &mut expected.radiance).unwrap();
            view.convolve(&rays, 2, &mut expected.transmittance).unwrap();
        }
        if brightness_temperature {
            let channels = [792.0, 850.0].into_iter().cycle();
            let values = expected.radiance.iter_mut().zip(channels);
            values.for_each(|(value, nu)| *value = planck::brightness_temperature(*value, nu));
        }
        let model = || {
            with(|setup| (setup.field_of_view, setup.brightness_temperature) = (view.cloned(), brightness_temperature))
        };
        for model in [
            model().on(&[Device::Thread]),
            model().on(&[Device::Cpu]).items_per_chunk(7),
            model().as_on_a_gpu().on(&[Device::Cpu]).items_per_chunk(50),
        ] {
            let found = with_threads(2, || model.run(&atmosphere(250.0), &rays)).unwrap().unwrap();
            assert_same(&found, &expected);
            // The scheme by itself has radiances.
            let through = model.pencil_beams().scheme().through(&atmosphere(250.0)).unwrap();
            let beams: Beams<f64> = model.pencil_beams().run(&Rays::from(&rays[..]), &through).unwrap();
            assert_eq!(beams.radiance[0].to_bits(), plain.radiance[0].to_bits());
        }
    }
}

#[test]
fn rays_are_declared_fields() {
    let model = infrared().on(&[Device::Cpu]);
    let through = model.pencil_beams().scheme().through(&atmosphere(250.0)).unwrap();
    let mut rays = rays();
    let expected = model.run(&atmosphere(250.0), &rays).unwrap();
    let beams: Beams<f64> = model.pencil_beams().run(&Rays::from(&rays[..]), &through).unwrap();
    for ray in (0..RAYS).filter(|&ray| ray != 4) {
        for channel in 0..2 {
            let seen = beams.radiance[channel * RAYS + ray];
            assert_eq!(seen.to_bits(), expected.radiance[ray * 2 + channel].to_bits());
        }
    }
    assert!(beams.radiance[4].is_nan() && beams.status[4] == expected.statuses[4].0);
    // One time for all.
    let one = Rays { time_s: vec![0.0], ..Rays::from(&rays[..]) };
    assert_eq!(model.pencil_beams().run(&one, &through).unwrap().points, beams.points);
    rays[3].view_point.latitude_deg = f64::NAN;
    let refused = model.pencil_beams().check(&Rays::from(&rays[..]), &through).unwrap();
    let message = "view_point_latitude_deg at ray 3 is NaN, which is not a finite number";
    assert_eq!(refused.iter().map(ToString::to_string).collect::<Vec<_>>(), [message]);
    for (offsets, message) in [
        (0, "offsets of the field of view: 0, expected at least 1"),
        (2, "weights of the field of view: 1, expected 2, one an offset"),
    ] {
        let view = FieldOfView { offset_km: vec![0.0; offsets], weight: vec![1.0; 1] };
        let error = checked(|setup| setup.field_of_view = Some(view)).err().unwrap();
        assert_eq!(error.to_string(), message);
    }
    let error = Infrared::<f32>::new(&ForwardSetup::default(), TableData::default()).err().unwrap();
    assert_eq!(error.to_string(), "channels: 0, expected at least 1");
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_finished() {
    let expected = infrared().on(&[Device::Thread]).run(&atmosphere(250.0), &rays()).unwrap();
    let (stop, last) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (setter, seen) = (stop.clone(), last.clone());
    let model = infrared().on(&[Device::Thread]).items_per_chunk(2).stop_on(stop).progress(move |done| {
        seen.store(done, Ordering::Relaxed);
        setter.store(done >= 6, Ordering::Relaxed);
    });
    let error = model.run(&atmosphere(250.0), &rays()).unwrap_err();
    assert_eq!(error.to_string(), "the run was stopped (6 of 12 rays were finished)");
    let InfraredError::Interrupted { done: 6, finished, .. } = error else { panic!("{error}") };
    assert_eq!(last.load(Ordering::Relaxed), 6);
    for ray in 0..RAYS {
        let [found, expected_bits] = [&*finished, &expected].map(|all| all.radiance[ray * 2].to_bits());
        assert!(if ray < 6 { found == expected_bits } else { finished.radiance[ray * 2].is_nan() });
        let status = if ray < 6 { expected.statuses[ray] } else { Status::NOT_COMPUTED };
        assert_eq!(finished.statuses[ray], status);
    }
    // Jacobians end, too.
    let error = jacobian(&model).unwrap_err();
    assert!(matches!(error, InfraredError::Device(Error::Stopped)), "{error}");
    let batch = Rays { view_point_height_km: vec![8.0; 2], ..Rays::from(&rays()[..]) };
    let through = model.pencil_beams().scheme().through(&atmosphere(250.0)).unwrap();
    assert!(matches!(model.pencil_beams().run(&batch, &through), Err(RunError::Batch(_))));
}

/// Rays that were done are kept, and the others, computed later, have the same bits.
#[test]
fn a_device_that_is_lost_keeps_what_is_finished() {
    let expected = infrared().on(&[Device::Thread]).run(&atmosphere(250.0), &rays()).unwrap();
    let model = infrared().on(&[Device::Thread]).items_per_chunk(2).lost_after(6);
    let error = model.run(&atmosphere(250.0), &rays()).unwrap_err();
    let InfraredError::Interrupted { source: Error::DeviceLost { .. }, done: 6, finished } = error else {
        panic!("{error}")
    };
    let rest = infrared().on(&[Device::Thread]).run(&atmosphere(250.0), &rays()[6..]).unwrap();
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let whole = [&finished.radiance[..6 * 2], &rest.radiance[..]].concat();
    assert_eq!(bits(&whole), bits(&expected.radiance));
    assert!(finished.statuses[6..].iter().all(|&status| status == Status::NOT_COMPUTED));
}

/// Memory of an earlier run is used again: nothing of it is taken for a result of one that is stopped.
#[test]
fn what_is_not_computed_has_nothing_of_an_earlier_run() {
    let air = atmosphere(250.0);
    let whole = infrared().on(&[Device::Thread]).run(&air, &rays()).unwrap();
    let part = infrared().on(&[Device::Thread]).run(&air, &rays()[..6]).unwrap();
    assert!((1..whole.outside[0].points).contains(&part.outside[0].points));
    let (stop, stops) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (setter, now) = (stop.clone(), stops.clone());
    let model = infrared().on(&[Device::Thread]).items_per_chunk(2).stop_on(stop).progress(move |done| {
        setter.store(now.load(Ordering::Relaxed) && done >= 6, Ordering::Relaxed);
    });
    let mut result = Radiances::default();
    model.run_into(&air, &rays(), &mut result).unwrap();
    assert_same(&result, &whole);
    stops.store(true, Ordering::Relaxed);
    let error = model.run_into(&air, &rays(), &mut result).unwrap_err();
    let InfraredError::Interrupted { done: 6, finished, .. } = error else { panic!("{error}") };
    assert_eq!((&finished.outside, finished.cut_short), (&part.outside, part.cut_short));
    assert_eq!(finished.points, [&whole.points[..6], &[0; 6]].concat());
    assert_eq!(finished.tangent_points, [&whole.tangent_points[..6], &[Position::default(); 6]].concat());
}

#[test]
fn jacobians_do_with_little_memory() {
    let expected = jacobian(&infrared().on(&[Device::Thread])).unwrap();
    assert_eq!(expected.statuses.iter().filter(|status| !status.is_ok()).count(), 1);
    let bits = |found: &Jacobian| found.derivative.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    // A ray has about a megabyte.
    for bytes in [usize::MAX, 8_000_000] {
        let model = infrared().as_on_a_gpu().on(&[Device::Cpu]).largest_allocation(bytes);
        let found = jacobian(&model).unwrap();
        assert_eq!(bits(&found), bits(&expected));
        assert_eq!(found.statuses, expected.statuses);
    }
    let error = jacobian(&infrared().as_on_a_gpu().on(&[Device::Cpu]).largest_allocation(100_000)).unwrap_err();
    assert!(matches!(error, InfraredError::Device(Error::OutOfMemory { .. })), "{error}");
}

/// No number of an atmosphere or of a setup is silent, ends the process or reaches another ray.
#[test]
fn no_number_harms_paths_and_tables() {
    type Change = fn(&mut Atmosphere, f64);
    let changes: [(&str, Change); 15] = [
        ("height", |air, x| air.height_km[20] = x),
        ("lowest height", |air, x| air.height_km[0] = x),
        ("highest height", |air, x| air.height_km[40] = x),
        ("pressure", |air, x| air.pressure_hpa[20] = x),
        ("all pressures", |air, x| air.pressure_hpa.fill(x)),
        ("temperature", |air, x| air.temperature_k[20] = x),
        ("all temperatures", |air, x| air.temperature_k.fill(x)),
        ("mixing ratio", |air, x| air.mixing_ratio[0][20] = x),
        ("extinction", |air, x| air.extinction_per_km[0][20] = x),
        ("height of the surface", |air, x| air.surface.as_mut().unwrap().height_km = x),
        ("pressure of the surface", |air, x| air.surface.as_mut().unwrap().pressure_hpa = x),
        ("temperature of the surface", |air, x| air.surface.as_mut().unwrap().temperature_k = x),
        ("emissivity", |air, x| air.surface.as_mut().unwrap().emissivity.fill(x)),
        ("height of the cloud", |air, x| air.cloud.as_mut().unwrap().height_km = x),
        ("cloud", |air, x| air.cloud.as_mut().unwrap().extinction_per_km.fill(x)),
    ];
    let setup = |exact: bool| {
        move |setup: &mut ForwardSetup| {
            setup.jurassic_exact = exact;
            setup.cloud_wavenumbers_per_cm = vec![700.0, 900.0];
            setup.surface_wavenumbers_per_cm = vec![700.0, 900.0];
            setup.ground = GroundKind::Sky;
        }
    };
    let mut down = rays();
    down.push(Ray {
        time_s: 0.0,
        observer: Position { height_km: 780.0, longitude_deg: 0.0, latitude_deg: 0.0 },
        view_point: Position { height_km: 0.0, longitude_deg: 0.0, latitude_deg: 2.0 },
    });
    for exact in [false, true] {
        let model = with(setup(exact)).on(&[Device::Thread]);
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e30, -1e30, 5e-324] {
            for (what, change) in changes {
                let mut air = atmosphere(250.0);
                air.extinction_per_km = vec![vec![1e-5; 41]];
                air.surface = Some(SurfaceLayer { emissivity: vec![0.9; 2], ..SurfaceLayer::default() });
                air.cloud = Some(CloudLayer { height_km: 12.0, depth_km: 1.0, extinction_per_km: vec![1e-2; 2] });
                change(&mut air, x);
                let Ok(found) = model.run(&air, &down) else { continue };
                for (ray, status) in found.statuses.iter().enumerate() {
                    let of_ray = |values: &[f64]| values[ray * 2..ray * 2 + 2].iter().all(|value| value.is_finite());
                    let finite = of_ray(&found.radiance) && of_ray(&found.transmittance);
                    assert!(finite || !status.is_ok(), "{what} {x}, exact {exact}, ray {ray}");
                }
            }
        }
    }
}

/// What Jacobians do not count is what the radiances' own kernels count; the ray from below the ground does not.
#[test]
fn paths_alone_leave_the_tables_where_radiances_say() {
    let said = |found: &Radiances| -> Vec<String> {
        found.outside_tables(&["CO2".into()]).into_iter().map(|line| format!("{line}; extrapolated")).collect()
    };
    for temperature_k in [250.0, 190.0] {
        let (air, model) = (atmosphere(temperature_k), infrared().on(&[Device::Cpu]));
        let found = model.run(&air, &rays()).unwrap();
        // All points, or those above 0.1 hPa.
        let points: u32 = found.points.iter().sum();
        assert_eq!(found.outside[0].points == points, temperature_k < 200.0, "{:?}", found.outside);
        assert_eq!((said(&found).len(), model.remarks(&air, &rays()).unwrap()), (1, said(&found)));
        let scheme = model.pencil_beams().scheme();
        let through = scheme.through(&air).unwrap();
        let doubts = |rays: &[Ray]| scheme.doubts(&RayViews::from(rays), &through);
        assert_eq!(doubts(&rays()), said(&found));
        // Every 64th of many: what 256 rays say.
        let many: Vec<Ray> = rays().into_iter().flat_map(|ray| vec![ray; 64]).collect();
        let some: Vec<Ray> = (0..256).map(|i| many[i * many.len() / 256]).collect();
        let expected = said(&model.run(&air, &some).unwrap());
        assert_eq!(doubts(&many), [format!("{} (of 256 of 768 rays)", expected[0])]);
        assert_eq!(doubts(&[]), [""; 0]);
    }
    let exact = with(|setup| setup.jurassic_exact = true).on(&[Device::Cpu]);
    let found = exact.run(&atmosphere(250.0), &rays()).unwrap();
    let lines: Vec<String> = said(&found).into_iter().chain(found.early_ends()).collect();
    assert_eq!(exact.remarks(&atmosphere(250.0), &rays()).unwrap(), lines);
}
