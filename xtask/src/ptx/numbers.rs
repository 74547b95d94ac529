//! Short decimals for the compiler's hexadecimal floating-point numbers: `0.5` is `0d3FE0000000000000`.

/// Longer decimals are left as they are: those that remain are exact whatever reads them.
const LONGEST: usize = 8;

/// The line with decimals where they are short. What only moves bits gets `0` for zero, and keeps the others.
pub(super) fn shorten(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find("0d").into_iter().chain(rest.find("0f")).min() {
        let digits = &rest[start + 2..];
        let digits = &digits[..digits.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(digits.len())];
        let number = &rest[start..start + 2 + digits.len()];
        text += &rest[..start];
        text += &decimal(line, number).unwrap_or_else(|| number.to_owned());
        rest = &rest[start + number.len()..];
    }
    text + rest
}

/// The decimal for `0d3FE0000000000000` or `0f3F000000`, if it is short.
fn decimal(line: &str, number: &str) -> Option<String> {
    let digits = &number[2..];
    let value = match digits.len() {
        16 if number.starts_with("0d") => f64::from_bits(u64::from_str_radix(digits, 16).ok()?),
        8 if number.starts_with("0f") => f64::from(f32::from_bits(u32::from_str_radix(digits, 16).ok()?)),
        _ => return None,
    };
    let operation = line.split_whitespace().find(|word| !word.starts_with('@'))?;
    if operation.ends_with(".f64") || operation.ends_with(".f32") {
        let decimal = format!("{value:?}");
        let plain = value.is_finite() && !decimal.contains('e') && value.to_bits() != (-0.0_f64).to_bits();
        return (plain && decimal.len() <= LONGEST).then_some(decimal);
    }
    (operation.starts_with("mov.b") && value.to_bits() == 0).then(|| "0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn short_numbers_are_decimals_of_the_same_value() {
        assert_eq!(shorten("fma.rn.f64 d1,d2,0d3FE0000000000000,0dBFF0000000000000;"), "fma.rn.f64 d1,d2,0.5,-1.0;");
        assert_eq!(shorten("@p1 add.rn.f32 r1,r2,0f3F800000;"), "@p1 add.rn.f32 r1,r2,1.0;");
        assert_eq!(shorten("mov.b64 d1,0d0000000000000000;"), "mov.b64 d1,0;");
    }

    #[test]
    fn other_numbers_stay() {
        for line in [
            "mul.rn.f64 d1,d2,0d3FB999999999999A3;",
            "mul.rn.f64 d1,d2,0d3FE62E42FEFA39EF;",
            "add.rn.f32 r1,r2,0f80000000;",
            "selp.f64 d1,0d7FF8000000000000,d2,p1;",
            "mov.b64 d1,0d3FF0000000000000;",
            "ld.b64 d1,[internal_0d+8];",
        ] {
            assert_eq!(shorten(line), line);
        }
    }
}
