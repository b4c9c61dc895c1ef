//! Steps of the merge beyond git's line merge.

/// The steps that a merge takes (docs/adr/0002 has what each one saves).
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// Lists in one order, where a side moved an item.
    pub order: bool,
    /// Lines are paired from below, too.
    pub upwards: bool,
    /// Neighbouring edits of lists are kept side by side.
    pub neighbours: bool,
    /// A conflict's unchanged lines above and below are looked at, too.
    pub wider: bool,
    /// An edit that ends within an item takes in the rest of it.
    pub longer: bool,
    /// An edit that closes a block and adds items below it is two.
    pub in_two: bool,
    /// A description and an attribute that are added to one item are kept together.
    pub attached: bool,
    /// A line that both sides added at different places is kept once.
    pub copies: bool,
    /// Sections and paragraphs of the user's own stay in a page whose other lines change or go.
    pub sections: bool,
    /// A name that would occur twice in a list, or in another place than its side put it, is a
    /// conflict.
    pub names: bool,
    /// A result that does not parse is a conflict.
    pub parses: bool,
}

impl Steps {
    /// All of them.
    pub const ALL: Steps = Steps {
        order: true,
        upwards: true,
        neighbours: true,
        wider: true,
        longer: true,
        in_two: true,
        attached: true,
        copies: true,
        sections: true,
        names: true,
        parses: true,
    };
}
