//! git in the projects of tests.

use std::process::Command;

use crate::project::Project;

impl Project {
    /// A repository on the branch `main`, with everything committed.
    pub fn begin_repository(&self) {
        self.git(&["init", "-q", "-b", "main"]);
        self.commit("begin");
    }

    /// Runs git, which must succeed.
    pub fn git(&self, args: &[&str]) -> String {
        let (done, output) = self.try_git(args);
        assert!(done, "git {args:?}: {output}");
        output
    }

    /// Runs git; returns whether it succeeded, and what it said.
    pub fn try_git(&self, args: &[&str]) -> (bool, String) {
        let output = Command::new("git")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.com"])
            .args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"])
            .args(args)
            .current_dir(self.root())
            .output()
            .expect("git starts");
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
    }
}
