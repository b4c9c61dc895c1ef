//! A full disk, and a folder that may not be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use formwork_tests::cases;

use super::{assert_same, copy, finished, generate, project, tree};

/// A file system of its own; `None`, with a line that says so, where mounting is not allowed.
struct Mounted(PathBuf);

impl Mounted {
    fn at(folder: PathBuf, options: &str) -> Option<Mounted> {
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(&folder)
            .output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Mounted(folder));
        }
        println!("mounting is not allowed here: the real disk was not tried");
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

/// A folder that may not be written: for root as well, where a file system can be mounted so, else
/// by its permissions.
struct Protected {
    folder: PathBuf,
    mounted: Option<Mounted>,
}

impl Protected {
    /// `None` where neither stops us.
    fn at(folder: PathBuf) -> Option<Protected> {
        let mounted = Mounted::at(folder.clone(), "ro");
        if mounted.is_none() {
            set_read_only(&folder, true);
        }
        let protected = Protected { folder, mounted };
        let probe = fs::write(protected.folder.join("probe"), "");
        probe.is_err().then_some(protected)
    }
}

impl Drop for Protected {
    fn drop(&mut self) {
        if self.mounted.is_none() {
            set_read_only(&self.folder, false);
        }
    }
}

fn set_read_only(folder: &Path, read_only: bool) {
    let mut permissions = fs::metadata(folder).expect("a folder").permissions();
    #[allow(
        clippy::permissions_set_readonly_false,
        reason = "a folder of this test alone"
    )]
    permissions.set_readonly(read_only);
    fs::set_permissions(folder, permissions).expect("its permissions");
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let before = tree(project().root());
    let (after, _) = finished(&before);
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).expect("a folder");
    let Some(disk) = Mounted::at(disk, "size=2m") else {
        return;
    };
    let mut failed = 0;
    // From no block left to more than enough.
    let step = (400 / cases(8) as usize).max(1);
    for kilobytes in (0..400).step_by(step) {
        let root = disk.0.join("project");
        copy(&before, &root);
        fill(&disk.0.join("ballast"), kilobytes);
        let output = generate(&root).output().expect("formwork starts");
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            code => {
                failed += 1;
                assert_eq!(code, Some(1), "{said}");
                assert_same(&tree(&root), &before);
            }
        }
        fs::remove_file(disk.0.join("ballast")).expect("removed");
        let output = generate(&root).output().expect("formwork starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_same(&tree(&root), &after);
        fs::remove_dir_all(&root).expect("removed");
    }
    assert!(failed > 2, "only {failed} runs met a full disk");
}

/// Fills the disk, then gives some of it back.
fn fill(ballast: &Path, kilobytes: usize) {
    use std::io::Write;
    let mut file = fs::File::create(ballast).expect("a file");
    let mut size = 0_u64;
    while file.write_all(&[0; 1024]).is_ok() {
        size += 1024;
    }
    let keep = size.saturating_sub(kilobytes as u64 * 1024);
    file.set_len(keep).expect("a shorter file");
}

#[test]
fn a_folder_that_may_not_be_written_leaves_everything_as_it_was() {
    let before = tree(project().root());
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    copy(&before, &root);
    let docs = root.join("extensions/shop/docs");
    let Some(protected) = Protected::at(docs) else {
        return;
    };
    let seen = tree(&root);
    let mut command = generate(&root);
    command.arg("--restore");
    let output = command.output().expect("formwork starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("docs") && said.contains("nothing was written"),
        "{said}"
    );
    assert_same(&tree(&root), &seen);
    drop(protected);
    let (after, _) = finished(&before);
    let output = generate(&root).output().expect("formwork starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_same(&tree(&root), &after);
}
