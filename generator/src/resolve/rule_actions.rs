//! The rules of an action together with those of all actions.

use crate::diagnostic::Code;
use crate::manifest::Node;
use crate::project::Rule;

use super::report::Report;
use super::rule_fit::contradiction;

/// Reports rules of one action that no value satisfies together with the rules of all actions.
pub fn contradicts(all: &[Rule], own: &[Rule], node: &Node, report: &mut Report<'_>) -> bool {
    let Some(message) = contradiction(&[all, own].concat()) else {
        return false;
    };
    let found = report.error(Code::RuleMisfit, node.span, message);
    found.help("raise the upper bound, or lower the other one: the rules of `all` apply too");
    true
}
