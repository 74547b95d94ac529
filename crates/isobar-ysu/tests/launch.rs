//! Boundary layers in pieces, by threads, with tracers, and with bad columns among good ones.

use isobar_core::{Real, Status};
use isobar_launch::{Device, Queue, with_threads};
use isobar_ysu::launch::{BoundaryLayer, BoundaryLayerError, Precision, Resident};
use isobar_ysu::{Batch, Columns, Options, Outputs, analytic};

fn every_option() -> Options {
    Options { top_down: true, topographic: true, ..Options::new(60.0) }
}

/// What one thread computes of the host's arrays.
fn expected<R: Real>(columns: &Columns<R>, options: Options) -> Outputs<R> {
    let mut batch = Batch::new(columns.clone(), options).unwrap();
    batch.compute();
    batch.into_outputs()
}

#[test]
fn threads_and_pieces_change_no_bit() {
    fn check<R: Precision>(tracers: usize, options: Options) {
        let columns = analytic::columns::<R>(203, 11, tracers);
        let expected = expected(&columns, options);
        for threads in [1, 3] {
            let run = || BoundaryLayer::<R>::new(&[Device::Cpu]).run(&columns, &options, &|_| {});
            assert!(with_threads(threads, run).unwrap().unwrap() == expected, "{threads} threads");
        }
        // In chunks and whole, into results whose memory is kept, whatever is left there, for a smaller batch and the
        // whole again.
        let mut results = Outputs::default();
        let model = || BoundaryLayer::<R>::new(&[Device::Cpu]);
        for model in [model().columns_per_chunk(64), model()] {
            for count in [203, 70, 203, 203] {
                let some = columns.range(0..count);
                let refused = model.run_valid_into(&some, &options, &mut results, &|_| {}).unwrap();
                assert!(refused.is_empty());
                assert!(results == self::expected(&some, options), "{count} columns");
                (0..count).for_each(|column| results.refuse(column));
                // The caller may take what it likes.
                results.height = Vec::new();
            }
        }
        // As a GPU has it: through a buffer with room for more, piece by piece.
        let queue = Queue::new(Device::Cpu).unwrap();
        let mut resident = Resident::new(&queue, &columns, &options, 100).unwrap();
        for range in [0..100, 100..137, 137..203] {
            resident.load(&queue, &columns, &range).unwrap();
            resident.compute(&queue).unwrap();
            let part = resident.outputs(&queue).unwrap();
            let of_part =
                |values: &[R]| values.chunks(203).flat_map(|row| row[range.clone()].to_vec()).collect::<Vec<_>>();
            assert!(part.theta == of_part(&expected.theta), "{range:?}");
            assert!(part.diffusivity_momentum == of_part(&expected.diffusivity_momentum));
            assert!(part.tracers == of_part(&expected.tracers));
            assert!(part.latent_heat == of_part(&expected.latent_heat));
            assert_eq!(part.level, expected.level[range]);
        }
    }
    for tracers in [0, 3] {
        check::<f32>(tracers, Options::new(60.0));
        check::<f64>(tracers, every_option());
    }
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::atomic::AtomicUsize::new(0);
    let store = |done| last.store(done, std::sync::atomic::Ordering::Relaxed);
    BoundaryLayer::<f32>::new(&[Device::Cpu])
        .run(&analytic::columns::<f32>(50, 4, 0), &Options::new(1.0), &store)
        .unwrap();
    assert_eq!(last.into_inner(), 50);
}

#[test]
fn a_bad_column_is_named_and_spares_the_others() {
    let options = Options::new(60.0);
    let good = analytic::columns::<f64>(70, 8, 1);
    let mut columns = good.clone();
    columns.air.temperature[3 * 70 + 40] = 90.0;
    columns.surface.friction_velocity[5] = 0.0;
    columns.interface_pressure[2 * 70 + 69] = columns.interface_pressure[70 + 69];
    let model = BoundaryLayer::new(&[Device::Cpu]);
    let Err(BoundaryLayerError::Columns(error)) = model.run(&columns, &options, &|_| {}) else { panic!("accepted") };
    assert_eq!(error.to_string(), "friction_velocity at column 5 is 0, which is not in (0, 100] m/s");
    let (results, refused) = model.run_valid(&columns, &options, &|_| {}).unwrap();
    let refused: Vec<_> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert_eq!(refused[1], "temperature at column 40, level 3 is 90, which is not in [100, 400] K");
    assert!(refused[2].starts_with("interface_pressure at column 69, level 2 is "), "{}", refused[2]);
    let whole = expected(&good, options);
    for column in 0..70 {
        let bad = [5, 40, 69].contains(&column);
        assert_eq!(results.status[column], if bad { Status::OUT_OF_RANGE.0 } else { 0 });
        for (got, expected) in
            [(&results.u, &whole.u), (&results.tracers, &whole.tracers), (&results.height, &whole.height)]
        {
            for (got, expected) in got.iter().zip(expected).skip(column).step_by(70) {
                assert!(if bad { got.is_nan() } else { got == expected }, "column {column}: {got} {expected}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let model = BoundaryLayer::new(&[Device::Cpu]);
    let columns = analytic::columns::<f64>(3, 5, 0);
    let message =
        |columns: &Columns<f64>, options: &Options| model.run(columns, options, &|_| {}).unwrap_err().to_string();
    assert!(message(&columns, &Options::new(0.0)).contains("time step is 0 s"));
    let mut short = columns.clone();
    short.air.v.pop();
    assert_eq!(message(&short, &Options::new(60.0)), "v has 14 values instead of 15 = 5 layers x 3 columns");
    assert!(message(&analytic::columns(3, 3, 0), &Options::new(60.0)).contains("at least 4"));
}
