//! Rows one after another, in constant memory.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::{Stream, future::BoxFuture, stream::BoxStream};
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::row::Row;
use crate::error::{Error, Result};

/// Rows that are read at once where a stream has no connection between them.
pub(crate) const CHUNK: usize = 500;

/// Where rows are sent to.
pub(crate) type RowSender = Sender<Row>;

/// The rows of a query, one after another: a [`Stream`], and without one
/// `while let Some(row) = rows.try_next().await? { … }`.
///
/// It ends after its first error.
#[must_use = "a stream sends no statement before it is read"]
pub struct RowStream<'d, T> {
    /// Sends the rows. It runs while the stream is read.
    work: Option<BoxFuture<'d, Result<()>>>,
    rows: Receiver<Row>,
    read: fn(&Row) -> Result<T>,
    error: Option<Error>,
}

impl<'d, T> RowStream<'d, T> {
    /// The rows that this work sends.
    pub(crate) fn new<F>(read: fn(&Row) -> Result<T>, work: impl FnOnce(RowSender) -> F) -> Self
    where
        F: Future<Output = Result<()>> + Send + 'd,
    {
        let (to, rows) = mpsc::channel(1);
        Self {
            work: Some(Box::pin(work(to))),
            rows,
            read,
            error: None,
        }
    }

    /// The next row; `None` after the last one.
    ///
    /// # Errors
    /// The database's error; 500 where a row does not fit its type.
    pub async fn try_next(&mut self) -> Result<Option<T>> {
        poll_fn(|task| Pin::new(&mut *self).poll_next(task))
            .await
            .transpose()
    }
}

impl<T> Stream for RowStream<'_, T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let this = &mut *self;
        if let Some(work) = &mut this.work
            && let Poll::Ready(outcome) = work.as_mut().poll(task)
        {
            this.work = None;
            this.error = outcome.err();
        }
        let row = match ready!(this.rows.poll_recv(task)) {
            Some(row) => (this.read)(&row),
            None => return Poll::Ready(this.error.take().map(Err)),
        };
        if row.is_err() {
            this.work = None;
            this.rows.close();
        }
        Poll::Ready(Some(row))
    }
}

/// Sends rows, and waits until the last of them is read: otherwise the next chunk would take its
/// connection while the reader waits for its client. False without a reader.
pub(crate) async fn send_chunk(rows: Vec<Row>, to: &RowSender) -> bool {
    for row in rows {
        if to.send(row).await.is_err() {
            return false;
        }
    }
    to.reserve().await.is_ok()
}

/// Sends the rows of a driver's answer. Without a reader they end early.
pub(super) async fn send_all<R: Into<Row>>(
    mut rows: BoxStream<'_, sqlx::Result<R>>,
    to: &RowSender,
) -> sqlx::Result<()> {
    while let Some(row) = poll_fn(|task| rows.as_mut().poll_next(task)).await {
        if to.send(row?.into()).await.is_err() {
            break;
        }
    }
    Ok(())
}
