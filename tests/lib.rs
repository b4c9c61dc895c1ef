//! Shared by the tests: where things are, and how a service is started.
