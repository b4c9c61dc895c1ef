//! What rows hold after a column changed its type.

use crate::world::{Manifests, World};

const TAGS: &str = "shop/models/tags.yaml";

/// Type before, type after, what is stored, and what it becomes.
const CASES: &str = r#"
decimal(10,2) required                     | decimal(12,4) required                     | -1250                                  | -125000
decimal(10,4) required                     | decimal(10,2) required                     | 12355                                  | 124
decimal(10,4) required                     | decimal(10,2) required                     | -12355                                 | -124
decimal(10,2) required                     | text required                              | -5                                     | '-0.05'
decimal(10,2) required                     | string(13) required                        | 123456                                 | '1234.56'
decimal(10,2) required                     | integer required                           | 1250                                   | 13
decimal(10,2) required                     | float required                             | 1250                                   | 12.5
decimal(10,2) required                     | boolean required                           | 1250                                   | 1
decimal(10,2) required                     | decimal(4,2) nullable                      | 1234567                                | NULL
integer required                           | decimal(10,2) required                     | 7                                      | 700
integer required                           | text required                              | -7                                     | '-7'
bigint required                            | integer required                           | 5000000000                             | 0
bigint required                            | integer nullable                           | 5000000000                             | NULL
bigint required                            | { type: integer, default: 3 }              | 5000000000                             | 3
float required                             | integer required                           | 2.5                                    | 3
boolean required                           | text required                              | 1                                      | 'true'
boolean required                           | json required                              | 0                                      | 'false'
text required                              | integer required                           | '12'                                   | 12
text required                              | integer nullable                           | 'twelve'                               | NULL
text required                              | decimal(10,2) required                     | '12.5'                                 | 1250
text required                              | boolean nullable                           | 'True'                                 | 1
text required                              | boolean nullable                           | 'perhaps'                              | NULL
text required                              | date nullable                              | '2026-01-31 12:00'                     | '2026-01-31'
text required                              | date nullable                              | '2026-02-31'                           | NULL
text required                              | datetime nullable                          | '2026-01-31 12:00:00'                  | '2026-01-31T12:00:00.000000Z'
text required                              | datetime nullable                          | '12'                                   | NULL
text required                              | time nullable                              | '09:30'                                | '09:30:00'
text required                              | uuid nullable                              | '00000000-0000-4000-8000-0000000000AB' | '00000000-0000-4000-8000-0000000000ab'
text required                              | uuid nullable                              | 'me'                                   | NULL
text required                              | json required                              | 'it''s'                                | '"it''s"'
text required                              | json required                              | '[1]'                                  | '[1]'
text nullable                              | json nullable                              | NULL                                   | NULL
date required                              | datetime required                          | '2026-01-31'                           | '2026-01-31T00:00:00.000000Z'
datetime required                          | date required                              | '2026-01-31T12:00:00.000000Z'          | '2026-01-31'
datetime required                          | time required                              | '2026-01-31T12:30:00.000000Z'          | '12:30:00'
date required                              | json required                              | '2026-01-31'                           | '"2026-01-31"'
string required                            | string(3) required                         | 'abcde'                                | 'abc'
string nullable                            | string required                            | NULL                                   | ''
string nullable                            | { type: string, default: x }               | NULL                                   | 'x'
{ type: "decimal(10,2)", storage: native } | decimal(10,2) required                     | 12.5                                   | 1250
decimal(10,2) required                     | { type: "decimal(10,2)", storage: native } | 1250                                   | 12.5
{ type: "decimal(10,2)", storage: native } | text required                              | 12.5                                   | '12.50'
"#;

#[test]
fn values_mean_the_same_in_another_type() {
    let manifests = |kind: &str| -> Manifests {
        let text = format!("model:\n  timestamps: false\n  attributes:\n    x: {kind}\n");
        [(TAGS.to_owned(), text)].into()
    };
    for case in CASES.lines().filter(|line| !line.is_empty()) {
        let parts: Vec<&str> = case.split(" | ").map(str::trim).collect();
        let [before, after, stored, expected] = parts[..] else {
            panic!("{case}");
        };
        let what = format!("{before} to {after}");
        let mut world = World::created(&manifests(before));
        let insert = format!("INSERT INTO tags (id, x) VALUES (7, {stored})");
        world.database.execute(&insert).expect("a row");
        let run = world.emit(&manifests(after), true).expect("allowed");
        world
            .apply(&run)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let value = world.database.query("SELECT quote(x) FROM tags");
        assert_eq!(value, [[expected]], "{what}");
    }
}
