//! What is said of a project beside what happens to its files.

use std::path::Path;

use crate::apply;
use crate::plan::Plan;
use crate::rendered::Rendered;
use crate::schema::Previous;
use crate::state::State;

/// What is wrong with the state, and tables that no manifest describes.
pub fn of_state(state: &State, rendered: &Rendered) -> Vec<String> {
    let mut notices = state.notices().to_vec();
    if !rendered.abandoned.is_empty() {
        let list = rendered.abandoned.join(", ");
        notices.push(format!(
            "no manifest describes these tables any more; they stay: {list}"
        ));
    }
    notices
}

/// What is said of SQL that is gone, and of SQL that is no migration.
pub fn unlisted(plan: &Plan, previous: Previous) -> Vec<String> {
    let is_back = |path: &String| {
        let mut files = plan.files.iter();
        files.any(|file| file.path == *path && file.written().is_some())
    };
    let gone = previous.gone.into_iter().filter(|path| !is_back(path));
    let gone = gone.map(|path| {
        format!(
            "{path}: this migration is gone, and a new database lacks what it did: \
             `formwork generate --restore {path}` writes it again"
        )
    });
    previous.notices.into_iter().chain(gone).collect()
}

/// What only reads says that a run was killed, and leaves the project as that left it.
pub fn add_unfinished(plan: &mut Plan, root: &Path) {
    plan.is_unfinished = apply::is_unfinished(root);
    if plan.is_unfinished {
        let notice = "a run was interrupted while it wrote: formwork generate finishes it first";
        plan.notices.insert(0, notice.to_owned());
    }
}
