//! Cycles of tables that point to each other, by Tarjan's algorithm
//! (<https://doi.org/10.1137/0201010>): once over all tables and what they point to.

use std::collections::BTreeMap;

use super::super::table::Table;

/// The places of each cycle that points only to itself, among tables of which each points to
/// another one.
pub(super) fn ends(left: &BTreeMap<usize, Table>) -> Vec<Vec<usize>> {
    let places: Vec<usize> = left.keys().copied().collect();
    let numbers = left.values().map(|table| table.name.as_str()).zip(0..);
    let numbers: BTreeMap<&str, usize> = numbers.collect();
    let number = |name: &str| numbers.get(name).copied();
    let tables = left.values();
    let pointed = tables.map(|table| table.targets().filter_map(number).collect());
    let mut search = Search::over(pointed.collect());
    for start in 0..places.len() {
        search.visit(start);
    }
    let ends = search.found.into_iter().filter(|cycle| cycle.is_end);
    ends.map(|cycle| cycle.members.iter().map(|at| places[*at]).collect())
        .collect()
}

/// A search in depth, with a stack of its own: a ring may be longer than a thread's stack is deep.
struct Search {
    targets: Vec<Vec<usize>>,
    /// When a table was met, from 1; 0 before.
    met: Vec<usize>,
    /// The earliest met table of the same cycle that is known so far.
    low: Vec<usize>,
    /// Whether the cycle of a table is found.
    done: Vec<bool>,
    /// Whether a table points to a cycle that was found before its own.
    leaves: Vec<bool>,
    open: Vec<usize>,
    clock: usize,
    found: Vec<Cycle>,
}

struct Cycle {
    members: Vec<usize>,
    is_end: bool,
}

impl Search {
    fn over(targets: Vec<Vec<usize>>) -> Self {
        let count = targets.len();
        Self {
            targets,
            met: vec![0; count],
            low: vec![0; count],
            done: vec![false; count],
            leaves: vec![false; count],
            open: Vec::new(),
            clock: 0,
            found: Vec::new(),
        }
    }

    fn visit(&mut self, start: usize) {
        if self.met[start] != 0 {
            return;
        }
        self.meet(start);
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.pop() {
            let Some(&target) = self.targets[at].get(next) else {
                self.leave(at);
                if let Some((from, _)) = path.last() {
                    self.pass(*from, at);
                }
                continue;
            };
            path.push((at, next + 1));
            if self.met[target] == 0 {
                self.meet(target);
                path.push((target, 0));
            } else {
                self.pass(at, target);
            }
        }
    }

    fn meet(&mut self, at: usize) {
        self.clock += 1;
        self.met[at] = self.clock;
        self.low[at] = self.clock;
        self.open.push(at);
    }

    /// The result for a target applies to the tables that point to it.
    fn pass(&mut self, at: usize, target: usize) {
        if self.done[target] {
            self.leaves[at] = true;
        } else {
            self.low[at] = self.low[at].min(self.low[target]);
        }
    }

    /// The first table of a cycle is left last.
    fn leave(&mut self, at: usize) {
        if self.low[at] != self.met[at] {
            return;
        }
        let first = self.open.iter().rposition(|one| *one == at);
        let members = self.open.split_off(first.unwrap_or_default());
        let is_end = !members.iter().any(|one| self.leaves[*one]);
        members.iter().for_each(|one| self.done[*one] = true);
        self.found.push(Cycle { members, is_end });
    }
}
