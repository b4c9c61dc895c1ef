//! The same by the real binary.
