//! Pages of the guide as what a reader types.

use std::fs;

use formwork_tests::checkout;

/// The fenced blocks of a language, line by line, without the indentation of the fence.
pub fn blocks(page: &str, language: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(checkout().join("docs/guide").join(page)).expect("a page");
    let mut lines = text.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let inside = lines
            .by_ref()
            .map(|line| line.get(indent..).unwrap_or("").to_owned());
        let inside: Vec<String> = inside.take_while(|line| !line.starts_with("```")).collect();
        if info == language {
            blocks.push(inside);
        }
    }
    blocks
}

/// What is typed in a block: lines behind a prompt, without their comments.
pub fn typed(block: &[String]) -> Vec<String> {
    let lines = block.iter().filter_map(|line| line.strip_prefix("$ "));
    let line = |line: &str| line.split(" # ").next().unwrap_or(line).trim().to_owned();
    lines.map(line).collect()
}
