//! Whole-process times of the generator for 8, 1,000 and 4,000 resources: cold, no-op and `--check`.
//! A check in which nothing changed takes less than 300 ms for 1,000 resources, and grows no faster
//! than the number of them.
//!
//! `cargo bench -p formwork-tests --bench generator`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use formwork_tests::{checkout, target_dir};

fn main() {
    let formwork = build();
    println!("resources  cold        no-op       --check     no-op/cold");
    let mut checks = Vec::new();
    for resources in [8, 1_000, 4_000] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let project = folder.path().join("bench");
        run(&formwork, folder.path(), &["new", "bench"]);
        for number in 0..resources {
            write_manifest(&project, number);
        }
        let cold = run(&formwork, &project, &["generate"]);
        let no_op = median(|| run(&formwork, &project, &["generate"]));
        let check = median(|| run(&formwork, &project, &["generate", "--check"]));
        let ratio = no_op.as_secs_f64() / cold.as_secs_f64();
        println!("{resources:>9}  {cold:>9.1?}  {no_op:>9.1?}  {check:>9.1?}  {ratio:>9.3}");
        checks.push(check);
    }
    let [_, thousand, four] = checks[..] else {
        return;
    };
    let verdict = |kept| if kept { "kept" } else { "NOT KEPT" };
    let growth = four.as_secs_f64() / thousand.as_secs_f64();
    println!(
        "1,000 under 300 ms: {}",
        verdict(thousand < Duration::from_millis(300))
    );
    println!(
        "4,000 take {growth:.1} times as long: {}",
        verdict(growth < 5.0)
    );
}

fn build() -> PathBuf {
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "formwork-cli"])
        .current_dir(checkout())
        .env("CARGO_TARGET_DIR", target_dir())
        .status()
        .expect("cargo starts");
    assert!(status.success());
    target_dir().join("release/formwork")
}

/// Ten columns, two relations: an ordinary resource. Ten extensions share them.
fn write_manifest(project: &Path, number: usize) {
    let extension = format!("ext{}", number % 10);
    let key = format!("thing{number}_parts");
    let folder = project
        .join("extensions")
        .join(&extension)
        .join("resources");
    fs::create_dir_all(&folder).expect("a folder");
    let before = if number < 10 { number } else { number - 10 };
    let text = format!(
        "name: Things {number}
description: An API resource for things {number}
model:
  attributes:
    title: string required|between:2,255
    notes: text nullable|max:1028
    price: decimal(15,4) required|min:0
    quantity: integer required|min:0
    active:
      type: boolean
      default: true
      description: Whether guests see the thing
    kind: enum(small, large) required
    starts_on: date nullable
    opens_at: time nullable
    seen_at: datetime nullable
    extra: json nullable
  relations:
    parent: {{ belongs_to: thing{before}_parts, column: parent_id, include: true }}
actions: [index, show, \"store:admin\", \"update:admin\", \"destroy:admin\"]
search: [title, notes]
sort: [title, price]
filter: [active, price]
"
    );
    fs::write(folder.join(format!("{key}.yaml")), text).expect("a manifest");
}

fn run(program: &Path, folder: &Path, args: &[&str]) -> Duration {
    let start = Instant::now();
    let output = Command::new(program)
        .args(args)
        .arg("--quiet")
        .current_dir(folder)
        .output();
    let took = start.elapsed();
    let output = output.expect("formwork starts");
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    took
}

fn median(mut once: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<_> = (0..7).map(|_| once()).collect();
    times.sort();
    times[times.len() / 2]
}
