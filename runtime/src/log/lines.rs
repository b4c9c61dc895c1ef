//! One JSON object a line, as `tracing_subscriber` writes it, at a fraction of what it costs there:
//! every request has its line.

use std::fmt;

use serde::Serialize;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent,
        format::{Format, Json, JsonFields, Writer},
    },
    registry::LookupSpan,
};

use crate::value::datetime_text;

/// Time, level, the event's fields, target. Events inside of spans are left to the general format.
pub(super) struct Lines {
    general: Format<Json>,
}

impl Default for Lines {
    fn default() -> Self {
        let general = Format::default().json().flatten_event(true);
        Self { general }
    }
}

impl<S> FormatEvent<S, JsonFields> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        ctx: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let meta = event.metadata();
        // What comes by the crate `log` has its target among its fields.
        let logged = meta.fields().field("log.target").is_some();
        if logged || event.parent().is_some() || ctx.lookup_current().is_some() {
            return self.general.format_event(ctx, writer, event);
        }
        let mut line = Line(Vec::with_capacity(256));
        line.0.extend_from_slice(b"{\"timestamp\":\"");
        line.0
            .extend_from_slice(datetime_text(chrono::Utc::now()).as_bytes());
        line.0.push(b'"');
        line.member("level", meta.level().as_str());
        event.record(&mut line);
        line.member("target", meta.target());
        line.0.extend_from_slice(b"}\n");
        writer.write_str(std::str::from_utf8(&line.0).map_err(|_| fmt::Error)?)
    }
}

/// A line on its way.
struct Line(Vec<u8>);

impl Line {
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        let before = self.0.len();
        self.0.push(b',');
        let written = serde_json::to_writer(&mut self.0, name).and_then(|()| {
            self.0.push(b':');
            serde_json::to_writer(&mut self.0, value)
        });
        // A line without a member is better than none.
        if written.is_err() {
            self.0.truncate(before);
        }
    }
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.member(field.name(), &format_args!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.member(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.member(field.name(), &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.member(field.name(), &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.member(field.name(), &value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.member(field.name(), &value);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex, PoisonError},
    };

    use tracing_subscriber::{fmt::layer, layer::SubscriberExt};

    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            text.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Sink {
        /// Its lines without the time they begin with.
        fn lines(&self) -> Vec<String> {
            let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let text = String::from_utf8_lossy(&text).into_owned();
            let rest = |line: &str| {
                let (time, rest) = line.split_once(',').expect("a time and more");
                assert_eq!(
                    time.len(),
                    "{\"timestamp\":\"2026-01-01T00:00:00.000000Z\"".len()
                );
                rest.to_owned()
            };
            text.lines().map(rest).collect()
        }
    }

    fn events() {
        tracing::info!(
            request_id = "a\"b\u{1}",
            status = 200_u16,
            below = -7_i64,
            duration_ms = 0.25,
            nothing = f64::NAN,
            yes = true,
            error = %io::Error::other("lost\nline"),
            list = ?[1, 2],
            "a \"request\""
        );
        tracing::error!(target: "somewhere", "without {} fields", 0);
        let span = tracing::info_span!("outside", place = 3);
        span.in_scope(|| tracing::warn!(inside = 1, "in a span"));
    }

    #[test]
    fn lines_are_those_of_the_general_format() {
        let (own, general) = (Sink::default(), Sink::default());
        let (to_own, to_general) = (own.clone(), general.clone());
        let subscriber = tracing_subscriber::registry()
            .with(
                layer()
                    .with_writer(move || to_own.clone())
                    .json()
                    .event_format(Lines::default()),
            )
            .with(
                layer()
                    .with_writer(move || to_general.clone())
                    .json()
                    .flatten_event(true),
            );
        tracing::subscriber::with_default(subscriber, events);
        assert_eq!(own.lines().len(), 3);
        assert_eq!(own.lines(), general.lines());
    }
}
