//! The rules of the generator.

use super::never;
use crate::layers::{Only, Rules};

/// The generator.
pub const GENERATOR: Rules = Rules {
    name: "generator",
    source: "generator/src",
    levels: &[
        &[(
            "values",
            "digest exit error moment suggestion rendered project name",
        )],
        &[("input", "manifest column diagnostic former")],
        &[("checking", "resolve format merge cargo_toml state output")],
        &[("shaping", "schema plan view")],
        &[("acting", "render apply report import cargo")],
        &[("options", "cli")],
        &[("running", "run")],
        &[("commands", "command lib")],
    ],
    kernels: &[],
    never: &[
        never("project", "manifest", "the model is free of YAML"),
        never("project", "output", "the model is free of paths"),
        never("project", "std::path", "the model is free of paths"),
        never("resolve", "plan", "rejecting does not depend on the disk"),
        never(
            "resolve",
            "std::fs",
            "rejecting does not depend on the disk",
        ),
        never(
            "resolve",
            "render",
            "rejecting does not depend on templates",
        ),
        never(
            "resolve",
            "formwork_templates",
            "rejecting does not depend on templates",
        ),
        never(
            "view",
            "plan",
            "the values of templates do not depend on the disk",
        ),
        never(
            "view",
            "std::fs",
            "the values of templates do not depend on the disk",
        ),
        never("render", "plan", "rendering does not know the disk"),
        never("render", "state", "rendering does not know the last render"),
        never("render", "std::fs", "rendering does not know the disk"),
        never(
            "render",
            "std::env",
            "rendering does not know the environment",
        ),
        never("render", "walkdir", "rendering does not know the disk"),
        never("schema", "render", "tables do not depend on templates"),
        never("schema", "tera", "tables do not depend on templates"),
        never("import", "apply", "importing only plans"),
        never(
            "import::describe",
            "sqlx",
            "manifests are made of values, not of a database",
        ),
        never("plan", "apply", "planning only reads"),
        never("plan", "render", "planning takes files, not templates"),
    ],
    only: &[
        Only {
            paths: &[
                "std::fs::copy",
                "std::fs::create_dir",
                "std::fs::create_dir_all",
                "std::fs::hard_link",
                "std::fs::remove_dir",
                "std::fs::remove_dir_all",
                "std::fs::remove_file",
                "std::fs::rename",
                "std::fs::set_permissions",
                "std::fs::write",
                "std::fs::DirBuilder",
                "std::fs::File::create",
                "std::fs::File::create_new",
                "std::fs::File::options",
                "std::fs::OpenOptions",
                "tempfile",
            ],
            users: &[
                "apply",
                "command::demo",
                "command::man",
                "command::new",
                "format",
            ],
            reason: "only `apply` and the commands that write outside of a project write files",
        },
        Only {
            paths: &["sqlx", "tokio"],
            users: &["import::read"],
            reason: "databases are asked in one place",
        },
        Only {
            paths: &["tera", "formwork_templates"],
            users: &["render", "command"],
            reason: "templates are known to `render` alone",
        },
    ],
};
