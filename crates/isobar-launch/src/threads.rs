//! Threads of the host: how many there are, and which of them do what a GPU's worker has to do on the host.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use crate::Error;

/// A core holds the numbers of 32 lanes in arrays; without optimisation each has its own place on the stack.
const STACK_BYTES: usize = 16 << 20;
/// More threads than this for each core, and more than [`ENOUGH`], take longer to start than any work would gain.
const THREADS_A_CORE: usize = 4;
/// The number of threads that may be asked for on any machine.
const ENOUGH: usize = 256;
/// How often a thread that waits for workers looks whether its pool lacks a thread.
const LOOK: Duration = Duration::from_micros(500);

/// The pool of a thread, or of whoever started it; empty until the pool has all its threads.
type Home = Arc<OnceLock<Weak<ThreadPool>>>;

thread_local! {
    static HOME: RefCell<Option<Home>> = const { RefCell::new(None) };
}

/// Runs `work` with `threads` CPU threads (0: as many as there are cores): every parallel loop inside uses them and no
/// others.
///
/// The results do not depend on the number.
///
/// # Errors
/// [`Error::TooManyThreads`] if that are more than [`most_threads`]; [`Error::Threads`] if the system does not start
/// them.
pub fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
    Ok(thread_pool(threads)?.install(work))
}

/// The most threads that may be asked for: four a core, and 256 on small machines.
#[must_use]
pub fn most_threads() -> usize {
    (THREADS_A_CORE * thread::available_parallelism().map_or(1, usize::from)).max(ENOUGH)
}

/// A pool of threads to be used again and again, by [`ThreadPool::install`]. In a pool made otherwise loops of
/// [`on_threads`] use rayon's global one.
///
/// # Errors
/// As [`with_threads`].
pub fn thread_pool(threads: usize) -> Result<Arc<ThreadPool>, Error> {
    let most = most_threads();
    if threads > most {
        return Err(Error::TooManyThreads { threads, most });
    }
    let home = Home::default();
    let of_each = home.clone();
    let pool = ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .num_threads(threads)
        .thread_name(|number| format!("isobar-{number}"))
        .start_handler(move |_| HOME.set(Some(of_each.clone())))
        .build()
        .map_err(|error| Error::Threads { threads, why: error.to_string() })?;
    let pool = Arc::new(pool);
    home.get_or_init(|| Arc::downgrade(&pool));
    Ok(pool)
}

/// Does work of parallel loops: a GPU's worker, which is a thread of its own, brings it to the threads of whoever
/// started the run.
pub fn on_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let home = HOME.with_borrow(|home| home.as_ref().and_then(|home| home.get()?.upgrade()));
    match home {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// The workers that a thread has started and waits for.
pub(crate) struct Workers {
    starter: Thread,
    home: Option<Home>,
    left: AtomicUsize,
}

impl Workers {
    /// Workers that this thread starts, `count` of them.
    pub(crate) fn new(count: usize) -> Self {
        Self { starter: thread::current(), home: HOME.with_borrow(Clone::clone), left: AtomicUsize::new(count) }
    }

    /// What one of them does, on a thread of its own.
    pub(crate) fn work(&self, work: impl FnOnce()) {
        /// Tells of the end, also where the work panics.
        struct End<'a>(&'a Workers);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.left.fetch_sub(1, Ordering::Release);
                self.0.starter.unpark();
            }
        }
        let _end = End(self);
        HOME.set(self.home.clone());
        work();
    }

    /// Returns when all have ended, or at once outside of a pool, where somebody else has to wait. A thread of a pool
    /// does what the others of it do not get at: it may be the only one, whom the workers wait for.
    pub(crate) fn wait(&self) {
        while self.left.load(Ordering::Acquire) > 0 {
            match rayon::yield_now() {
                None => return,
                Some(Yield::Executed) => {}
                Some(Yield::Idle) => thread::park_timeout(LOOK),
            }
        }
    }
}
