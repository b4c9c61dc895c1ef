//! Each row of the table on files of every kind, as they are written in every way: line feeds or
//! not, behind a symlink, moved by their template, with executable bits.

mod refused;
mod rows;

use std::fs;

use super::fixture::{Project, assert_class};
use crate::exit::Exit;
use crate::plan::Class;
use crate::rendered::Owner;

/// A kind of file: its ending, and a text whose first and last lines are changed.
struct Kind {
    ending: &'static str,
    text: &'static str,
    /// The user's edit: text before and after.
    edit: (&'static str, &'static str),
    /// The template's change: text before and after.
    change: (&'static str, &'static str),
    /// The user's text in the place that the template changes.
    clash: &'static str,
}

const KINDS: [Kind; 5] = [
    Kind {
        ending: "rs",
        text: "//! Dishes.\n\nconst PAGE: u32 = 20;\n\nfn middle() {}\n\nfn last() -> u32 {\n    PAGE\n}\n",
        edit: ("//! Dishes.", "//! My dishes."),
        change: ("    PAGE\n", "    PAGE + 1\n"),
        clash: "    PAGE * 2\n",
    },
    Kind {
        ending: "sql",
        text: "-- Creates dishes.\n\nCREATE TABLE dishes (\n    id INTEGER,\n    title TEXT\n);\n",
        edit: ("-- Creates dishes.", "-- Mine."),
        change: ("    title TEXT\n", "    title TEXT NOT NULL\n"),
        clash: "    title VARCHAR\n",
    },
    Kind {
        ending: "md",
        text: "# Dishes\n\n| name | type |\n| --- | --- |\n| title | string |\n\nThe end.\n",
        edit: ("# Dishes", "# My dishes"),
        change: ("The end.", "The very end."),
        clash: "My end.",
    },
    Kind {
        ending: "yaml",
        text: "# what is served\nname: Dishes\nmodel:\n  key: id\npage_limit: 20\n",
        edit: ("# what is served", "# what we serve"),
        change: ("page_limit: 20", "page_limit: 30"),
        clash: "page_limit: 50",
    },
    Kind {
        ending: "toml",
        text: "# options\nmax_width = 100\n\n[other]\nkey = 1\nlast = 2\n",
        edit: ("# options", "# my options"),
        change: ("last = 2", "last = 3"),
        clash: "last = 4",
    },
];

impl Kind {
    fn edited(&self) -> String {
        self.text.replacen(self.edit.0, self.edit.1, 1)
    }

    fn changed(&self) -> String {
        self.text.replacen(self.change.0, self.change.1, 1)
    }

    fn both(&self) -> String {
        self.edited().replacen(self.change.0, self.change.1, 1)
    }

    fn clashing(&self) -> String {
        self.text.replacen(self.change.0, self.clash, 1)
    }
}

/// How the file lies on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    /// CRLF, a byte order mark, no final newline.
    Foreign,
    /// Behind a symlink.
    Linked,
    /// The template gave it another path.
    Moved,
    /// Moved, and CRLF.
    MovedForeign,
    Executable,
}

const WAYS: [Way; 6] = [
    Way::Plain,
    Way::Foreign,
    Way::Linked,
    Way::Moved,
    Way::MovedForeign,
    Way::Executable,
];

impl Way {
    fn is_moved(self) -> bool {
        matches!(self, Way::Moved | Way::MovedForeign)
    }

    /// The text as this file is written.
    fn styled(self, text: &str) -> String {
        match self {
            Way::Foreign | Way::MovedForeign => {
                format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n"))
            }
            _ => text.to_owned(),
        }
    }
}

/// One poured file, in the state `way`.
struct Stage<'k> {
    project: Project,
    kind: &'k Kind,
    way: Way,
}

impl<'k> Stage<'k> {
    fn new(kind: &'k Kind, way: Way) -> Stage<'k> {
        let mut project = Project::empty();
        let stage = |project| Stage { project, kind, way };
        project.render_artefact(
            &format!("old/a.{}", kind.ending),
            "shop/a",
            kind.text,
            Owner::User,
        );
        // Another file keeps the lock and the folder's neighbours in the picture.
        project.render("other.md", "other\n");
        project.generate();
        let stage = stage(project);
        stage.put(&way.styled(kind.text));
        stage
    }

    fn old(&self) -> String {
        format!("old/a.{}", self.kind.ending)
    }

    /// Where the template puts it from now on.
    fn path(&self) -> String {
        match self.way.is_moved() {
            true => format!("new/b.{}", self.kind.ending),
            false => self.old(),
        }
    }

    /// Writes what the user has on disk.
    fn put(&self, text: &str) {
        let (old, link) = (self.old(), self.project.at(&self.old()));
        match self.way {
            #[cfg(unix)]
            Way::Linked => {
                self.project.write("real/file", text);
                let _ = fs::remove_file(&link);
                std::os::unix::fs::symlink("../real/file", &link).unwrap();
            }
            _ => self.project.write(&old, text),
        }
        #[cfg(unix)]
        if self.way == Way::Executable {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&link, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn edit(&self, text: &str) {
        self.put(&self.way.styled(text));
    }

    fn render(&mut self, text: &str) {
        let path = self.path();
        self.project
            .render_artefact(&path, "shop/a", text, Owner::User);
    }

    /// Runs, and checks class and exit, what is on disk (in the file's own style), and that the
    /// style, the link and the mode are as they were.
    #[track_caller]
    fn expect(&self, class: Class, exit: Exit, text: Option<&str>) {
        let (path, way) = (self.path(), self.way);
        let plan = self.project.generate();
        assert_class(&plan, &path, class, exit);
        let styled = text.map(|text| way.styled(text));
        assert_eq!(self.project.read(&path), styled, "{path} {way:?}");
        if way.is_moved() && text.is_some() {
            assert_eq!(self.project.read(&self.old()), None, "{way:?}: it moved");
        }
        #[cfg(unix)]
        if text.is_some() {
            use std::os::unix::fs::PermissionsExt;
            let there = fs::symlink_metadata(self.project.at(&path)).unwrap();
            assert_eq!(there.is_symlink(), way == Way::Linked, "{way:?}");
            let executable = there.permissions().mode() & 0o111 != 0 && !there.is_symlink();
            assert_eq!(executable, way == Way::Executable, "{way:?}");
        }
    }
}

/// For each kind and way.
fn each(check: impl Fn(Stage<'_>, &Kind)) {
    for kind in &KINDS {
        for way in WAYS {
            check(Stage::new(kind, way), kind);
        }
    }
}
