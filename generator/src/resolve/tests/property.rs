//! No bytes make reading panic; the shorthand writes what its arguments say.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::*;
use super::DISHES;
use crate::diagnostic::render;
use crate::manifest::shorthand::{self, NewManifest};
use crate::project::{ColumnType, Rule};

fn survives(bytes: &[u8]) {
    let sources = Sources::from_texts([
        ("formwork.yaml", bytes.to_vec()),
        ("Cargo.toml", bytes.to_vec()),
        ("extensions/shop/resources/dishes.yaml", bytes.to_vec()),
        (
            "extensions/shop/models/categories.yaml",
            b"name: Categories".to_vec(),
        ),
        (
            "extensions/other/models/locations.yaml",
            b"name: Locations".to_vec(),
        ),
    ]);
    match resolve(&sources) {
        Ok(resolved) => assert!(!resolved.project.extensions.is_empty()),
        Err(found) => {
            assert!(!found.is_empty());
            assert!(!render(&found, &sources, false).is_empty());
        }
    }
}

/// Pieces that mean something in a manifest.
#[rustfmt::skip] // several in a line
const PIECES: &[&str] = &[
    "\n", "\t", "  ", ": ", "{ ", " }", "[", "]", ", ", "- ", "&a ", "*a", "!!str ", "|", "---\n", "'", "\"",
    "#", "~", "null", "\u{0}", "ü", "\u{feff}", "<<: *a\n", "model:", "attributes:", "relations:", "was: x\n",
    "string", "decimal(", "enum()", "required|", "min:", "regex:(", "belongs_to: ", "morph_to: {}",
    "default: ", "99999999999999999999", "-1", "self", "id", "created_at", "x.*: integer\n", "? ",
    "%YAML 1.2\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::tests::cases(96)))]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn any_pieces(pieces in vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.into_iter().map(|index| PIECES[index]).collect();
        survives(text.as_bytes());
    }

    #[test]
    fn any_mutation_of_a_manifest_is_resolved_or_refused(changes in vec((0..DISHES.len(), 0..12_usize, 0..PIECES.len(), any::<bool>()), 1..6)) {
        let mut bytes = DISHES.as_bytes().to_vec();
        for (at, length, piece, insert) in changes {
            let at = at.min(bytes.len());
            let end = (at + length).min(bytes.len());
            let piece = if insert { PIECES[piece].as_bytes() } else { b"" };
            bytes.splice(at..end, piece.iter().copied());
        }
        survives(&bytes);
    }

    #[test]
    fn any_shorthand_is_read_or_refused(arguments in vec("[a-z]{1,4}(:[a-z_=(),|0-9]{0,12}){0,4}", 0..6)) {
        // Refused or read; what is read is YAML of the manifest's grammar or refused with a place.
        if let Ok(shorthand) = shorthand::parse(&arguments) {
            let text = shorthand::write(&NewManifest { key: "things", shorthand, ..NewManifest::default() });
            let sources = Sources::from_texts([("extensions/shop/resources/things.yaml", text)]);
            if let Err(found) = resolve(&sources) {
                prop_assert!(found.iter().all(|found| found.code != Code::Syntax), "{found:?}");
            }
        }
    }

    #[test]
    fn shorthand_is_read_back(columns in vec(column(), 0..8)) {
        let mut columns = columns;
        columns.sort_by(|a, b| a.name.cmp(&b.name));
        columns.dedup_by(|a, b| a.name == b.name);
        let arguments: Vec<String> = columns.iter().map(Column::argument).collect();
        let shorthand = shorthand::parse(&arguments).expect("legal arguments");
        let text = shorthand::write(&NewManifest { key: "things", shorthand, ..NewManifest::default() });
        let sources = Sources::from_texts([("extensions/shop/resources/things.yaml", text.as_str())]);
        let resolved = resolve(&sources);
        prop_assert!(resolved.is_ok(), "{text}\n{:?}", resolved.err());
        let project = resolved.expect("checked").project;
        let model = &project.extensions[0].resources[0].model;
        prop_assert_eq!(model.attributes.len(), columns.len());
        for (attribute, column) in model.attributes.iter().zip(&columns) {
            prop_assert_eq!(&attribute.name, &column.name);
            prop_assert_eq!(&attribute.kind, &column.kind);
            prop_assert_eq!(attribute.nullable, !column.required);
            prop_assert_eq!(attribute.rules.all.contains(&Rule::Required), column.required);
            prop_assert_eq!(attribute.unique, column.unique);
        }
    }
}

#[derive(Debug, Clone)]
struct Column {
    name: String,
    kind: ColumnType,
    required: bool,
    unique: bool,
}

impl Column {
    fn argument(&self) -> String {
        let presence = if self.required {
            "required"
        } else {
            "nullable"
        };
        let unique = if self.unique { ":unique" } else { "" };
        let kind = match &self.kind {
            ColumnType::Decimal(precision, scale) => format!("decimal:{precision},{scale}"),
            ColumnType::String(length) => format!("string:{length}"),
            ColumnType::Enum(values) => format!("enum:{}", values.join(",")),
            kind => column_type::written(kind),
        };
        format!("{}:{kind}:{presence}{unique}", self.name)
    }
}

fn column() -> impl Strategy<Value = Column> {
    let kind = prop_oneof![
        (1..200_u32).prop_map(ColumnType::String),
        (1..=18_u8, 0..=18_u8).prop_map(|(p, s)| ColumnType::Decimal(p, s.min(p))),
        Just(ColumnType::Text),
        Just(ColumnType::BigInt),
        Just(ColumnType::Boolean),
        Just(ColumnType::Date),
        Just(ColumnType::Json),
        Just(ColumnType::Enum(vec!["one".to_owned(), "two".to_owned()])),
    ];
    ("[a-z][a-z_]{1,9}[a-z]", kind, any::<bool>(), any::<bool>()).prop_map(
        |(name, kind, required, unique)| {
            let unique = unique && !matches!(kind, ColumnType::Text | ColumnType::Json);
            Column {
                name: format!("c_{name}"),
                kind,
                required,
                unique,
            }
        },
    )
}
