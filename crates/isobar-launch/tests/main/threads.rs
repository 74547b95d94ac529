//! What workers of a GPU do on the host is done by the threads of whoever started the run; a GPU is not needed for it.

use std::sync::Mutex;

use isobar_launch::pool::Pool;
use isobar_launch::{Device, on_threads, thread_pool, with_threads};
use rayon::prelude::*;

/// The threads that workers of two GPUs and loops of theirs see, in a batch of forty items.
fn threads_of_workers() -> Vec<usize> {
    let seen = Mutex::new(Vec::new());
    let pool = Pool::new(40, &|_| {}, [None, None]);
    let work = |_: Device, pool: &Pool<'_>| {
        while let Some(range) = pool.take(3) {
            let items = range.len();
            let done: usize = on_threads(|| {
                seen.lock().unwrap().push(rayon::current_num_threads());
                range.into_par_iter().map(|_| 1).sum()
            });
            assert_eq!(done, items);
            pool.done(done);
        }
        Ok(())
    };
    pool.run(&[Device::Cuda(0), Device::Cuda(1)], |_| 2, work).unwrap();
    seen.into_inner().unwrap()
}

/// One thread waits for the workers, and they for it.
#[test]
fn workers_of_gpus_use_the_threads_of_the_run() {
    for threads in [1, 2, 3] {
        assert_eq!(with_threads(threads, threads_of_workers).unwrap(), vec![threads; 14]);
        let pool = thread_pool(threads).unwrap();
        for _ in 0..2 {
            assert_eq!(pool.install(threads_of_workers), vec![threads; 14]);
        }
        // Runs side by side, as many as there are threads.
        let all = pool.install(|| (0..threads).into_par_iter().map(|_| threads_of_workers()).collect::<Vec<_>>());
        assert_eq!(all, vec![vec![threads; 14]; threads]);
    }
}

#[test]
fn without_a_pool_they_use_the_global_one() {
    let global = rayon::current_num_threads();
    assert_eq!(threads_of_workers(), vec![global; 14]);
    // A pool that is not ours is not known to them.
    let own = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(own.install(threads_of_workers), vec![global; 14]);
}

#[test]
fn a_worker_that_panics_does_not_keep_the_others_waiting() {
    let run = || {
        let pool = Pool::new(1, &|_| {}, [None, None]);
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.run(&[Device::Cuda(0)], |_| 1, |_, _| panic!("a test"))
        }));
        ended.is_err()
    };
    assert!(run() && with_threads(1, run).unwrap());
}
