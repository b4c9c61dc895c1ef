//! A kind of database that a project adds when it has tables already.

use formwork_cli::moment::Clock;
use formwork_cli::project::Database as Kind;
use formwork_cli::schema::{MigrationOptions, Migrations, migrations};

use crate::database::Database;
use crate::ladder::last_rung;
use crate::server::databases;
use crate::world::{Manifests, World, project_on_all};

/// Two tables that point to each other, a pivot, and a long key.
const CYCLE: &str = "model:\n  key: { name: id, type: string(40) }\n  attributes: { name: string }\n  \
    relations: { best: { belongs_to: berries, nullable: true }, many: { many_to_many: berries } }\n";
const OTHER: &str = "model:\n  relations: { worst: { belongs_to: apples, nullable: true } }\n";

#[test]
fn an_added_kind_has_the_tables_of_a_new_project() {
    let mut cycle = Manifests::new();
    cycle.insert("shop/models/apples.yaml".to_owned(), CYCLE.to_owned());
    cycle.insert("shop/models/berries.yaml".to_owned(), OTHER.to_owned());
    for first in databases() {
        for new in databases().into_iter().filter(|new| *new != first) {
            for manifests in [&cycle, &last_rung()] {
                assert_adds(first, new, manifests);
            }
        }
    }
}

fn assert_adds(first: Kind, new: Kind, manifests: &Manifests) {
    let what = format!("{new:?} beside {first:?}");
    let mut world = World::created_on(first, manifests);
    let before = world.database.described();
    let run = added(&world, new, manifests);
    assert!(
        !run.new.is_empty() && run.lacking.is_empty(),
        "{what}: {:?}",
        run.lacking
    );
    assert!(run.new.iter().all(|one| one.losses.is_empty()), "{what}");
    let mut database = Database::new(new);
    database.migrate(&run).expect("tables can be made");
    let there = World::created_on(new, manifests).database.described();
    assert_eq!(database.described(), there, "{what}");
    world.apply(&of(first, run)).expect("comments");
    assert_eq!(world.database.described(), before, "{what}");
}

/// The run in which the project names the new kind as well.
fn added(world: &World, new: Kind, manifests: &Manifests) -> Migrations {
    let project = project_on_all(&[world.kind, new], manifests);
    let options = MigrationOptions {
        clock: Clock::at(1_795_348_800),
        ..MigrationOptions::default()
    };
    migrations(&project, &world.previous, &options).expect("tables that are there")
}

/// What the first database has not applied yet.
fn of(first: Kind, mut run: Migrations) -> Migrations {
    let is_of = |sql: &[(Kind, String)]| sql.iter().any(|(kind, _)| *kind == first);
    run.new.retain(|one| is_of(&one.sql));
    run
}
