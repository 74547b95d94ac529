//! Chunks fit into memory and cover every item.

use isobar_launch::{chunk_items, chunks};

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
