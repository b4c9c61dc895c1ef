//! Former names (`was:`). They stay in the manifests for good, so what is still to be renamed is
//! found by what is still there.

use std::collections::BTreeMap;

/// Of names by present name with the former one, those that are still to be given: old and new,
/// in an order in which each new name is free. One may take the name that another gives up.
pub fn pending<'n>(
    names: &BTreeMap<&'n str, &'n str>,
    exists: impl Fn(&str) -> bool,
) -> Vec<(&'n str, &'n str)> {
    let mut done: Vec<(&str, &str)> = Vec::new();
    loop {
        let free = |name: &str| !exists(name) || done.iter().any(|(from, _)| *from == name);
        let next = names.iter().find(|(to, from)| {
            let is_done = done.iter().any(|(_, done)| done == *to);
            !is_done && exists(from) && free(to)
        });
        match next {
            Some((to, from)) => done.push((from, to)),
            None => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left<'n>(names: &[(&'n str, &'n str)], there: &[&str]) -> Vec<(&'n str, &'n str)> {
        pending(&names.iter().copied().collect(), |name| {
            there.contains(&name)
        })
    }

    #[test]
    fn a_rename_is_done_once() {
        assert_eq!(left(&[("b", "a")], &["a"]), [("a", "b")]);
        assert_eq!(left(&[("b", "a")], &["b"]), []);
        assert_eq!(left(&[("b", "a")], &["a", "b"]), [], "another a");
        assert_eq!(left(&[("b", "a")], &[]), []);
    }

    #[test]
    fn a_chain_of_renames_frees_each_name_before_its_reuse() {
        let chain = [("b", "a"), ("c", "b")];
        assert_eq!(left(&chain, &["a", "b"]), [("b", "c"), ("a", "b")]);
        assert_eq!(left(&chain, &["b", "c"]), []);
        assert_eq!(left(&[("a", "b"), ("b", "a")], &["a", "b"]), []);
    }
}
