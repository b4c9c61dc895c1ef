//! Requests a second of servers that take turns.

use crate::process::{REQUESTS, Server};

/// Turns of each server.
const TURNS: usize = 15;

/// Clients at once that keep both processors busy, and that there are before anything is measured.
pub const CLIENTS: u32 = 8;

/// Several clients at once, as servers have: pools open their connections, and statements are prepared.
pub fn warm_up(server: &Server, request: &str) {
    server.load(CLIENTS as usize, &[request]);
}

/// The times of each server for its request of so many clients, turn by turn.
pub fn times<const N: usize>(
    clients: u32,
    requests: &[String; N],
    servers: [&Server; N],
) -> [Vec<f64>; N] {
    let mut times = [const { Vec::new() }; N];
    for turn in 0..TURNS {
        // Each is the first as often as the others.
        for place in 0..N {
            let at = (turn + place) % N;
            times[at].push(servers[at].turn(clients, &requests[at]).as_secs_f64());
        }
    }
    times
}

/// Requests a second.
pub fn rate(times: &[f64]) -> f64 {
    f64::from(REQUESTS) / median(times.to_vec())
}

/// Requests a second of `mine` to those of `theirs`: the middle one of the turns.
pub fn ratio(mine: &[f64], theirs: &[f64]) -> f64 {
    let ratios = theirs.iter().zip(mine).map(|(theirs, mine)| theirs / mine);
    median(ratios.collect())
}

pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
