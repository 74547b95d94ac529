//! Places in a scratch, as a host has them.

use isobar_core::Near;

#[repr(align(16))]
struct Scratch([f32; 64]);

#[test]
fn numbers_are_where_they_were_written_or_copied_to() {
    let mut scratch = Scratch([0.0; 64]);
    let near = Near::new(scratch.0.as_mut_ptr());
    let memory: [f32; 8] = core::array::from_fn(|i| i as f32 + 1.0);
    // SAFETY: all places are in the scratch, and what is read was written or copied.
    unsafe {
        near.beyond(3).write([7.0, 8.0]);
        assert_eq!(near.beyond_bytes(12).read::<2>(), [7.0, 8.0]);
        near.beyond(6).fetch(&raw const memory[5]);
        near.beyond(8).fetch_line(&raw const memory[2]);
        Near::<f32>::group();
        Near::<f32>::wait::<0>();
        assert_eq!(near.beyond(6).read::<1>(), [6.0]);
        assert_eq!(near.beyond(8).read::<4>(), [3.0, 4.0, 5.0, 6.0]);
    }
    // Sixteen bytes, and no more.
    assert_eq!([scratch.0[7], scratch.0[12]], [0.0, 0.0]);
}

#[test]
fn a_line_holds_half_as_many_numbers_of_twice_the_size() {
    let mut scratch = [0.0_f64; 8];
    let memory = [1.0, 2.0, 3.0];
    let near = Near::new(scratch.as_mut_ptr());
    // SAFETY: as above.
    unsafe { near.beyond(2).fetch_line(memory.as_ptr()) };
    assert_eq!(scratch, [0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
}
