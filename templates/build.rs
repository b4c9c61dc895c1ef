//! Notices templates that are added or removed; what is in them, the compiler notices by itself.

fn main() {
    for folder in ["project", "extension", "resource", "model"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
