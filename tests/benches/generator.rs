//! Whole-process times of the generator for 8, 1,000 and 4,000 resources (cold, no-op and `--check`). Bounds: 8
//! resources are rendered cold in less than 100 ms, 1,000 in less than 4 s; a run over 1,000 that changes nothing takes
//! less than 250 ms, and grows no faster than the number of resources.
//!
//! The cold runs depend on the disk, so the time that it takes to create a file is printed. On ext4 it grows with the
//! files that were deleted in the last minutes (docs/adr/0028): no project is removed before all are measured.
//!
//! `cargo bench -p formwork-tests --bench generator`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use formwork_tests::{checkout, target_dir};

fn main() {
    let formwork = build();
    let folder = tempfile::tempdir().expect("a temporary folder");
    print_disk(folder.path());
    println!("resources  cold        no-op       --check     no-op/cold");
    let [eight, thousand, four] =
        [8, 1_000, 4_000].map(|count| Times::of(&formwork, folder.path(), count));
    let growth = four.no_op.as_secs_f64() / thousand.no_op.as_secs_f64();
    bound(
        "8 cold under 100 ms",
        eight.cold < Duration::from_millis(100),
    );
    bound(
        "1,000 cold under 4 s",
        thousand.cold < Duration::from_secs(4),
    );
    let no_op = thousand.no_op.max(thousand.check);
    bound(
        "1,000 unchanged under 250 ms",
        no_op < Duration::from_millis(250),
    );
    bound(
        &format!("4,000 unchanged take {growth:.1} times as long, under 5"),
        growth < 5.0,
    );
}

/// How long the generator takes for some resources.
struct Times {
    cold: Duration,
    no_op: Duration,
    check: Duration,
}

impl Times {
    /// Measures, and prints a line.
    fn of(formwork: &Path, folder: &Path, resources: usize) -> Self {
        let name = format!("bench{resources}");
        let project = folder.join(&name);
        run(formwork, folder, &["new", &name]);
        for number in 0..resources {
            write_manifest(&project, number);
        }
        let times = Self {
            cold: run(formwork, &project, &["generate"]),
            no_op: median(|| run(formwork, &project, &["generate"])),
            check: median(|| run(formwork, &project, &["generate", "--check"])),
        };
        let ratio = times.no_op.as_secs_f64() / times.cold.as_secs_f64();
        let Self { cold, no_op, check } = times;
        println!("{resources:>9}  {cold:>9.1?}  {no_op:>9.1?}  {check:>9.1?}  {ratio:>9.3}");
        times
    }
}

/// Prints how long the disk takes to create a file.
fn print_disk(folder: &Path) {
    const FILES: u32 = 2_000;
    let folder = folder.join("files");
    fs::create_dir(&folder).expect("a folder");
    let start = Instant::now();
    for number in 0..FILES {
        fs::write(folder.join(number.to_string()), "one\n").expect("a file");
    }
    println!("the disk creates a file in {:.1?}", start.elapsed() / FILES);
}

fn bound(what: &str, kept: bool) {
    println!("{what}: {}", if kept { "kept" } else { "NOT KEPT" });
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
