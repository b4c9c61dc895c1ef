//! Circles of a graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Arrows between names.
pub type Graph = BTreeSet<(String, String)>;

/// The shortest way from one node to another.
pub fn way(graph: &Graph, from: &str, to: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        if at == to {
            let mut nodes = vec![to];
            while let Some(earlier) = before.get(nodes[nodes.len() - 1]) {
                nodes.push(earlier);
                if *earlier == from {
                    break;
                }
            }
            return Some(nodes.into_iter().rev().map(str::to_owned).collect());
        }
        for (_, next) in graph.iter().filter(|(source, _)| source == at) {
            if next != from && !before.contains_key(next.as_str()) {
                before.insert(next, at);
                waiting.push_back(next);
            }
        }
    }
    None
}

/// The nodes that a node leads to.
fn reach<'g>(next: &BTreeMap<&'g str, Vec<&'g str>>, from: &'g str) -> BTreeSet<&'g str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        for to in next.get(at).into_iter().flatten() {
            if found.insert(*to) {
                waiting.push(to);
            }
        }
    }
    found
}

/// The nodes that each node leads to.
pub fn reached(graph: &Graph) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in graph {
        next.entry(from).or_default().push(to);
    }
    let nodes = next.keys();
    nodes.map(|node| (*node, reach(&next, node))).collect()
}

/// The arrows that are part of a circle.
pub fn circular(graph: &Graph) -> Graph {
    let reached = reached(graph);
    let closes = |(from, to): &&(String, String)| {
        reached
            .get(to.as_str())
            .is_some_and(|nodes| nodes.contains(from.as_str()))
    };
    graph.iter().filter(closes).cloned().collect()
}

/// Returns the arrow whose removal leaves the fewest arrows in circles; of equal ones the first.
pub fn best_cut(graph: &Graph) -> Option<(String, String)> {
    let circular_arrows = circular(graph);
    let remaining = |arrow: &&(String, String)| {
        let mut without = circular_arrows.clone();
        without.remove(*arrow);
        circular(&without).len()
    };
    circular_arrows.iter().min_by_key(remaining).cloned()
}
