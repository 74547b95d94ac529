//! What is read, computed and written part by part, all three at a time.

use rayon::join;

/// Takes each item through three stages, in order: while one is computed, the next is read and the one before written.
/// So there are up to three in memory. The first failure ends it; what comes before it is written.
///
/// The stages share the threads of the caller's pool; with one thread they take turns.
pub(crate) fn pipeline<Item: Send, Input: Send, Output: Send, Failure: Send>(
    items: impl IntoIterator<Item = Item>,
    read: impl Fn(Item) -> Result<Input, Failure> + Sync,
    compute: impl Fn(Input) -> Result<Output, Failure> + Sync,
    mut write: impl FnMut(Output) -> Result<(), Failure> + Send,
) -> Result<(), Failure> {
    let mut items = items.into_iter();
    let (mut input, mut output) = (None, None);
    loop {
        let item = items.next();
        let (to_compute, to_write) = (input.take(), output.take());
        if item.is_none() && to_compute.is_none() && to_write.is_none() {
            return Ok(());
        }
        let written;
        (output, (input, written)) = join(
            || to_compute.map(|input: Result<Input, Failure>| input.and_then(&compute)),
            || join(|| item.map(&read), || to_write.map_or(Ok(()), |output: Result<Output, Failure>| write(output?))),
        );
        written?;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier, Mutex};

    use super::pipeline;

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
