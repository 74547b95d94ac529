//! Boundary layers in pieces, by threads, in any layout, with tracers, and with bad columns among good ones.

use isobar_core::fields::{Error, OutputSet, OwnedInputs, OwnedOutputs};
use isobar_core::{Field, FieldMut, Status};
use isobar_launch::{Scheme as _, with_threads};
use isobar_ysu::{
    BadItems, BoundaryLayers, ColumnViews, Columns, Device, Launched, Model, Options, Precision, Results, RunError,
    ShinHong, ShinHongOptions, Ysu, analytic, compute,
};

fn every_option() -> Options {
    Options { top_down: true, topographic: true, ..Options::new(60.0) }
}

/// What one thread computes without a launcher.
fn expected<R: Precision>(columns: &Columns<R>, options: &Options) -> Results<R> {
    compute(&ColumnViews::try_from(columns).unwrap(), options).unwrap()
}

#[test]
fn threads_and_pieces_change_no_bit() {
    fn check<R: Precision>(tracers: usize, options: Options) {
        let columns = analytic::columns::<R>(203, 11, tracers);
        let expected = self::expected(&columns, &options);
        for threads in [1, 3] {
            let run = || Ysu::<R>::on(&[Device::Cpu]).run(&columns, &options);
            assert!(with_threads(threads, run).unwrap().unwrap() == expected, "{threads} threads");
        }
        // In chunks and whole, with little memory, into results whose memory is kept, whatever is left there, for a
        // smaller batch and the whole again.
        let mut results = Results::default();
        let model = || Ysu::<R>::on(&[Device::Cpu]);
        let models = [
            model(),
            model().items_per_chunk(64),
            model().items_per_chunk(203).largest_allocation(60_000),
            Ysu::<R>::on(&[Device::Thread, Device::Cpu]),
        ];
        for model in models {
            for count in [203, 70, 203, 203] {
                let some = columns.items(203, 0..count);
                let refused = model.run_into(&some, &options, &mut results).unwrap();
                assert!(refused.is_empty());
                assert!(results == self::expected(&some, &options), "{count} columns");
                (0..count).for_each(|column| results.views(count).refuse(column));
                // The caller may take what it likes.
                results.height_m = Vec::new();
            }
        }
    }
    for tracers in [0, 3] {
        check::<f32>(tracers, Options::new(60.0));
        check::<f64>(tracers, every_option());
    }
}

/// Plain arrays are not copied, whatever results a scheme does not have.
#[test]
fn plain_arrays_are_computed_where_they_are() {
    fn check<R: Precision, O: Launched>(model: Model<BoundaryLayers<R, O>>, options: &O, mut columns: Columns<R>) {
        columns.coriolis_per_s = vec![R::from_f64(1e-4); 50];
        columns.grid_distance_m = vec![R::from_f64(1000.0); 50];
        columns.turbulent_energy_m2_per_s2 = vec![R::from_f64(0.1); 50 * 11];
        let mut results = Results::default();
        model.run_into(&columns, options, &mut results).unwrap();
        let (inputs, results) = (ColumnViews::try_from(&columns).unwrap(), results.views(50));
        let scheme = BoundaryLayers::<R, O>::scheme();
        assert!(scheme.fits_layout(&inputs, &results) && scheme.fits_device_layout(&inputs, &results));
    }
    check::<f64, _>(Ysu::on(&[Device::Thread]), &Options::new(60.0), analytic::columns(50, 11, 0));
    check::<f32, _>(Ysu::on(&[Device::Thread]), &every_option(), analytic::columns(50, 11, 2));
    check::<f64, _>(ShinHong::on(&[Device::Thread]), &ShinHongOptions::new(60.0), analytic::columns(50, 11, 0));
}

/// Fields of a level-fastest model are read where they are, single values and other layouts are copied.
#[test]
fn every_layout_gives_the_same_bits() {
    let (count, layers) = (70, 9);
    let columns = analytic::columns::<f64>(count, layers, 2);
    let by_level = |values: &[f64]| -> Vec<f64> {
        let levels = values.len() / count;
        (0..values.len()).map(|i| values[i % levels * count + i / levels]).collect()
    };
    let mut turned = columns.clone();
    turned.each_real(&mut |_, values| *values = by_level(values));
    let usual = ColumnViews::try_from(&columns).unwrap();
    let field = |values: &'static [f64]| Field::level_fastest(values, values.len() / count, count);
    let turned: &'static Columns<f64> = Box::leak(Box::new(turned));
    let inputs = ColumnViews {
        u_m_per_s: field(&turned.u_m_per_s),
        v_m_per_s: field(&turned.v_m_per_s),
        temperature_k: field(&turned.temperature_k),
        vapour_kg_per_kg: field(&turned.vapour_kg_per_kg),
        cloud_water_kg_per_kg: field(&turned.cloud_water_kg_per_kg),
        cloud_ice_kg_per_kg: field(&turned.cloud_ice_kg_per_kg),
        pressure_pa: field(&turned.pressure_pa),
        exner: field(&turned.exner),
        thickness_m: field(&turned.thickness_m),
        radiative_heating_k_per_s: field(&turned.radiative_heating_k_per_s),
        interface_pressure_pa: field(&turned.interface_pressure_pa),
        tracers: field(&turned.tracers),
        ..usual
    };
    let options = every_option();
    let expected = expected(&columns, &options);
    let one_reversed = ColumnViews { u_m_per_s: usual.u_m_per_s, ..inputs };
    for inputs in [inputs, one_reversed] {
        for model in [Ysu::on(&[Device::Cpu]), Ysu::on(&[Device::Thread]), Ysu::on(&[Device::Cpu]).items_per_chunk(32)]
        {
            assert!(model.run(inputs, &options).unwrap() == expected);
        }
    }
    let still = Columns { u_m_per_s: vec![3.0], ..columns.clone() };
    let spelt_out = Columns { u_m_per_s: vec![3.0; count * layers], ..columns };
    let results = Ysu::on(&[Device::Cpu]).run(&still, &options).unwrap();
    assert!(results == self::expected(&spelt_out, &options));
}

/// Results in layouts that differ from each other.
#[test]
fn every_layout_of_results_gets_the_same_bits() {
    let (count, layers) = (70, 9);
    let columns = analytic::columns::<f64>(count, layers, 0);
    let options = every_option();
    let expected = expected(&columns, &options);
    let mut results = expected.clone();
    let mut turned = vec![0.0; layers * count];
    let mut views = results.views(count);
    views.theta_tendency_k_per_s = FieldMut::level_fastest(&mut turned, layers, count);
    Ysu::on(&[Device::Cpu]).run_views(&columns, &options, &views).unwrap();
    for (layer, column) in (0..layers).flat_map(|layer| (0..count).map(move |column| (layer, column))) {
        assert_eq!(turned[column * layers + layer], expected.theta_tendency_k_per_s[layer * count + column]);
    }
    assert!(results == expected);
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let seen = last.clone();
    let store = move |done| seen.store(done, std::sync::atomic::Ordering::Relaxed);
    let model = Ysu::<f32>::on(&[Device::Cpu]).progress(store);
    model.run(&analytic::columns::<f32>(50, 4, 0), &Options::new(1.0)).unwrap();
    assert_eq!(last.load(std::sync::atomic::Ordering::Relaxed), 50);
}

#[test]
fn a_bad_column_is_named_and_spares_the_others() {
    let options = Options::new(60.0);
    let good = analytic::columns::<f64>(70, 8, 1);
    let mut columns = good.clone();
    columns.temperature_k[3 * 70 + 40] = 90.0;
    columns.friction_velocity_m_per_s[5] = 0.0;
    columns.interface_pressure_pa[2 * 70 + 69] = columns.interface_pressure_pa[70 + 69];
    let Err(RunError::Batch(error)) = Ysu::on(&[Device::Cpu]).run(&columns, &options) else { panic!("accepted") };
    let first = "friction_velocity_m_per_s at column 5 is 0, which is not in (0, 100] m s-1";
    assert!(matches!(error, Error::Value { item: 5, .. }) && error.to_string() == first, "{error}");
    let (model, mut results) = (Ysu::on(&[Device::Cpu]).bad_items(BadItems::Flag), Results::default());
    let refused = model.run_into(&columns, &options, &mut results).unwrap();
    let refused: Vec<_> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert_eq!(refused[1], "temperature_k at column 40, layer 3 is 90, which is not in [100, 400] K");
    assert!(refused[2].starts_with("interface_pressure_pa at column 69, level 2 is "), "{}", refused[2]);
    let whole = expected(&good, &options);
    for column in 0..70 {
        let bad = [5, 40, 69].contains(&column);
        assert_eq!(results.status[column], if bad { Status::OUT_OF_RANGE.0 } else { 0 });
        for (got, expected) in [
            (&results.u_tendency_m_per_s2, &whole.u_tendency_m_per_s2),
            (&results.tracers_tendency_per_s, &whole.tracers_tendency_per_s),
            (&results.height_m, &whole.height_m),
        ] {
            for (got, expected) in got.iter().zip(expected).skip(column).step_by(70) {
                assert!(if bad { got.is_nan() } else { got == expected }, "column {column}: {got} {expected}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let model = Ysu::on(&[Device::Cpu]);
    let columns = analytic::columns::<f64>(3, 5, 0);
    let message = |columns: &Columns<f64>, options: &Options| model.run(columns, options).unwrap_err().to_string();
    assert!(message(&columns, &Options::new(0.0)).contains("time step is 0 s"));
    let mut short = columns.clone();
    short.v_m_per_s.pop();
    assert_eq!(message(&short, &Options::new(60.0)), "v_m_per_s has 14 values instead of 15 = 5 layers x 3 columns");
    assert!(message(&analytic::columns(3, 3, 0), &Options::new(60.0)).contains("at least 4"));
}
