//! Commands of a project's own in its console.

use std::{fmt, future::Future};

use clap::ArgMatches;
use formwork_data::error::Result;
use futures_util::future::BoxFuture;

use crate::context::Context;

type Run = Box<dyn Fn(Context, ArgMatches) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// A command of a project's own in its console.
pub struct Command {
    arguments: clap::Command,
    run: Run,
    needs_database: bool,
}

impl Command {
    /// A command with its name, its help and its arguments, and the work it does. The context is an
    /// administrator's; an error ends the program with its message and the exit status 1.
    pub fn new<R, F>(arguments: clap::Command, run: R) -> Self
    where
        R: Fn(Context, ArgMatches) -> F + Send + Sync + 'static,
        F: Future<Output = Result<()>> + Send + 'static,
    {
        let run =
            move |ctx, matches| -> BoxFuture<'static, Result<()>> { Box::pin(run(ctx, matches)) };
        Self {
            arguments,
            run: Box::new(run),
            needs_database: true,
        }
    }

    /// Runs where there is no database as well, or where it does not answer: statements of its context
    /// fail there, and no file is made.
    #[must_use]
    pub fn without_database(mut self) -> Self {
        self.needs_database = false;
        self
    }

    /// Whether it fails without a database.
    pub fn needs_database(&self) -> bool {
        self.needs_database
    }

    /// Its name on the command line.
    pub fn name(&self) -> &str {
        self.arguments.get_name()
    }

    /// Its name, help and arguments.
    pub fn arguments(&self) -> &clap::Command {
        &self.arguments
    }

    /// Does its work.
    ///
    /// # Errors
    ///
    /// Why it failed.
    pub fn run(&self, ctx: Context, matches: ArgMatches) -> BoxFuture<'static, Result<()>> {
        (self.run)(ctx, matches)
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
