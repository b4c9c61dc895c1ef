//! A kind of database that a project adds when it has tables already.

use formwork_cli::moment::Clock;
use formwork_cli::project::Database as Kind;
use formwork_cli::schema::{MigrationOptions, Migrations, migrations};

use crate::database::Database;
use crate::ladder::last_rung;
use crate::server::servers;
use crate::world::{Manifests, World, project_on_all};

/// Two tables that point to each other, a pivot, and a long key.
const CYCLE: &str = "model:\n  key: { name: id, type: string(40) }\n  attributes: { name: string }\n  \
    relations: { best: { belongs_to: berries, nullable: true }, many: { many_to_many: berries } }\n";
const OTHER: &str = "model:\n  relations: { worst: { belongs_to: apples, nullable: true } }\n";

#[test]
fn its_tables_are_those_that_the_manifests_alone_would_make() {
    let mut cycle = Manifests::new();
    cycle.insert("shop/models/apples.yaml".to_owned(), CYCLE.to_owned());
    cycle.insert("shop/models/berries.yaml".to_owned(), OTHER.to_owned());
    for kind in servers() {
        for manifests in [&cycle, &last_rung()] {
            assert_adds(kind, manifests);
        }
    }
}

fn assert_adds(kind: Kind, manifests: &Manifests) {
    let mut sqlite = World::created(manifests);
    let before = sqlite.database.described();
    let run = added(&sqlite, kind, manifests);
    assert!(
        !run.new.is_empty() && run.lacking.is_empty(),
        "{:?}",
        run.lacking
    );
    assert!(run.new.iter().all(|one| one.losses.is_empty()));
    let mut server = Database::new(kind);
    server.migrate(&run).expect("tables can be made");
    let there = World::created_on(kind, manifests).database.described();
    assert_eq!(server.described(), there);
    sqlite.apply(&on_sqlite(run)).expect("comments");
    assert_eq!(sqlite.database.described(), before);
}

/// The run in which the project names the server as well.
fn added(sqlite: &World, kind: Kind, manifests: &Manifests) -> Migrations {
    let project = project_on_all(&[Kind::Sqlite, kind], manifests);
    let options = MigrationOptions {
        clock: Clock::at(1_795_348_800),
        ..MigrationOptions::default()
    };
    migrations(&project, &sqlite.previous, &options).expect("tables that are there")
}

/// What SQLite has not applied yet.
fn on_sqlite(mut run: Migrations) -> Migrations {
    let is_of = |sql: &[(Kind, String)]| sql.iter().any(|(kind, _)| *kind == Kind::Sqlite);
    run.new.retain(|one| is_of(&one.sql));
    run
}
