//! A team that pours again months later: files of the restaurant with edits of theirs, and what
//! changed manifests pour.

use formwork_cli::merge::Language;

use crate::releases;
use crate::team;
use crate::triples::{Random, Triple};

/// The number of triples that a release gives.
const PER_RELEASE: usize = 50;

/// Returns about so many files that both sides changed; the team's are formatted.
pub fn triples(seed: u64, count: usize) -> Vec<Triple> {
    let mut random = Random::new(seed);
    let releases = count.div_ceil(PER_RELEASE).min(12);
    let (first, later) = releases::pours(&mut random, releases);
    let mut drawn = Vec::new();
    for (index, pour) in later.iter().enumerate() {
        let changed = pour.iter().filter_map(|(path, theirs)| {
            let base = first.get(path)?;
            (base != theirs).then_some((path, base, theirs))
        });
        drawn.extend(changed.map(|(path, base, theirs)| (index, path, base, theirs)));
    }
    let times = count.div_ceil(drawn.len().max(1));
    let mut ours = Vec::new();
    let mut triples = Vec::new();
    for time in 0..times {
        for (index, path, base, theirs) in &drawn {
            let language = Language::of(path);
            let edited = team::edited(&mut random, language, base);
            ours.push((format!("{time}/{index}/{path}"), edited));
            triples.push((language, (*base).clone(), (*theirs).clone()));
        }
    }
    let names: Vec<String> = ours.iter().map(|(name, _)| name.clone()).collect();
    let mut ours = releases::formatted(ours);
    let triple = |((language, base, theirs), name): (_, String)| Triple {
        language,
        base,
        theirs,
        ours: ours.remove(&name).expect("every text is formatted"),
    };
    triples.into_iter().zip(names).map(triple).collect()
}
