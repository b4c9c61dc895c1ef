//! Places for connections, of which one client may have half.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use formwork_core::{auth::subscriber, config::Network};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places of a service.
pub(super) struct Places {
    free: Arc<Semaphore>,
    /// The share of one client.
    share: usize,
    /// Proxies speak for many clients: they have no share.
    proxies: Vec<Network>,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// A place, until it is dropped.
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    taken: Option<(Arc<Places>, IpAddr)>,
}

impl Places {
    /// This many places. A client may have half of them, a trusted proxy all.
    pub fn new(count: usize, proxies: Vec<Network>) -> Arc<Self> {
        let count = count.clamp(1, Semaphore::MAX_PERMITS);
        Arc::new(Self {
            free: Arc::new(Semaphore::new(count)),
            share: count.div_ceil(2),
            proxies,
            taken: Mutex::default(),
        })
    }

    /// A place for this client, unless all are taken, or its share is.
    pub fn take(self: &Arc<Self>, client: IpAddr) -> Option<Place> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        if self.proxies.iter().any(|proxy| proxy.contains(client)) {
            return Some(Place {
                _permit: permit,
                taken: None,
            });
        }
        let client = subscriber(client);
        let mut taken = self.taken();
        let count = taken.entry(client).or_default();
        if *count >= self.share {
            return None;
        }
        *count += 1;
        drop(taken);
        Some(Place {
            _permit: permit,
            taken: Some((Arc::clone(self), client)),
        })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some((places, client)) = self.taken.take() else {
            return;
        };
        let mut taken = places.taken();
        if let Some(count) = taken.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_client_takes_at_most_half_of_the_connections() {
        let places = Places::new(5, Vec::new());
        let take = |client: &str| places.take(address(client));
        let near: Vec<_> = (0..3)
            .map(|_| take("192.0.2.1").expect("a place"))
            .collect();
        assert!(take("192.0.2.1").is_none() && take("::ffff:192.0.2.1").is_none());
        let far = [take("192.0.2.2"), take("192.0.2.3")];
        assert!(far.iter().all(Option::is_some));
        assert!(take("192.0.2.4").is_none(), "all are taken");
        drop(near);
        assert!(take("192.0.2.1").is_some());
        drop(far);
        assert!(places.taken().is_empty(), "nothing is kept of who has gone");
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let places = Places::new(2, Vec::new());
        let place = places.take(address("2001:db8:1:2::1")).expect("a place");
        assert!(places.take(address("2001:db8:1:2::9")).is_none());
        assert!(places.take(address("2001:db8:1:3::1")).is_some());
        drop(place);
    }

    #[test]
    fn proxies_may_take_every_place() {
        let proxy = "10.0.0.0/8".parse().expect("a network");
        let places = Places::new(4, vec![proxy]);
        let all: Vec<_> = (0..4).map(|_| places.take(address("10.1.1.1"))).collect();
        assert!(all.iter().all(Option::is_some));
        assert!(places.take(address("10.1.1.1")).is_none());
    }

    #[test]
    fn a_single_place_is_open_to_every_client() {
        let places = Places::new(1, Vec::new());
        assert!(places.take(address("192.0.2.1")).is_some());
    }
}
