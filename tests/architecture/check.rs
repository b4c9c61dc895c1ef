//! Compares the arrows of a crate with its rules.

use std::collections::BTreeMap;

use crate::arrows::Arrows;
use crate::circles::{Graph, best_cut, circular, way};
use crate::layers::{Never, Rules};

/// The module at the top of a crate that a file belongs to.
fn top(file: &str) -> &str {
    file.split("::").next().unwrap_or(file)
}

/// Whether a path is this one, or lies below it.
fn within(path: &str, outer: &str) -> bool {
    path == outer
        || path
            .strip_prefix(outer)
            .is_some_and(|rest| rest.starts_with("::"))
}

/// Arrows that the rules forbid, with the reason.
pub fn forbidden(arrows: &Arrows, rules: &Rules) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for (from, to) in &arrows.inside {
        let reason = never(from, to, rules).map(|(_, reason)| reason);
        if let Some(reason) = reason.or_else(|| outwards(from, to, rules)) {
            found.insert((from.clone(), to.clone()), reason);
        }
    }
    for (from, to) in &arrows.outside {
        if let Some((outer, reason)) = never(from, to, rules).or_else(|| reserved(from, to, rules))
        {
            found.insert((from.clone(), outer.to_owned()), reason);
        }
    }
    found
}

/// Why an arrow goes outwards.
fn outwards(from: &str, to: &str, rules: &Rules) -> Option<String> {
    if from == "lib" || top(from) == top(to) {
        return None;
    }
    let (own, layer) = rules.place(top(from))?;
    let (other, other_layer) = rules.place(top(to))?;
    let is_wrong = other > own || (other == own && layer != other_layer);
    is_wrong.then(|| {
        format!(
            "the layer `{layer}` does not know the layer `{other_layer}`: move what both need into `{layer}` or \
             further in, or pass it as a value"
        )
    })
}

/// The row of `never` that an arrow breaks: what it must not know, and why.
fn never(from: &str, to: &str, rules: &Rules) -> Option<(&'static str, String)> {
    let layer = rules.place(top(from)).map(|(_, layer)| layer);
    let comes = |row: &Never| match row.from.strip_prefix("layer ") {
        Some(name) => layer == Some(name),
        None => within(from, row.from),
    };
    let mut rows = rules.never.iter();
    let row = rows.find(|row| comes(row) && within(to, row.to))?;
    Some((
        row.to,
        format!("{}: ask a caller for the result instead", row.reason),
    ))
}

/// The path of another crate that an arrow may not lead to.
fn reserved(from: &str, to: &str, rules: &Rules) -> Option<(&'static str, String)> {
    let row = rules.only.iter().find(|row| {
        row.paths.iter().any(|path| within(to, path))
            && !row.users.iter().any(|user| within(from, user))
    })?;
    let path = row.paths.iter().find(|path| within(to, path))?;
    Some((
        path,
        format!("{}: call one of its functions instead", row.reason),
    ))
}

/// The arrows between files, and those between modules, without those inside of a kernel.
fn graphs(inside: &Graph, rules: &Rules) -> (Graph, Graph) {
    let files = inside.iter().filter(|(from, to)| {
        let is_kernel = |kernel: &&[&str]| kernel.contains(&&**from) && kernel.contains(&&**to);
        !rules.kernels.iter().any(is_kernel)
    });
    let modules = inside.iter().map(|(from, to)| (top(from), top(to)));
    let modules = modules.filter(|(from, to)| {
        let holds = |kernel: &[&str], module: &str| kernel.iter().any(|file| top(file) == module);
        let is_kernel = |kernel: &&[&str]| holds(kernel, from) && holds(kernel, to);
        from != to && !rules.kernels.iter().any(is_kernel)
    });
    let modules = modules.map(|(from, to)| (from.to_owned(), to.to_owned()));
    (files.cloned().collect(), modules.collect())
}

/// Returns every use that breaks the rules, and a circle between files or modules.
pub fn faults(arrows: &Arrows, rules: &Rules) -> Vec<String> {
    let forbidden = forbidden(arrows, rules);
    let reasons = forbidden.iter();
    let reasons = reasons.map(|((from, to), reason)| format!("{from} -> {to}: {reason}"));
    let mut faults: Vec<String> = reasons.collect();
    let allowed = arrows.inside.iter();
    let allowed: Graph = allowed
        .filter(|arrow| !forbidden.contains_key(*arrow))
        .cloned()
        .collect();
    let (files, modules) = graphs(&allowed, rules);
    for graph in [&files, &modules] {
        if let Some((from, to)) = best_cut(graph) {
            let back = way(graph, &to, &from).unwrap_or_default().join(" -> ");
            faults.push(format!(
                "{from} -> {back}: a circle: move what both need into a file that knows neither, or pass it as a value"
            ));
        }
    }
    faults.extend(idle(arrows, rules));
    faults.extend(wider(arrows, rules));
    faults
}

/// Files of kernels that are in no circle.
fn idle(arrows: &Arrows, rules: &Rules) -> Vec<String> {
    let free = Rules {
        kernels: &[],
        ..*rules
    };
    let (files, modules) = graphs(&arrows.inside, &free);
    let circles = &circular(&files) | &circular(&modules);
    let is_idle = |file: &&&str| !circles.iter().any(|(from, _)| from == **file);
    let files = rules.kernels.iter().copied().flatten();
    files
        .filter(is_idle)
        .map(|file| format!("{file}: it is in no circle: take it out of its kernel"))
        .collect()
}

/// Arrows that lead a circle of a kernel through files that are not of it.
fn wider(arrows: &Arrows, rules: &Rules) -> Vec<String> {
    let free = Rules {
        kernels: &[],
        ..*rules
    };
    let (all, _) = graphs(&arrows.inside, &free);
    let (outside, _) = graphs(&arrows.inside, rules);
    let through = &circular(&all) & &outside;
    let through = &through - &circular(&outside);
    let told = through.iter().map(|(from, to)| {
        format!("{from} -> {to}: it widens the circle of a kernel: move what both need into a file that knows neither")
    });
    told.collect()
}
