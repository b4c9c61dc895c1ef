//! The templates Formwork pours from.
