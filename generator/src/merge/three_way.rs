//! The line merge, as chunks that both sides agree on or not. Refinements work on chunks.

use similar::{MergeRegion, MergeResolution, TextMerge};

/// A run of lines of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chunk {
    /// No side changed it.
    Same(String),
    /// One side changed it, or both alike; `base` is what stood there.
    Changed {
        /// What stood there.
        base: String,
        /// Our side.
        ours: String,
        /// Their side.
        theirs: String,
        /// What stands there now.
        merged: String,
    },
    /// Both sides changed it, differently.
    Conflict {
        /// Our side.
        ours: String,
        /// What stood there.
        base: String,
        /// Their side.
        theirs: String,
    },
}

/// Merges line by line (Myers). All three texts are in normal form.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Vec<Chunk> {
    let merge = TextMerge::from_lines(base, ours, theirs);
    merge
        .regions()
        .iter()
        .map(|region| chunk(&merge, region))
        .collect()
}

fn chunk(merge: &TextMerge<'_, '_, '_, str>, region: &MergeRegion) -> Chunk {
    let base: String = region
        .base_range()
        .filter_map(|line| merge.base_line(line))
        .collect();
    let ours: String = region
        .ours_range()
        .filter_map(|line| merge.ours_line(line))
        .collect();
    let theirs: String = region
        .theirs_range()
        .filter_map(|line| merge.theirs_line(line))
        .collect();
    let merged = match region.resolution() {
        MergeResolution::Unchanged => return Chunk::Same(ours),
        MergeResolution::Ours | MergeResolution::Both => ours.clone(),
        MergeResolution::Theirs => theirs.clone(),
        // The enum may grow: what is not understood is left to the user.
        _ => return Chunk::Conflict { ours, base, theirs },
    };
    Chunk::Changed {
        base,
        ours,
        theirs,
        merged,
    }
}

/// Everything from the first change to the last as one conflict: for a merge that is clean by its
/// lines, and yet must not stand.
pub fn as_one_conflict(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let is_same = |chunk: &Chunk| matches!(chunk, Chunk::Same(_));
    let Some(first) = chunks.iter().position(|chunk| !is_same(chunk)) else {
        return chunks;
    };
    let last = chunks
        .iter()
        .rposition(|chunk| !is_same(chunk))
        .unwrap_or(first);
    let (mut before, mut all) = (Vec::new(), [String::new(), String::new(), String::new()]);
    let mut after = Vec::new();
    for (index, chunk) in chunks.into_iter().enumerate() {
        match chunk {
            chunk if index < first => before.push(chunk),
            chunk if index > last => after.push(chunk),
            Chunk::Same(text) => all.iter_mut().for_each(|side| side.push_str(&text)),
            Chunk::Changed {
                base, ours, theirs, ..
            }
            | Chunk::Conflict { base, ours, theirs } => {
                for (side, text) in all.iter_mut().zip([ours, base, theirs]) {
                    side.push_str(&text);
                }
            }
        }
    }
    let [ours, base, theirs] = all;
    before.push(Chunk::Conflict { ours, base, theirs });
    before.extend(after);
    before
}
