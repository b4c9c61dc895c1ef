//! A YAML file as a tree whose every node knows its place.
//!
//! Built from parser events rather than by serde: a manifest may hold several mistakes, and each
//! wants its own place, duplicate keys included (docs/adr/0001).

mod build;
mod node;

pub use build::parse;
pub use node::{Layout, Node, Scalar, Span, SyntaxError, SyntaxErrorKind, Value};

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> SyntaxErrorKind {
        parse(text.as_bytes()).unwrap_err().kind
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text = "name: Größe\nmodel: {table: \"a b\", key: }\n";
        let node = parse(text.as_bytes()).unwrap();
        let Value::Mapping(entries, Layout::Block) = &node.value else {
            panic!("{node:?}")
        };
        let slice = |node: &Node| &text[node.span.start..node.span.end];
        assert_eq!(slice(&entries[0].1), "Größe");
        let Value::Mapping(model, Layout::Flow) = &entries[1].1.value else {
            panic!("{node:?}")
        };
        assert_eq!(slice(&model[0].1), "\"a b\"");
        let part = model[0].1.part(2, 1);
        assert_eq!(&text[part.start..part.end], "b");
        assert!(model[1].1.is_absent());
    }

    #[test]
    fn each_kind_of_syntax_error_has_its_own_message() {
        assert_eq!(
            parse(b"a: \xff").unwrap_err().kind,
            SyntaxErrorKind::NotUtf8
        );
        assert_eq!(kind(""), SyntaxErrorKind::Empty);
        assert_eq!(kind("# only words\n\n"), SyntaxErrorKind::Empty);
        assert_eq!(kind("model:\n\ttable: x\n"), SyntaxErrorKind::Tab);
        assert_eq!(kind("\tname: x\n"), SyntaxErrorKind::Tab);
        assert_eq!(kind("a: 1\n---\nb: 2\n"), SyntaxErrorKind::SecondDocument);
        assert_eq!(kind("a: !!str 1\n"), SyntaxErrorKind::Tag);
        assert!(matches!(kind("a: [1, 2\n"), SyntaxErrorKind::Yaml(_)));
    }

    #[test]
    fn aliases_are_bounded() {
        let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for (one, next) in "abcdefgh".chars().zip("bcdefghi".chars()) {
            let list = vec![format!("*{one}"); 9].join(", ");
            bomb.push_str(&format!("{next}: &{next} [{list}]\n"));
        }
        assert_eq!(kind(&bomb), SyntaxErrorKind::Aliases);
        assert_eq!(kind("a: &a [*a]\n"), SyntaxErrorKind::Aliases);
        assert!(parse(b"a: &a x\nb: *a\n").is_ok());
    }

    #[test]
    fn booleans_and_null_are_strict() {
        let node = parse(b"[true, 'true', yes, null, 'null', ~]").unwrap();
        let Value::Sequence(items, _) = &node.value else {
            panic!("{node:?}")
        };
        let bools: Vec<_> = items.iter().map(Node::as_bool).collect();
        assert_eq!(bools, [Some(true), None, None, None, None, None]);
        let nulls: Vec<_> = items.iter().map(Node::is_null).collect();
        assert_eq!(nulls, [false, false, false, true, false, true]);
    }
}
