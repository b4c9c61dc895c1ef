//! One run: a request, and its sequence from manifests to files.

pub mod amend;
pub mod checkout;
pub mod command_source;
pub mod diagnostics;
pub mod ejected;
pub mod history;
pub mod located;
pub mod pipeline;
pub mod planning;
pub mod print;
pub mod progress;
pub mod rendering;
pub mod request;
pub mod selection;
pub mod template_files;
