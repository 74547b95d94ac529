//! The exchange among the threads of a process.

use std::any::Any;
use std::sync::{Barrier, Mutex};

/// A place for each thread, and one for what the first one says.
pub(super) struct Desk {
    barrier: Barrier,
    places: Mutex<Vec<Option<Box<dyn Any + Send>>>>,
}

impl Desk {
    pub(super) fn new(threads: usize) -> Self {
        let places = (0..threads).map(|_| None).collect();
        Self { barrier: Barrier::new(threads), places: Mutex::new(places) }
    }

    /// The values of all threads in their order, at the first thread.
    pub(super) fn gather<T: Send + 'static>(&self, thread: usize, own: Vec<T>) -> Vec<Vec<T>> {
        self.put(thread, own);
        self.barrier.wait();
        let all = if thread == 0 { self.take_all() } else { Vec::new() };
        // Nobody puts the next values before these are taken.
        self.barrier.wait();
        all
    }

    /// What the first thread says.
    pub(super) fn spread<T: Clone + Send + 'static>(&self, thread: usize, values: Vec<T>) -> Vec<T> {
        if thread == 0 {
            self.put(0, values);
        }
        self.barrier.wait();
        let said = {
            let places = self.places.lock().expect("no member panics");
            let said = places[0].as_ref().and_then(|values| values.downcast_ref::<Vec<T>>());
            said.expect("all members do the same").clone()
        };
        self.barrier.wait();
        said
    }

    fn put<T: Send + 'static>(&self, thread: usize, values: Vec<T>) {
        self.places.lock().expect("no member panics")[thread] = Some(Box::new(values));
    }

    fn take_all<T: 'static>(&self) -> Vec<Vec<T>> {
        let mut places = self.places.lock().expect("no member panics");
        let all = places.iter_mut().map(|place| place.take().expect("every thread has put its values"));
        all.map(|values| *values.downcast().expect("all members do the same")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_the_order_of_the_threads() {
        let desk = &Desk::new(3);
        let exchange = |thread: usize| {
            for round in 0..100_usize {
                let all = desk.gather(thread, vec![10 * round + thread; thread]);
                let expected: Vec<Vec<usize>> = (0..3).map(|other| vec![10 * round + other; other]).collect();
                assert_eq!(all, if thread == 0 { expected } else { vec![] });
                assert_eq!(desk.spread(thread, vec![round * (1 + thread)]), [round]);
            }
        };
        std::thread::scope(|scope| (0..3).for_each(|thread| drop(scope.spawn(move || exchange(thread)))));
    }
}
