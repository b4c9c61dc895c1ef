//! Everything that a test program logs.

use std::{
    io,
    sync::{Mutex, OnceLock, PoisonError},
};

use tracing_subscriber::{filter::LevelFilter, fmt::MakeWriter};

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        Self
    }
}

/// From here on the log is kept, at every level.
pub fn listen() {
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| {
        tracing_subscriber::fmt()
            .with_max_level(LevelFilter::TRACE)
            .with_ansi(false)
            .with_writer(Log)
            .init();
    });
}

/// The log so far, of all tests.
pub fn logged() -> String {
    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&log).into_owned()
}

/// The lines about the request that this answers, but for the one that every request has.
pub fn told_of(answer: &formwork::testing::Answer) -> Vec<String> {
    let id = answer.header("x-request-id").expect("an id");
    let log = logged();
    let lines = log.lines().filter(|line| line.contains(id));
    let (requests, others): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| line.contains("duration_ms="));
    assert_eq!(requests.len(), 1, "one line a request: {requests:?}");
    others.into_iter().map(str::to_owned).collect()
}
