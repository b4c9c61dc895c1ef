//! Formwork runtime.
