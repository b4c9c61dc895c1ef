//! How often a run waits for the disk.

use super::*;

/// A disk that counts its syncs.
#[derive(Default)]
struct CountingDisk {
    folders: AtomicUsize,
    file_systems: AtomicUsize,
}

impl Disk for CountingDisk {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        OsDisk.create_folder(path)
    }
    fn write(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        OsDisk.write(path, content, mode)
    }
    fn sync(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
    fn sync_file_systems(&self, folders: &[PathBuf]) -> io::Result<bool> {
        self.file_systems.fetch_add(1, Ordering::SeqCst);
        OsDisk.sync_file_systems(folders)
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.folders.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        OsDisk.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        OsDisk.remove(path)
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        OsDisk.remove_folder(path)
    }
}

/// Syncs of folders and of whole file systems in a run that makes files in so many folders.
fn syncs(folders: usize) -> (usize, usize) {
    let mut project = Project::empty();
    for number in 0..folders {
        project.render(&format!("folder{number}/one.md"), OLD);
    }
    let disk = CountingDisk::default();
    write(&project.plan(), project.root.path(), &disk).unwrap();
    assert!(project.plan().is_empty());
    (disk.folders.into_inner(), disk.file_systems.into_inner())
}

#[test]
#[cfg(target_os = "linux")]
fn many_folders_are_synced_with_their_file_system() {
    // The contents before the record, the folders after it, and the record's own folder.
    assert_eq!(syncs(600), (1, 2));
}

#[test]
fn few_folders_are_synced_one_by_one() {
    let (folders, file_systems) = syncs(20);
    assert!(folders > 20, "{folders}");
    assert_eq!(file_systems, 0);
}
