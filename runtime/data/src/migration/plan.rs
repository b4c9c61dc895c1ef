//! The plan of a run: its steps, in order.

use super::{
    MigrationState,
    ancestry::Ancestry,
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
        let sqls = states.iter().map(|(state, migration)| {
            let sql = migration.up(db.dialect()).unwrap_or_default();
            (state.version, state.name, sql)
        });
        let ancestry = Ancestry::new(sqls);
        let mut applied: Vec<bool> = states.iter().map(|(state, _)| state.applied).collect();
        for (place, (state, migration)) in states.iter().enumerate() {
            if applied[place] || state.version > last {
                continue;
            }
            let conflict = ancestry.conflict(place, &applied);
            let sql = match conflict {
                Some((other, part)) => Err(conflict_error(state, &states[other].0, part)),
                None => migration.up(db.dialect()),
            };
            match sql {
                Ok(sql) => {
                    let index = index.cloned();
                    let step = state.step(db, sql);
                    plan.steps.push((state.after(true), Step { index, ..step }));
                }
                Err(error) => {
                    plan.stops = Some(error);
                    break;
                }
            }
            applied[place] = true;
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

fn conflict_error(pending: &MigrationState, applied: &MigrationState, part: &str) -> Error {
    Error::internal(format!(
        "the migration {pending} is not applied, but {applied} is. They were made on different branches, and both change {part}. \
         Keep one of them: undo the change of the other on its branch, and generate it again after the merge"
    ))
}
