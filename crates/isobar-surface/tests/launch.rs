//! Surface layers in pieces, by threads, in any layout, step after step, and with bad columns among good ones.

use isobar_core::fields::{OwnedInputs, OwnedOutputs};
use isobar_core::{Column, FieldMut, Status};
use isobar_launch::with_threads;
use isobar_surface::{
    BadItems, ColumnViews, Columns, Device, Options, Precision, Results, RunError, SurfaceLayer, analytic, compute,
};

/// What one thread computes without a launcher.
fn expected<R: Precision>(columns: &Columns<R>) -> Results<R> {
    compute(&ColumnViews::try_from(columns).unwrap(), &Options::default()).unwrap()
}

#[test]
fn threads_and_pieces_change_no_bit() {
    fn check<R: Precision>() {
        let columns = analytic::columns::<R>(203);
        let expected = self::expected(&columns);
        for threads in [1, 3] {
            let run = || SurfaceLayer::<R>::on(&[Device::Cpu]).run(&columns, &Options::default());
            assert!(with_threads(threads, run).unwrap().unwrap() == expected, "{threads} threads");
        }
        // In chunks and whole, into results whose memory is kept, for a smaller batch and the whole again.
        let mut results = Results::default();
        for model in [SurfaceLayer::<R>::on(&[Device::Thread]), SurfaceLayer::on(&[Device::Cpu]).items_per_chunk(64)] {
            for count in [203, 70, 203] {
                let some = columns.items(203, 0..count);
                assert!(model.run_into(&some, &Options::default(), &mut results).unwrap().is_empty());
                assert!(results == self::expected(&some), "{count} columns");
            }
        }
    }
    check::<f32>();
    check::<f64>();
}

/// Every third value, backwards, single values for all, and results that lie apart.
#[test]
fn every_layout_gives_the_same_bits() {
    let count = 70;
    let mut columns = analytic::columns::<f64>(count);
    columns.grid_length_m = vec![3000.0; count];
    let expected = expected(&columns);
    let apart: Vec<f64> = columns.temperature_k.iter().flat_map(|&t| [t, 0.0, 0.0]).collect();
    let back: Vec<f64> = columns.u_m_per_s.iter().rev().copied().collect();
    let usual = ColumnViews::try_from(&columns).unwrap();
    let length = 3000.0;
    // SAFETY: 70 values, 3 apart; the same address again and again.
    let (temperature_k, grid_length_m) =
        unsafe { (Column::from_raw(apart.as_ptr(), count, 3), Column::from_raw(&raw const length, count, 0)) };
    let views = ColumnViews { temperature_k, grid_length_m, u_m_per_s: Column::from(&back[..]).reversed(), ..usual };
    for device in [Device::Thread, Device::Cpu] {
        let model = SurfaceLayer::<f64>::on(&[device]);
        assert!(model.run(views, &Options::default()).unwrap() == expected);
        let mut results = expected.clone();
        let mut twice = vec![0.0; 2 * count];
        let mut outputs = results.views(count);
        // SAFETY: 70 values, 2 apart.
        outputs.stability = unsafe { FieldMut::from_raw(twice.as_mut_ptr(), 1, count, 0, 2) };
        model.run_views(&columns, &Options::default(), &outputs).unwrap();
        assert!(twice.iter().step_by(2).eq(&expected.stability));
    }
}

/// A batch that stays on its device goes on from its own results, as a model's steps do.
#[test]
fn steps_go_on_from_results() {
    let mut columns = analytic::columns::<f64>(100);
    let model = SurfaceLayer::<f64>::on(&[Device::Thread]);
    let options = Options::default();
    let mut resident = model.resident(&columns, &options).unwrap();
    let mut last = Results::default();
    for _ in 0..5 {
        last = expected(&columns);
        columns.roughness_m.clone_from(&last.roughness_m);
        columns.friction_velocity_m_per_s.clone_from(&last.friction_velocity_m_per_s);
        columns.friction_velocity_of_wind_m_per_s.clone_from(&last.friction_velocity_of_wind_m_per_s);
        columns.temperature_scale_k.clone_from(&last.temperature_scale_k);
        columns.sensible_heat_flux_w_per_m2.clone_from(&last.sensible_heat_flux_w_per_m2);
        columns.moisture_flux_kg_per_m2_s.clone_from(&last.moisture_flux_kg_per_m2_s);
        columns.surface_vapour_kg_per_kg.clone_from(&last.surface_vapour_kg_per_kg);
    }
    resident.compute(&options).unwrap();
    for _ in 1..5 {
        resident.advance().unwrap();
        resident.compute(&options).unwrap();
    }
    let mut results = Results::default();
    resident.results_into(&mut results).unwrap();
    assert!(results == last);
}

#[test]
fn a_bad_column_is_named_and_spares_the_others() {
    let good = analytic::columns::<f64>(70);
    let mut columns = good.clone();
    columns.temperature_k[40] = 90.0;
    columns.land_or_water[5] = 3.0;
    let model = SurfaceLayer::on(&[Device::Cpu]);
    let Err(RunError::Batch(error)) = model.run(&columns, &Options::default()) else { panic!("accepted") };
    assert_eq!(error.to_string(), "land_or_water at column 5 is 3, which is not 1 or 2");
    let (model, mut results) = (SurfaceLayer::on(&[Device::Cpu]).bad_items(BadItems::Flag), Results::default());
    let refused = model.run_into(&columns, &Options::default(), &mut results).unwrap();
    assert_eq!(refused.len(), 2);
    let whole = expected(&good);
    for column in 0..70 {
        let bad = [5, 40].contains(&column);
        assert_eq!(results.status[column], if bad { Status::OUT_OF_RANGE.0 } else { 0 });
        let (got, expected) = (results.profile_momentum[column], whole.profile_momentum[column]);
        assert!(if bad { got.is_nan() } else { got == expected }, "column {column}: {got} {expected}");
    }
}
