//! Edits of a good file, as a script of bytes: what checksums protect is reached by changing little.

/// Bytes an edit.
const EDIT: usize = 8;

/// Numbers that lie at an end of something.
const EXTREMES: [u64; 8] =
    [0, 1, 0x7fff_ffff, 0xffff_ffff, u64::MAX, i64::MAX as u64, 0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000];

/// The good bytes with the edits of a script, eight bytes each: what, where, and how.
#[must_use]
pub fn edited(good: &[u8], script: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for edit in script.chunks_exact(EDIT) {
        if bytes.is_empty() {
            break;
        }
        let place = u32::from_le_bytes([edit[1], edit[2], edit[3], 0]) as usize % bytes.len();
        let value = &edit[4..];
        let length = u16::from_le_bytes([value[2], value[3]]) as usize;
        let end = (place + length).min(bytes.len());
        match edit[0] % 8 {
            0 => bytes[place] ^= 1 << (value[0] % 8),
            1 => bytes[place] = value[0],
            2 => overwrite(&mut bytes[place..], value),
            3 => overwrite(&mut bytes[place..], &EXTREMES[usize::from(value[0] % 8)].to_le_bytes()),
            4 => overwrite(&mut bytes[place..], &EXTREMES[usize::from(value[0] % 8)].to_be_bytes()),
            5 => bytes.truncate(place),
            6 => drop(bytes.drain(place..end)),
            _ => {
                let copy = bytes[place..end].to_vec();
                bytes.splice(place..place, copy);
            }
        }
    }
    bytes
}

fn overwrite(bytes: &mut [u8], with: &[u8]) {
    bytes.iter_mut().zip(with).for_each(|(byte, with)| *byte = *with);
}
