//! Chunks fit into memory, and shrink where they do not.

use isobar_launch::{Device, Error, chunk_items, chunks, for_each_chunk};

fn out_of_memory() -> Error {
    Error::OutOfMemory { device: Device::Cuda(0), bytes: 1 }
}

#[test]
fn a_chunk_takes_four_fifths_of_the_free_memory() {
    assert_eq!(chunk_items(1_000_000, 1_000, Some(1_000_000), 1), 800);
    assert_eq!(chunk_items(1_000_000, 1_000, None, 1), 1_000_000);
    assert_eq!(chunk_items(1_000_000, 1_000, Some(10), 64), 64);
    assert_eq!(chunk_items(10, 1_000, Some(10), 64), 10);
    assert_eq!(chunk_items(0, 0, Some(0), 0), 1);
}

#[test]
fn chunks_cover_every_item_once() {
    for (items, size) in [(0, 3), (1, 3), (3, 3), (10, 3), (10, usize::MAX), (5, 0)] {
        let all: Vec<usize> = chunks(items, size).flatten().collect();
        assert_eq!(all, (0..items).collect::<Vec<_>>(), "{items} items in chunks of {size}");
    }
}

#[test]
fn chunks_that_do_not_fit_are_halved_and_the_finished_ones_kept() {
    let mut done = Vec::new();
    let mut tries = 0;
    for_each_chunk(100, 64, 1, |chunk| {
        tries += 1;
        if chunk.len() > 20 {
            return Err(out_of_memory());
        }
        done.extend(chunk);
        Ok(())
    })
    .unwrap();
    assert_eq!(done, (0..100).collect::<Vec<_>>());
    assert_eq!(tries, 2 + 7);
}

#[test]
fn a_smallest_chunk_that_does_not_fit_is_an_error() {
    let mut sizes = Vec::new();
    let error = for_each_chunk(100, 64, 10, |chunk| {
        sizes.push(chunk.len());
        Err(out_of_memory())
    });
    assert!(matches!(error, Err(Error::OutOfMemory { .. })));
    assert_eq!(sizes, [64, 32, 16, 10]);
}

#[test]
fn another_error_ends_the_batch() {
    let mut tries = 0;
    let error = for_each_chunk(100, 50, 1, |_| {
        tries += 1;
        Err(Error::NotCompiledIn)
    });
    assert!(matches!(error, Err(Error::NotCompiledIn)) && tries == 1);
}
