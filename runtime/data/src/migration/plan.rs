//! The plan of a run: its steps, in order.

use super::{
    Migration, MigrationState,
    ancestry::{Ancestry, Meeting},
    parts,
    state::{Halfway, States},
};
use crate::{
    database::{Db, LowerIndex, Step, apply},
    error::{Error, Result},
};

/// Migrations to apply, in order.
#[derive(Default)]
pub(super) struct Plan {
    pub steps: Vec<(MigrationState, Step)>,
    /// Why those after them are not applied.
    pub stops: Option<Error>,
}

impl Plan {
    /// The pending migrations up to a version, out of whose way an index is.
    pub fn pending(db: &Db, states: &States, last: i64, index: Option<&LowerIndex>) -> Self {
        let mut plan = Self {
            stops: half_undone(states, i64::MAX),
            ..Self::default()
        };
        if plan.stops.is_some() {
            return plan;
        }
        let ancestry = ancestry(db, states);
        let mut there: Vec<bool> = states.iter().map(|(state, _)| state.applied).collect();
        for (place, (state, _)) in states.iter().enumerate() {
            if there[place] || state.version > last {
                continue;
            }
            match applying(db, states, &ancestry, place, &there) {
                Ok(step) => {
                    let index = index.cloned();
                    plan.steps.push((state.after(true), Step { index, ..step }));
                }
                Err(error) => {
                    plan.stops = Some(error);
                    break;
                }
            }
            there[place] = true;
        }
        plan
    }

    /// Applies them; returns those that no other runner had applied.
    pub async fn run(self, db: &Db) -> Result<Vec<MigrationState>> {
        let mut applied = Vec::new();
        for (state, step) in self.steps {
            let is_ours = apply(db, step).await?;
            applied.extend(is_ours.then_some(state));
        }
        self.stops.map_or(Ok(applied), Err)
    }
}

fn applying(
    db: &Db,
    states: &States,
    ancestry: &Ancestry<'static>,
    place: usize,
    there: &[bool],
) -> Result<Step> {
    let (state, migration) = &states[place];
    let sql = match ancestry.meeting(place, there) {
        Meeting::Free => sql_of(migration, db.dialect().name())?,
        Meeting::Same => "",
        Meeting::Clash(other, part) => return Err(clash(state, &states[other].0, part)),
    };
    Ok(Step {
        undone: ancestry.renames(place, there),
        renamed: ancestry.renamed(place, there),
        ..state.step(db, sql)
    })
}

/// How migrations descend from each other on this database.
pub(super) fn ancestry(db: &Db, states: &States) -> Ancestry<'static> {
    let kind = db.dialect().name();
    let named = states.iter().map(|(state, migration)| {
        let sql = sql_of(migration, kind).unwrap_or("");
        (state.version, state.name, sql)
    });
    Ancestry::of(named)
}

/// Why no migration is applied while one up to this version is half undone.
pub(super) fn half_undone(states: &States, last: i64) -> Option<Error> {
    let half = |state: &&MigrationState| {
        state.version <= last && matches!(state.halfway, Some(Halfway::Undone(_)))
    };
    let all = || states.iter().map(|(state, _)| state);
    let state = all().find(half)?;
    let done = state.done();
    let older = all().filter(|one| one.version < state.version);
    let before = older.map(|one| one.version).max().unwrap_or_default();
    Some(Error::internal(format!(
        "the migration {state} is half undone: {done} statements of its down part are done. \
         Run `migrate --to {before}`, which goes on with the next one"
    )))
}

fn clash(pending: &MigrationState, applied: &MigrationState, part: &str) -> Error {
    Error::internal(format!(
        "the migration {pending} is not applied, but {applied} is. They were made on different branches, and both change {part}. \
         Keep one of them: undo the change of the other on its branch, and generate it again after the merge"
    ))
}

fn sql_of(migration: &Migration, dialect: &str) -> Result<&'static str> {
    let found = migration
        .sql
        .iter()
        .find(|(kind, _)| *kind == dialect)
        .map(|(_, sql)| parts::split(sql).0);
    found.ok_or_else(|| {
        let Migration { version, name, .. } = migration;
        Error::internal(format!(
            "the migration {version} {name} has no SQL for {dialect}"
        ))
    })
}
