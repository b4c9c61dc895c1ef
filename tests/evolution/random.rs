//! Any manifests to any others.
