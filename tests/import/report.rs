//! What an import prints.

/// The lines about what is not imported, each with its reason.
pub fn not_imported(output: &str) -> Vec<&str> {
    let lines = output.lines().map(str::trim);
    lines
        .filter(|line| line.contains(": not imported: "))
        .collect()
}
