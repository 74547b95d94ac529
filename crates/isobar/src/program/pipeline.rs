//! What is read, computed and written part by part, all three at a time.

use rayon::prelude::*;
use rayon::{current_num_threads, join};

/// Items that are read at a time, where there are threads for them: reading takes most of the host's time.
const MOST_READ: usize = 8;

/// Takes each item through three stages, in order: while some are computed, one after the other, the next ones are
/// read, at a time, and those before written, one after the other. So there are up to three times [`MOST_READ`] in
/// memory. The first failure ends it; what comes before it is written.
///
/// The stages share the threads of the caller's pool; with one thread they take turns.
pub(crate) fn pipeline<Item: Send, Input: Send, Output: Send, Failure: Send>(
    items: impl IntoIterator<Item = Item>,
    read: impl Fn(Item) -> Result<Input, Failure> + Sync,
    compute: impl Fn(Input) -> Result<Output, Failure> + Sync,
    mut write: impl FnMut(Output) -> Result<(), Failure> + Send,
) -> Result<(), Failure> {
    let at_a_time = (current_num_threads() / 2).clamp(1, MOST_READ);
    let mut items = items.into_iter();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    loop {
        let to_read: Vec<Item> = items.by_ref().take(at_a_time).collect();
        let (to_compute, to_write) = (std::mem::take(&mut inputs), std::mem::take(&mut outputs));
        if to_read.is_empty() && to_compute.is_empty() && to_write.is_empty() {
            return Ok(());
        }
        let compute_all = || until_failure(to_compute, &compute);
        let read_all = || to_read.into_par_iter().map(&read).collect();
        let write_all = || to_write.into_iter().try_for_each(|output: Result<Output, Failure>| write(output?));
        let written;
        (outputs, (inputs, written)) = join(compute_all, || join(read_all, write_all));
        written?;
    }
}

/// The results of a stage up to its first failure, or that of the stage before.
fn until_failure<Input, Output, Failure>(
    inputs: Vec<Result<Input, Failure>>,
    stage: impl Fn(Input) -> Result<Output, Failure>,
) -> Vec<Result<Output, Failure>> {
    let mut outputs = Vec::new();
    for input in inputs {
        let output = input.and_then(&stage);
        let failed = output.is_err();
        outputs.push(output);
        if failed {
            break;
        }
    }
    outputs
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier, Mutex};

    use super::{MOST_READ, pipeline};

    #[test]
    fn order_is_kept() {
        for size in 0..5 {
            let mut written = Vec::new();
            let read = |number: i32| Ok(number + 1);
            let outcome: Result<(), ()> = pipeline(
                0..size,
                read,
                |number| Ok(10 * number),
                |number| {
                    written.push(number);
                    Ok(())
                },
            );
            assert_eq!(outcome, Ok(()));
            assert_eq!(written, (1..=size).map(|number| 10 * number).collect::<Vec<_>>());
        }
    }

    /// What comes before a failure is written, nothing behind it, whichever stage fails.
    #[test]
    fn first_failure_ends_it() {
        for fails in 0..3 {
            let fail =
                |stage: usize, number: usize| if stage == fails && number >= 4 { Err(number) } else { Ok(number) };
            let mut written = Vec::new();
            let write = |number| {
                written.push(fail(2, number)?);
                Ok(())
            };
            let outcome = pipeline(0..100, |number| fail(0, number), |number| fail(1, number), write);
            assert_eq!(outcome, Err(4));
            assert_eq!(written, [0, 1, 2, 3]);
        }
    }

    /// Of several that are read at a time, those before a failure count.
    #[test]
    fn several_are_read_at_a_time() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2 * MOST_READ).build().unwrap();
        let barrier = Barrier::new(MOST_READ);
        let read = |number: usize| {
            // Nobody goes on before all of the first ones are being read.
            if number < MOST_READ {
                barrier.wait();
            }
            if number == 6 { Err(number) } else { Ok(number) }
        };
        let mut written = Vec::new();
        let write = |number| {
            written.push(number);
            Ok(())
        };
        assert_eq!(pool.install(|| pipeline(0..100, read, Ok, write)), Err(6));
        assert_eq!(written, [0, 1, 2, 3, 4, 5]);
    }

    /// Each stage waits for the others to have begun, which they do only where there is a thread for each.
    #[test]
    fn stages_run_at_a_time() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let barrier = Arc::new(Barrier::new(3));
        let busy = Mutex::new(Vec::new());
        let meet = |stage: i32, number: i32| {
            // The third round is the first in which all three have something to do.
            if number + stage == 2 {
                barrier.wait();
            }
            busy.lock().unwrap().push((stage, number));
            Ok::<_, ()>(number)
        };
        let write = |number| meet(2, number).map(|_| ());
        pool.install(|| pipeline(0..3, |number| meet(0, number), |number| meet(1, number), write)).unwrap();
        assert_eq!(busy.lock().unwrap().len(), 9);
    }

    /// With one thread the stages take turns.
    #[test]
    fn one_thread_suffices() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut sum = 0;
        let write = |number: i32| {
            sum += number;
            Ok::<_, ()>(())
        };
        pool.install(|| pipeline(0..10, Ok, Ok, write)).unwrap();
        assert_eq!(sum, 45);
    }
}
