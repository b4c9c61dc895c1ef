//! Formwork generator.
