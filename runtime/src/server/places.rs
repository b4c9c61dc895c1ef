//! Places for connections, of which one client may have half. If all are taken, an idle connection of
//! another client makes room.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use formwork_core::{auth::subscriber, config::Network};
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

/// The places of a service.
pub(super) struct Places {
    count: usize,
    /// The share of one client.
    share: usize,
    /// Proxies speak for many clients: they have no share.
    proxies: Vec<Network>,
    open: Mutex<Open>,
    report: Once,
}

/// The connections that have a place.
#[derive(Default)]
struct Open {
    count: usize,
    next_id: u64,
    /// By client, in the order in which they were opened.
    clients: HashMap<IpAddr, BTreeMap<u64, Arc<Activity>>>,
}

/// The activity of a connection.
#[derive(Default)]
pub(super) struct Activity {
    /// Requests whose response is not sent yet.
    requests: AtomicUsize,
    closing: CancellationToken,
}

/// A request in progress, until it is dropped: its connection is not idle.
pub(super) struct Busy(Arc<Activity>);

/// A place, until it is dropped.
pub(super) struct Place {
    places: Arc<Places>,
    client: IpAddr,
    id: u64,
    activity: Arc<Activity>,
}

impl Places {
    /// This many places. A client may have half of them, a trusted proxy all.
    pub fn new(count: usize, proxies: Vec<Network>) -> Arc<Self> {
        let count = count.max(1);
        Arc::new(Self {
            count,
            share: count.div_ceil(2),
            proxies,
            open: Mutex::default(),
            report: Once::new(),
        })
    }

    /// Returns a place for this client, unless its share is taken. If all places are taken, the client
    /// with the most idle connections loses one, so that no client can keep others out with
    /// connections on which it does nothing.
    pub fn take(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let client = subscriber(address);
        let is_proxy = self.proxies.iter().any(|proxy| proxy.contains(address));
        let mut open = self.open();
        let taken = if is_proxy { 0 } else { open.taken(client) };
        if taken >= self.share {
            return None;
        }
        if open.count >= self.count {
            let idle_client = open.close_idle(taken)?;
            self.report(idle_client);
        }
        let (id, activity) = open.add(client);
        Some(Place {
            places: Arc::clone(self),
            client,
            id,
            activity,
        })
    }

    /// Logs once that connections are closed to make room.
    fn report(&self, client: IpAddr) {
        self.report.call_once(|| {
            tracing::warn!(
                %client,
                "all connections are in use (server.max_connections): idle ones of the address with \
                 the most of them are closed to serve others"
            );
        });
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn taken(&self, client: IpAddr) -> usize {
        self.clients.get(&client).map_or(0, BTreeMap::len)
    }

    fn add(&mut self, client: IpAddr) -> (u64, Arc<Activity>) {
        let (id, activity) = (self.next_id, Arc::default());
        self.next_id += 1;
        self.count += 1;
        let connections = self.clients.entry(client).or_default();
        connections.insert(id, Arc::clone(&activity));
        (id, activity)
    }

    /// Closes the oldest idle connection of the client with the most idle ones, if it has more of them
    /// than this. Returns the client.
    fn close_idle(&mut self, more_than: usize) -> Option<IpAddr> {
        let idle = self.clients.iter().map(|(client, connections)| {
            let idle = connections.values().filter(|it| it.is_idle());
            (idle.count(), *client)
        });
        let (_, client) = idle.max().filter(|(count, _)| *count > more_than)?;
        let mut connections = self.clients.get(&client)?.iter();
        let (id, activity) = connections.find(|(_, it)| it.is_idle())?;
        activity.closing.cancel();
        let id = *id;
        self.remove(client, id);
        Some(client)
    }

    fn remove(&mut self, client: IpAddr, id: u64) {
        let Some(connections) = self.clients.get_mut(&client) else {
            return;
        };
        if connections.remove(&id).is_some() {
            self.count -= 1;
        }
        if connections.is_empty() {
            self.clients.remove(&client);
        }
    }
}

impl Activity {
    /// Marks the beginning of a request. The connection is busy until the value is dropped.
    pub fn begin_request(self: &Arc<Self>) -> Busy {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(self))
    }

    /// Waits until the connection has to make room for another client.
    pub fn closing(&self) -> WaitForCancellationFuture<'_> {
        self.closing.cancelled()
    }

    /// Whether no request is in progress.
    pub fn is_idle(&self) -> bool {
        self.requests.load(Ordering::Relaxed) == 0
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Place {
    /// Returns the activity of its connection.
    pub fn activity(&self) -> Arc<Activity> {
        Arc::clone(&self.activity)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.open().remove(self.client, self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    /// Takes a place for each of these clients, which begins a request if it is `busy`.
    fn take(places: &Arc<Places>, clients: &[&str], busy: bool) -> Vec<(Place, Option<Busy>)> {
        let places = clients.iter().map(|client| {
            let place = places.take(address(client)).expect("a place");
            let request = busy.then(|| place.activity().begin_request());
            (place, request)
        });
        places.collect()
    }

    fn is_closing((place, _): &(Place, Option<Busy>)) -> bool {
        place.activity.closing.is_cancelled()
    }

    #[test]
    fn a_client_takes_at_most_half_of_the_connections() {
        let places = Places::new(5, Vec::new());
        let near = take(&places, &["192.0.2.1"; 3], true);
        for same in ["192.0.2.1", "::ffff:192.0.2.1"] {
            assert!(places.take(address(same)).is_none());
        }
        let far = take(&places, &["192.0.2.2", "192.0.2.3"], true);
        let next = || places.take(address("192.0.2.4"));
        assert!(next().is_none(), "all are taken, and busy");
        drop(near);
        assert!(next().is_some());
        drop(far);
        let open = places.open();
        assert_eq!((open.count, open.clients.len()), (0, 0));
    }

    #[test]
    fn the_client_with_the_most_idle_connections_makes_room() {
        let places = Places::new(6, Vec::new());
        let busy = take(&places, &["192.0.2.1"; 3], true);
        let few = take(&places, &["192.0.2.2"], false);
        let many = take(&places, &["192.0.2.3"; 2], false);
        let new = take(&places, &["192.0.2.4"], true);
        assert!(is_closing(&many[0]) && !is_closing(&many[1]));
        let newest = take(&places, &["192.0.2.5"], true);
        assert!(is_closing(&many[1]) || is_closing(&few[0]));
        let again = places.take(address("192.0.2.4"));
        assert!(again.is_none(), "no client has more idle ones than it has");
        drop(take(&places, &["192.0.2.6"], true));
        assert!(is_closing(&many[1]) && is_closing(&few[0]));
        assert!(!busy.iter().chain(&new).chain(&newest).any(is_closing));
        drop((many, few));
        assert_eq!(places.open().count, 5, "their places are another's");
    }

    #[test]
    fn a_connection_is_idle_again_after_its_request() {
        let places = Places::new(1, Vec::new());
        let mut first = take(&places, &["192.0.2.1"], true);
        assert!(places.take(address("192.0.2.2")).is_none());
        first[0].1 = None;
        assert!(places.take(address("192.0.2.2")).is_some());
        assert!(is_closing(&first[0]));
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let places = Places::new(2, Vec::new());
        let _place = take(&places, &["2001:db8:1:2::1"], true);
        assert!(places.take(address("2001:db8:1:2::9")).is_none());
        assert!(places.take(address("2001:db8:1:3::1")).is_some());
    }

    #[test]
    fn proxies_may_take_every_place() {
        let proxy = "10.0.0.0/8".parse().expect("a network");
        let places = Places::new(4, vec![proxy]);
        let _all = take(&places, &["10.1.1.1"; 4], true);
        assert!(places.take(address("10.1.1.1")).is_none());
    }

    #[test]
    fn a_proxy_is_not_kept_out_by_idle_connections() {
        let proxy = "10.0.0.0/8".parse().expect("a network");
        let places = Places::new(4, vec![proxy]);
        let idle = take(&places, &["192.0.2.1"; 2], false);
        let _busy = take(&places, &["10.1.1.1"; 4], true);
        assert!(idle.iter().all(is_closing));
    }
}
