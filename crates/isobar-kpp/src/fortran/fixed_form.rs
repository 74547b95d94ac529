//! Fixed form: code in columns 7 to 72.

/// Whether a text is in fixed form: what stands in the first five columns are comments and labels. Files of models that
/// end so are often in free form.
pub(crate) fn is_fixed_form(text: &str) -> bool {
    let mut has_code = false;
    for line in text.lines() {
        let after_first = line.chars().nth(1);
        match line.chars().next() {
            Some('*') => return true,
            Some('c' | 'C') if !after_first.is_some_and(|next| next.is_ascii_alphanumeric() || next == '_') => {
                return true;
            }
            // `CONTAINS`, or a comment.
            None | Some('c' | 'C' | 'd' | 'D' | '!' | '#') => continue,
            _ => (),
        }
        let mut label = line.chars().take(5).take_while(|&c| c != '\t' && c != '!');
        has_code |= label.any(|c| c.is_ascii_alphabetic());
    }
    !has_code
}

/// Where code begins that stands beyond column 72 of a line without comments, if there is any. A tab within the first
/// six columns leads to the seventh.
pub(super) fn beyond_column_72(line: &[u8]) -> Option<usize> {
    let code = line.trim_ascii_end();
    let tab = code.iter().take(6).position(|&byte| byte == b'\t');
    let first = tab.map_or(72, |tab| tab + 67);
    let blanks = code.get(first..)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
    Some(first + blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_columns_tell_the_form() {
        for text in
            ["      X = 1\n", "C     a law\nREAL X\n", "* a law\n", "   10 X = 1\n     &  + 2\n", "\tX = 1\n", ""]
        {
            assert!(is_fixed_form(text), "{text}");
        }
        for text in ["MODULE laws\nCONTAINS\n", "#ifdef A\n  USE b\n#endif\n", "! a law\n x = 1\n"] {
            assert!(!is_fixed_form(text), "{text}");
        }
    }

    #[test]
    fn columns_are_counted_from_1() {
        let line = |blanks: usize| format!("{}X\n", " ".repeat(blanks));
        assert_eq!(beyond_column_72(line(71).as_bytes()), None);
        assert_eq!(beyond_column_72(line(72).as_bytes()), Some(72));
        assert_eq!(beyond_column_72(line(80).as_bytes()), Some(80));
        assert_eq!(beyond_column_72(format!("\t{}", line(65)).as_bytes()), None);
        assert_eq!(beyond_column_72(format!("\t{}", line(66)).as_bytes()), Some(67));
    }
}
