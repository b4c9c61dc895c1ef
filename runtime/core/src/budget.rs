//! How many related records one answer may hold: includes lead to further records, and have no
//! pages.

use std::sync::atomic::{AtomicUsize, Ordering};

use formwork_data::error::{Error, Result};

/// Most related records that are read for one answer.
const MOST_READ: usize = 10_000;

/// Most places they are written at: in the data rendering a record is repeated wherever something
/// is linked to it.
const MOST_WRITTEN: usize = 20_000;

/// The records that one request has used up.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    read: AtomicUsize,
    written: AtomicUsize,
}

impl Budget {
    /// So many records may be read still.
    pub fn left(&self) -> usize {
        MOST_READ.saturating_sub(self.read.load(Ordering::Relaxed))
    }

    /// Counts records that were read.
    ///
    /// # Errors
    /// 400 naming `include` where they are too many.
    pub fn read(&self, records: usize) -> Result<()> {
        spend(&self.read, records, MOST_READ)
    }

    /// Counts records that are about to be written.
    ///
    /// # Errors
    /// As [`Budget::read`].
    pub fn write(&self, records: usize) -> Result<()> {
        spend(&self.written, records, MOST_WRITTEN)
    }
}

fn spend(spent: &AtomicUsize, records: usize, most: usize) -> Result<()> {
    let before = spent.fetch_add(records, Ordering::Relaxed);
    if before.saturating_add(records) <= most {
        return Ok(());
    }
    let message = format!(
        "The answer would hold more than {most} related records. Include less, `exclude` what is \
         included by default, name the `fields` you need, or ask for smaller pages (`pageLimit`)."
    );
    Err(Error::bad_parameter("include", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_have_separate_budgets() {
        let budget = Budget::default();
        assert!(budget.read(MOST_READ - 1).is_ok() && budget.left() == 1);
        assert!(budget.write(MOST_WRITTEN).is_ok());
        assert!(budget.read(2).is_err() && budget.left() == 0);
        assert!(budget.write(1).is_err());
    }
}
