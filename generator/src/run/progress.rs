//! One line that says what a long run is at: on a terminal only, and gone when the run is done.
//!
//! Slow work is deep below the commands, and a process has one terminal: so the line is a static.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::{Cli, Format};

/// A run shorter than this needs no line.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often the line is drawn.
const PAUSE: Duration = Duration::from_millis(100);

static LINE: Mutex<ProgressLine> = Mutex::new(ProgressLine::new());

/// Lets the line be drawn from now on: not with `--quiet`, `--format json`, without a terminal, or
/// in CI.
pub fn allow(cli: &Cli) {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let plain = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    let looks = io::stderr().is_terminal() && !plain && !is_set("CI");
    line().allowed = looks && !cli.quiet && cli.format == Format::Text;
}

/// Shows the current step of the run: `comparing 8,012 files`.
pub fn phase(text: impl Into<String>) {
    let mut line = line();
    if !line.allowed {
        return;
    }
    line.text = text.into();
    if line.since.is_none() {
        line.since = Some(Instant::now());
        thread::spawn(keep_drawing);
    }
}

/// Takes the line away, before anything else is printed.
pub fn finish() {
    let mut line = line();
    line.since = None;
    line.erase(&mut io::stderr());
}

fn keep_drawing() {
    loop {
        thread::sleep(PAUSE);
        let mut line = line();
        let Some(since) = line.since else { return };
        line.draw(since.elapsed(), &mut io::stderr());
    }
}

fn line() -> MutexGuard<'static, ProgressLine> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text on the terminal.
#[derive(Debug)]
struct ProgressLine {
    allowed: bool,
    text: String,
    since: Option<Instant>,
    drawn: bool,
}

impl ProgressLine {
    const fn new() -> ProgressLine {
        ProgressLine {
            allowed: false,
            text: String::new(),
            since: None,
            drawn: false,
        }
    }

    /// A terminal that does not take the line does not affect the run.
    fn draw(&mut self, elapsed: Duration, to: &mut impl Write) {
        if elapsed < PATIENCE {
            return;
        }
        self.drawn = true;
        let _ = write!(to, "\r\u{1b}[K{} ... {} s", self.text, elapsed.as_secs());
        let _ = to.flush();
    }

    fn erase(&mut self, to: &mut impl Write) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(to, "\r\u{1b}[K");
            let _ = to.flush();
        }
    }
}

/// A number of files, for people: `8,012 files`.
pub fn files(count: usize) -> String {
    let digits = count.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    format!("{shown} {}", if count == 1 { "file" } else { "files" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_drawn_after_a_while_and_erased_once() {
        let mut line = ProgressLine::new();
        line.text = "comparing 3 files".to_owned();
        let mut to = Vec::new();
        line.draw(Duration::from_millis(100), &mut to);
        line.erase(&mut to);
        assert!(to.is_empty(), "a short run shows nothing");
        line.draw(Duration::from_millis(2_100), &mut to);
        line.erase(&mut to);
        line.erase(&mut to);
        assert_eq!(
            String::from_utf8(to).unwrap(),
            "\r\u{1b}[Kcomparing 3 files ... 2 s\r\u{1b}[K"
        );
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(files(1), "1 file");
        assert_eq!(files(999), "999 files");
        assert_eq!(files(1_234_567), "1,234,567 files");
    }
}
