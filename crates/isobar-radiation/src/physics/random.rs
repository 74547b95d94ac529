//! Random numbers by counting: Philox 2x32 with ten rounds (Salmon et al. 2011, doi:10.1145/2063384.2063405). A number
//! depends on its column, layer and g-point alone.

/// Two random words for a counter and a key.
#[inline(always)]
pub(crate) fn philox(mut counter: [u32; 2], mut key: u32) -> [u32; 2] {
    const MULTIPLIER: u64 = 0xD256_D193;
    const WEYL: u32 = 0x9E37_79B9;
    for _ in 0..10 {
        let product = MULTIPLIER * u64::from(counter[0]);
        counter = [(product >> 32) as u32 ^ key ^ counter[1], product as u32];
        key = key.wrapping_add(WEYL);
    }
    counter
}

/// A number above 0 and below 1.
#[inline(always)]
pub(crate) fn unit(word: u32) -> f32 {
    // 23 bits and a half: exact.
    ((word >> 9) as f32 + 0.5) * (1.0 / 8_388_608.0)
}
