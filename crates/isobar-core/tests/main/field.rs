//! Views: sizes, strides and reversal.

use isobar_core::{Column, Field, FieldMut};
use proptest::prelude::*;

#[test]
fn a_column_reads_with_its_stride() {
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    // SAFETY: elements 0, 3 and 6 of seven.
    let column = unsafe { Column::from_raw(values.as_ptr(), 3, 3) };
    assert_eq!([column.at(0), column.at(1), column.at(2)], [0.0, 3.0, 6.0]);
    let reversed = column.reversed();
    assert_eq!([reversed.at(0), reversed.at(1), reversed.at(2)], [6.0, 3.0, 0.0]);
    assert_eq!(reversed.reversed().as_ptr(), values.as_ptr());
    assert_eq!((column.len(), column.is_empty()), (3, false));
}

#[test]
fn a_row_has_the_items_of_a_level_in_any_layout() {
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let read = |row: Column<'_, f64>| (0..row.len()).map(|item| row.at(item)).collect::<Vec<_>>();
    assert_eq!(read(Field::item_fastest(&values, 2, 3).row(1)), [3.0, 4.0, 5.0]);
    assert_eq!(read(Field::level_fastest(&values, 2, 3).row(1)), [1.0, 3.0, 5.0]);
    assert_eq!(read(Field::item_fastest(&values, 2, 3).levels_reversed().row(1)), [0.0, 1.0, 2.0]);
    assert_eq!(read(Field::constant(&7.0, 2, 3).row(1)), [7.0; 3]);
    assert!(Field::<f64>::empty().row(0).is_empty());
}

#[test]
#[should_panic(expected = "the view has 2 levels")]
fn a_row_beyond_the_levels_is_refused() {
    let _ = Field::item_fastest(&[0.0; 6], 2, 3).row(2);
}

proptest! {
    #[test]
    fn both_orders_in_memory_show_the_same_field(levels in 1_usize..9, items in 1_usize..9) {
        let value = |level: usize, item: usize| (100 * level + item) as f64;
        let by_item: Vec<f64> = (0..levels * items).map(|i| value(i / items, i % items)).collect();
        let by_level: Vec<f64> = (0..levels * items).map(|i| value(i % levels, i / levels)).collect();
        for field in [Field::item_fastest(&by_item, levels, items), Field::level_fastest(&by_level, levels, items)] {
            prop_assert_eq!((field.levels(), field.items()), (levels, items));
            let reversed = field.levels_reversed();
            for item in 0..items {
                let (column, from_below) = (field.column(item), reversed.column(item));
                prop_assert_eq!(column.len(), levels);
                for level in 0..levels {
                    prop_assert_eq!(field.at(level, item), value(level, item));
                    prop_assert_eq!(column.at(level), value(level, item));
                    prop_assert_eq!(reversed.at(level, item), value(levels - 1 - level, item));
                    prop_assert_eq!(from_below.at(level), value(levels - 1 - level, item));
                    prop_assert_eq!(column.reversed().at(level), value(levels - 1 - level, item));
                }
            }
        }
    }

    #[test]
    fn writing_reaches_one_element(levels in 1_usize..6, items in 1_usize..6, at in any::<(prop::sample::Index,
        prop::sample::Index)>(), by_item: bool, flip: bool) {
        let (level, item) = (at.0.index(levels), at.1.index(items));
        let mut values = vec![0.0_f32; levels * items];
        let field = if by_item { FieldMut::item_fastest(&mut values, levels,
            items) } else { FieldMut::level_fastest(&mut values, levels, items) };
        let field = if flip { field.levels_reversed() } else { field };
        field.set(level, item, 1.0);
        prop_assert_eq!(field.at(level, item), 1.0);
        prop_assert_eq!(field.column(item).at(level), 1.0);
        let row = if flip { levels - 1 - level } else { level };
        let place = if by_item { row * items + item } else { item * levels + row };
        for (i, v) in values.iter().enumerate() {
            prop_assert_eq!(*v, if i == place { 1.0 } else { 0.0 });
        }
    }
}

#[test]
#[should_panic(expected = "levels * items")]
fn a_slice_of_the_wrong_length_is_refused() {
    let _ = Field::item_fastest(&[0.0_f64; 5], 2, 3);
}

#[test]
#[should_panic(expected = "at least one")]
fn an_empty_column_is_refused() {
    let _ = Column::<f64>::from(&[][..]);
}

#[test]
fn the_rows_of_one_angle_are_a_field() {
    // Three levels of two angles, two items.
    let values: Vec<u32> = (0..12).collect();
    for (field, reversed) in [(Field::item_fastest(&values, 6, 2), false), (Field::item_fastest(&values, 6, 2), true)] {
        let field = if reversed { field.levels_reversed() } else { field };
        let angle = field.every(1, 2, 3);
        assert_eq!((angle.levels(), angle.items()), (3, 2));
        for level in 0..3 {
            assert_eq!(angle.at(level, 1), field.at(2 * level + 1, 1));
        }
        assert_eq!(field.every(1, 2, 4).levels(), 0);
    }
}
