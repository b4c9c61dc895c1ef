//! Parts of a Rust source: code, comments and strings. They are read without parsing, because edited files may not
//! parse.

/// The part of a Rust source in which a character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Anything but a comment or a string.
    Code,
    /// A comment that ends with its line.
    Comment,
    /// A comment within so many others.
    Block(usize),
    /// A string.
    Text,
    /// A raw string with so many `#`.
    RawText(usize),
}

/// Returns the part after the next characters, and how many these are.
pub fn step(part: Part, signs: &[char], before: Option<char>) -> (Part, usize) {
    let next = signs.get(1).copied();
    match (part, signs[0]) {
        (Part::Code, '/') if next == Some('/') => (Part::Comment, 2),
        (Part::Code, '/') if next == Some('*') => (Part::Block(0), 2),
        (Part::Code, '"') => (Part::Text, 1),
        (Part::Code, 'r') if !before.is_some_and(|one| one.is_alphanumeric() || one == '_') => {
            let marks = signs[1..].iter().take_while(|sign| **sign == '#').count();
            match signs.get(marks + 1) {
                Some('"') => (Part::RawText(marks), marks + 2),
                _ => (Part::Code, 1),
            }
        }
        // A character, or the apostrophe of a lifetime.
        (Part::Code, '\'') if next == Some('\\') => {
            let end = signs.iter().skip(3).position(|sign| *sign == '\'');
            (Part::Code, end.map_or(1, |end| end + 4))
        }
        (Part::Code, '\'') if signs.get(2) == Some(&'\'') => (Part::Code, 3),
        (Part::Comment, '\n') => (Part::Code, 1),
        (Part::Block(0), '*') if next == Some('/') => (Part::Code, 2),
        (Part::Block(depth), '*') if next == Some('/') => (Part::Block(depth - 1), 2),
        (Part::Block(depth), '/') if next == Some('*') => (Part::Block(depth + 1), 2),
        (Part::Text, '\\') => (Part::Text, 2),
        (Part::Text, '"') => (Part::Code, 1),
        (Part::RawText(marks), '"')
            if signs.len() > marks && signs[1..=marks].iter().all(|sign| *sign == '#') =>
        {
            (Part::Code, marks + 1)
        }
        (part, _) => (part, 1),
    }
}

/// Returns a source with spaces in place of its code, line by line.
pub fn comments_and_strings(source: &str) -> String {
    let signs: Vec<char> = source.chars().collect();
    let (mut part, mut at, mut kept) = (Part::Code, 0, String::with_capacity(source.len()));
    while at < signs.len() {
        let before = at.checked_sub(1).map(|before| signs[before]);
        let (next, length) = step(part, &signs[at..], before);
        let is_code = part == Part::Code && next == Part::Code;
        let signs = &signs[at..(at + length).min(signs.len())];
        kept.extend(signs.iter().map(|sign| match sign {
            '\n' => '\n',
            _ if is_code => ' ',
            sign => *sign,
        }));
        (part, at) = (next, at + length);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_and_strings_are_left() {
        let source = "let service = \"a service\"; // the service\n\
            /* one /* two */ service */ service(r#\"raw \" service\"#, '\"', service);\n\
            let c = '\\''; let life: &'a str = \"x \\\" service\"; service.run();\n";
        let kept = comments_and_strings(source);
        assert_eq!(kept.lines().count(), source.lines().count());
        assert_eq!(kept.matches("service").count(), 5, "{kept}");
        assert!(!kept.contains("let") && !kept.contains("run"), "{kept}");
    }
}
