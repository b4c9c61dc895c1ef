//! Addresses of databases: files, or memory.

use std::{
    path::{Component, Path, PathBuf},
    str::FromStr,
};

use sqlx::sqlite::SqliteConnectOptions;

use crate::error::{Error, Result};

/// Whether the database is a file that is not there yet.
pub fn is_missing(url: &str) -> Result<bool> {
    let options = SqliteConnectOptions::from_str(url).map_err(Error::internal)?;
    Ok(!is_in_memory(url) && !options.get_filename().exists())
}

pub(super) fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}

/// The address with its file below `root`, where the file is relative.
pub fn rooted(url: &str, root: &Path) -> String {
    let Some(rest) = url.strip_prefix("sqlite:") else {
        return url.to_owned();
    };
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (file, options) = rest
        .split_once('?')
        .map_or((rest, ""), |(file, rest)| (file, rest));
    let path = Path::new(file);
    if file.is_empty() || file.starts_with(":memory:") || path.is_absolute() {
        return url.to_owned();
    }
    let within = path.components().filter(|part| *part != Component::CurDir);
    let file = root.join(within.collect::<PathBuf>());
    let options = if options.is_empty() {
        String::new()
    } else {
        format!("?{options}")
    };
    format!("sqlite://{}{options}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_file_lies_below_the_root() {
        let root = Path::new("/srv/bistro");
        for (url, expected) in [
            (
                "sqlite://data/app.sqlite",
                "sqlite:///srv/bistro/data/app.sqlite",
            ),
            (
                "sqlite:./app.sqlite?mode=ro",
                "sqlite:///srv/bistro/app.sqlite?mode=ro",
            ),
            ("sqlite:///var/app.sqlite", "sqlite:///var/app.sqlite"),
            ("sqlite::memory:", "sqlite::memory:"),
        ] {
            assert_eq!(rooted(url, root), expected, "{url}");
        }
    }
}
