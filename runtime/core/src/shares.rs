//! The shares of the pool that callers have.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use formwork_data::database::{Db, Share};

use crate::limits::Counted;

/// The share of each caller that has requests under way.
#[derive(Debug, Default)]
pub(crate) struct Shares(Mutex<HashMap<Counted, Weak<Share>>>);

impl Shares {
    /// Returns the share of a caller: all its requests have the same one.
    pub fn of(&self, caller: Counted, db: &Db) -> Arc<Share> {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(&caller).and_then(Weak::upgrade) {
            return share;
        }
        // The map grows with the callers of one moment, not with all there ever were.
        if shares.len() == shares.capacity() {
            shares.retain(|_, share| share.strong_count() > 0);
        }
        let share = Arc::new(db.new_share());
        shares.insert(caller, Arc::downgrade(&share));
        share
    }
}
