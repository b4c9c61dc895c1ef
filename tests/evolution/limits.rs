//! What `manifest check` accepts for a server, the server has room for.

use std::fmt::Write as _;

use formwork_cli::manifest::Sources;
use formwork_cli::project::Database as Kind;
use formwork_cli::resolve::resolve;
use formwork_cli::schema::database_name;

use crate::server::servers;
use crate::world::{Manifests, World};

const TAGS: &str = "shop/models/tags.yaml";

/// A table with as many columns of this type.
fn table(count: usize, kind: &str) -> Manifests {
    let mut text = "model:\n  timestamps: false\n  attributes:\n".to_owned();
    for number in 0..count {
        let _ = writeln!(text, "    c{number}: {kind}");
    }
    [(TAGS.to_owned(), text)].into()
}

/// Whether the check refuses a manifest for this database.
fn is_refused(kind: Kind, manifests: &Manifests) -> bool {
    let config = format!("database: [{}]\n", database_name(kind));
    let files = manifests.iter();
    let files = files.map(|(path, text)| (format!("extensions/{path}"), text.clone()));
    let config = [("formwork.yaml".to_owned(), config)];
    resolve(&Sources::from_texts(config.into_iter().chain(files))).is_err()
}

/// As many different characters of four bytes: a server would compress a text of one.
fn long_text(length: usize) -> String {
    let mut state: u32 = 1;
    let letters = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_u32(0x1_0000 + (state >> 8) % 0xF_0000).expect("a character")
    });
    letters.take(length).collect()
}

#[test]
fn the_longest_indexed_text_is_stored() {
    for kind in servers() {
        let length = if kind == Kind::Postgres { 672 } else { 768 };
        let indexed =
            |length: usize| table(1, &format!("{{ type: string({length}), unique: true }}"));
        assert!(is_refused(kind, &indexed(length + 1)), "{kind:?}");
        let mut world = World::created_on(kind, &indexed(length));
        let text = long_text(length);
        assert_eq!(text.len(), length * 4);
        let insert = format!("INSERT INTO tags (c0) VALUES ('{text}')");
        world.database.execute(&insert).expect("it fits");
        let found = world.database.query("SELECT c0 FROM tags");
        assert_eq!(found, [[text]], "{kind:?}");
        // The index compares all of it.
        world.database.execute(&insert).expect_err("unique");
    }
}
