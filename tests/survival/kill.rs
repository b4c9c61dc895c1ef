//! Killed at random moments.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use formwork_tests::cases;

use super::{CONTROLLER, Tree, assert_same, copy, finished, generate, project, tree};

/// Numbers without a pattern, the same in every run (xorshift).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

/// Kills a run: at any moment, or once it prepares its changes, or once it makes them, which takes
/// a millisecond or two.
pub(super) fn kill(
    child: &mut Child,
    root: &Path,
    first: &str,
    numbers: &mut Numbers,
    took: Duration,
) {
    let journal = root.join(".formwork/journal");
    let (sign, within) = match numbers.below(3) {
        0 => (None, took),
        1 => (Some(journal), Duration::from_millis(6)),
        _ => (Some(root.join(first)), Duration::from_micros(1_500)),
    };
    if let Some(sign) = sign {
        while !sign.exists() && child.try_wait().expect("a process").is_none() {
            std::hint::spin_loop();
        }
    }
    let micros = u64::try_from(within.as_micros()).unwrap_or(u64::MAX);
    let until = Instant::now() + Duration::from_micros(numbers.below(micros));
    // Sleeping is too coarse for the shortest of them.
    match until.checked_duration_since(Instant::now()) {
        Some(long) if long > Duration::from_millis(3) => thread::sleep(long),
        _ => while Instant::now() < until {},
    }
    child.kill().expect("a process is killed");
    child.wait().expect("a process ends");
}

/// What kills met.
#[derive(Debug, Default)]
struct Met {
    /// Runs that left a journal.
    journal: AtomicUsize,
    /// Projects in which some files were as before, and some as after.
    midway: AtomicUsize,
}

impl Met {
    /// How many there were of each.
    fn counts(&self) -> [usize; 2] {
        [&self.journal, &self.midway].map(|count| count.load(Ordering::Relaxed))
    }
}

#[test]
fn a_process_killed_at_random_moments_loses_nothing() {
    let kills = cases(16) as usize;
    // If the machine's speed keeps kills from what they are to meet, there are more of them.
    let most = 40 * kills;
    const TO_MEET: [usize; 2] = [4, 1];
    let before = tree(project().root());
    let (after, took) = finished(&before);
    let met = Met::default();
    thread::scope(|scope| {
        for worker in 0..2_u64 {
            let (before, after, met) = (&before, &after, &met);
            scope.spawn(move || {
                let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15 + worker);
                let has_met = || {
                    met.counts()
                        .iter()
                        .zip(TO_MEET)
                        .all(|(one, least)| *one >= least)
                };
                let rounds = (0..most / 2).take_while(|at| *at < kills / 2 || !has_met());
                let killed = rounds.map(|_| round(before, after, took, &mut numbers, met));
                killed.count()
            });
        }
    });
    let [journal, midway] = met.counts();
    println!("{journal} kills left a journal, {midway} a project that was half written");
    assert!(
        journal >= TO_MEET[0],
        "only {journal} kills hit a run that was writing"
    );
    assert!(
        midway >= TO_MEET[1],
        "only {midway} kills hit a project that was half written"
    );
}

/// One kill, and the run after it.
fn round(before: &Tree, after: &Tree, took: Duration, numbers: &mut Numbers, met: &Met) {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, temporary) = (folder.path().join("project"), folder.path().join("tmp"));
    fs::create_dir_all(&temporary).expect("a folder");
    copy(before, &root);
    let mut command = generate(&root);
    let mut child = command
        .env("TMPDIR", &temporary)
        .spawn()
        .expect("formwork starts");
    let is_new = |path: &&String| !before.contains_key(*path) && !path.starts_with('.');
    let first = after.keys().find(is_new).expect("a new file");
    kill(&mut child, &root, first, numbers, took);
    let found = tree(&root);
    assert_whole(&found, before, after);
    let midway = found != *before && found != *after;
    met.midway.fetch_add(usize::from(midway), Ordering::Relaxed);
    let journal = root.join(".formwork/journal");
    met.journal
        .fetch_add(usize::from(journal.exists()), Ordering::Relaxed);
    let output = generate(&root).output().expect("formwork starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_same(&tree(&root), after);
    assert!(!journal.exists());
}

/// Every file is as it was or as it will be; none is half of either.
fn assert_whole(found: &Tree, before: &Tree, after: &Tree) {
    for (path, content) in found {
        let known = [before.get(path), after.get(path)];
        assert!(
            known.contains(&Some(content)),
            "{path} is neither as before nor as after:\n{}",
            String::from_utf8_lossy(content)
        );
    }
    for path in before.keys().filter(|path| after.contains_key(*path)) {
        assert!(found.contains_key(path), "{path} is gone");
    }
    let controller = String::from_utf8_lossy(&found[CONTROLLER]);
    assert!(controller.contains("dish.title.trim()"), "{controller}");
    assert_eq!(found["src/mine.rs"], b"// mine alone\n");
}
