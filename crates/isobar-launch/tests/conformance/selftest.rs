//! The kernels of `isobar_core::selftest`.

use std::marker::PhantomData;

use isobar_core::Real;
use isobar_core::selftest::{ElementaryFunctions, FUNCTIONS, PlainNumbers, TeamSum};
use isobar_launch::{Device, Error, Plain, Queue};

use isobar_golden::{Outputs, conformance, numbers_of_all_magnitudes as numbers};

/// Not a multiple of a warp, a block or a tile.
const ITEMS: usize = 20_011;

conformance!(elementary_functions, plain_numbers, team_sum);

fn elementary_functions<R: Real + Plain>(queue: &Queue) -> Result<Outputs, Error> {
    let x = queue.upload(&numbers::<R>(ITEMS, 1))?;
    let y = queue.upload(&numbers::<R>(ITEMS, 2))?;
    let mut results = queue.zeros::<R>(FUNCTIONS.len() * ITEMS)?;
    let mut statuses = queue.zeros(ITEMS)?;
    let results_view = results.item_fastest_mut(FUNCTIONS.len(), ITEMS);
    queue.launch(&ElementaryFunctions { x: x.column(), y: y.column(), results: results_view }, &mut statuses)?;
    let results = queue.to_host(&results)?;
    let outputs = FUNCTIONS.iter().zip(results.chunks(ITEMS));
    let outputs = outputs.fold(Outputs::default(), |outputs, (name, values)| outputs.reals(name, values));
    Ok(outputs.counts("statuses", &queue.to_host(&statuses)?))
}

fn team_sum<R: Real + Plain>(queue: &Queue) -> Result<Outputs, Error> {
    let values = queue.upload(&numbers::<R>(32 * ITEMS, 3))?;
    let mut outputs = Outputs::default();
    for level_fastest in [false, true] {
        let mut sums = queue.zeros::<R>(ITEMS)?;
        let mut statuses = queue.zeros(ITEMS)?;
        let view = if level_fastest { values.level_fastest(32, ITEMS) } else { values.item_fastest(32, ITEMS) };
        queue.launch(&TeamSum { values: view, sums: sums.item_fastest_mut(1, ITEMS) }, &mut statuses)?;
        outputs = outputs.reals("sums", &queue.to_host(&sums)?).counts("statuses", &queue.to_host(&statuses)?);
    }
    Ok(outputs)
}

/// Pairs of an item; `ISOBAR_PLAIN_PAIRS=1000000` makes it 20 billion.
fn pairs() -> u32 {
    std::env::var("ISOBAR_PLAIN_PAIRS").map_or(32, |pairs| pairs.parse().expect("ISOBAR_PLAIN_PAIRS is a number"))
}

fn plain_numbers<R: Real + Plain>(queue: &Queue) -> Result<Outputs, Error> {
    // A CPU divides, so that there is nothing to count.
    let pairs = if queue.device() == Device::Cpu { 32 } else { pairs() };
    let mut differences = queue.zeros::<u32>(ITEMS)?;
    let mut statuses = queue.zeros(ITEMS)?;
    let exponents = if R::NAME == "f32" { 50 } else { 450 };
    let view = differences.item_fastest_mut(1, ITEMS);
    queue.launch(&PlainNumbers::<R> { pairs, exponents, differences: view, precision: PhantomData }, &mut statuses)?;
    let differences = queue.to_host(&differences)?;
    assert!(
        differences.iter().all(|&count| count == 0),
        "{} items differ",
        differences.iter().filter(|&&n| n != 0).count()
    );
    Ok(Outputs::default().counts("differences", &differences))
}
