//! Pools of threads that a process keeps.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use isobar_launch::thread_pool;
use rayon::ThreadPool;

use crate::error::CallError;

/// The pools of a process, by their number of threads.
struct Pools {
    process: u32,
    by_threads: Mutex<BTreeMap<usize, Arc<ThreadPool>>>,
}

/// Those of this process, or of the one that it was forked from: the child has no threads but the one that forked, and
/// a lock that another one held then is never given back. So a child makes pools of its own, and leaves these alone.
static POOLS: AtomicPtr<Pools> = AtomicPtr::new(ptr::null_mut());

fn pools() -> &'static Pools {
    let known = POOLS.load(Ordering::Acquire);
    // SAFETY: what is put there stays for ever.
    if let Some(pools) = unsafe { known.as_ref() }
        && pools.process == std::process::id()
    {
        return pools;
    }
    let own = Box::into_raw(Box::new(Pools { process: std::process::id(), by_threads: Mutex::default() }));
    let pools = match POOLS.compare_exchange(known, own, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => own,
        Err(of_another_thread) => {
            // SAFETY: nobody else has it yet.
            drop(unsafe { Box::from_raw(own) });
            of_another_thread
        }
    };
    // SAFETY: as above.
    unsafe { &*pools }
}

/// Does the work with `threads` threads (0: as many as there are cores), which the process keeps: every parallel loop
/// inside uses them and no others.
///
/// After a fork the child gets threads of its own.
///
/// # Errors
/// [`CallError::Device`] if the system does not start them.
///
/// # Panics
/// If another thread has panicked while it started some.
pub fn install<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, CallError> {
    Ok(pool(threads)?.install(work))
}

/// How often who waits looks up.
const TICK: Duration = Duration::from_millis(50);

/// Does the work as [`install`] does; the calling thread calls `tick` now and then while it waits.
///
/// # Errors
/// As [`install`].
///
/// # Panics
/// As [`install`].
pub fn install_ticking<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
    tick: &mut dyn FnMut(),
) -> Result<T, CallError> {
    let (done, ready) = (Mutex::new(None), Condvar::new());
    let pool = pool(threads)?;
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            // Whoever waits has to learn of a panic, too.
            let result = panic::catch_unwind(AssertUnwindSafe(work));
            *done.lock().expect("nobody panics with it") = Some(result);
            ready.notify_one();
        });
        let mut known = done.lock().expect("nobody panics with it");
        while known.is_none() {
            let (again, waited) = ready.wait_timeout(known, TICK).expect("nobody panics with it");
            known = again;
            if waited.timed_out() && known.is_none() {
                drop(known);
                tick();
                known = done.lock().expect("nobody panics with it");
            }
        }
    });
    let result = done.into_inner().expect("nobody panics with it").expect("the scope has ended");
    Ok(result.unwrap_or_else(|panic| panic::resume_unwind(panic)))
}

/// The pool of `threads` threads.
fn pool(threads: usize) -> Result<Arc<ThreadPool>, CallError> {
    let mut known = pools().by_threads.lock().expect("no thread panics");
    if let Some(pool) = known.get(&threads) {
        return Ok(pool.clone());
    }
    let pool = thread_pool(threads).map_err(|error| CallError::Device(error.to_string()))?;
    Ok(known.entry(threads).or_insert(pool).clone())
}
