//! Time limits that are set with every request, and hardly ever pass.
//!
//! A timer that is new to tokio may wake the thread that waits for the network, which sleeps towards
//! a later moment: a system call and a change of threads for each request. One that is there already
//! is put off without either. So an alarm keeps its timer, and sets it again.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use hyper::rt;
use tokio::time::{Instant, Sleep, sleep_until};

/// A timer for one limit after the other: one connection's, within one tokio runtime.
#[derive(Clone, Default)]
pub(crate) struct Alarm(Arc<Kept>);

#[derive(Default)]
struct Kept {
    timer: Mutex<Option<Pin<Box<Sleep>>>>,
    over: AtomicBool,
}

/// A limit that is running; its timer goes back to the alarm.
pub(crate) struct Running {
    sleep: Option<Pin<Box<Sleep>>>,
    alarm: Alarm,
}

impl Alarm {
    /// Done at this moment.
    pub fn at(&self, moment: Instant) -> Running {
        let kept = self.kept().take();
        let sleep = match kept {
            Some(mut sleep) => {
                sleep.as_mut().reset(moment);
                sleep
            }
            // Two at once need two timers.
            None => Box::pin(sleep_until(moment)),
        };
        Running {
            sleep: Some(sleep),
            alarm: self.clone(),
        }
    }

    /// What the work answers within this time; `None` where it takes longer.
    pub async fn within<F: Future>(&self, limit: Duration, work: F) -> Option<F::Output> {
        let Some(end) = Instant::now().checked_add(limit) else {
            return Some(work.await);
        };
        let (mut work, mut alarm) = (pin!(work), self.at(end));
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(answer) => Poll::Ready(Some(answer)),
            Poll::Pending => Pin::new(&mut alarm).poll(context).map(|()| None),
        })
        .await
    }

    /// No limit runs any longer: they have passed, whatever moment they were set to, as soon as they
    /// are looked at.
    pub fn end(&self) {
        self.0.over.store(true, Ordering::Relaxed);
    }

    fn kept(&self) -> MutexGuard<'_, Option<Pin<Box<Sleep>>>> {
        self.0.timer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Future for Running {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.alarm.0.over.load(Ordering::Relaxed) {
            return Poll::Ready(());
        }
        match &mut self.sleep {
            Some(sleep) => sleep.as_mut().poll(context),
            None => Poll::Ready(()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        *self.alarm.kept() = self.sleep.take();
    }
}

/// For the limits that hyper sets.
impl rt::Timer for Alarm {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn rt::Sleep>> {
        Box::pin(self.at(Instant::now() + duration))
    }

    fn sleep_until(&self, moment: std::time::Instant) -> Pin<Box<dyn rt::Sleep>> {
        Box::pin(self.at(moment.into()))
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into()
    }
}

impl rt::Sleep for Running {}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn work_has_its_time_whatever_was_limited_before() {
        let alarm = Alarm::default();
        let (short, long) = (Duration::from_millis(30), Duration::from_secs(60));
        for _ in 0..2 {
            assert_eq!(alarm.within(long, ready(7)).await, Some(7));
            let begun = Instant::now();
            assert_eq!(alarm.within(short, pending::<()>()).await, None);
            assert!(begun.elapsed() >= short && begun.elapsed() < long);
            let slow = tokio::time::sleep(2 * short);
            assert_eq!(alarm.within(long, slow).await, Some(()), "put off");
        }
        assert_eq!(alarm.within(Duration::MAX, ready(7)).await, Some(7));
    }

    #[tokio::test]
    async fn two_limits_at_once_are_two() {
        let alarm = Alarm::default();
        let first = alarm.at(Instant::now() + Duration::from_secs(60));
        let begun = Instant::now();
        alarm.at(begun + Duration::from_millis(30)).await;
        assert!(begun.elapsed() < Duration::from_secs(60));
        drop(first);
        assert!(alarm.kept().is_some(), "there is one to be set again");
    }
}
