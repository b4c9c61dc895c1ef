//! SHA-256 of a text, as locks write it.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash, in hexadecimal when shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The hash of `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Digest {
        Digest(Sha256::digest(bytes.as_ref()).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(HEXLOWER.encode_mut_str(&self.0, &mut [0; 64]))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{self}")
    }
}

/// A text that is no hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no SHA-256 hash")]
pub struct NoDigest;

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Digest, NoDigest> {
        let bytes = HEXLOWER.decode(text.as_bytes());
        let bytes = bytes.ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Digest).ok_or(NoDigest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_back_from_its_text() {
        let digest = Digest::of("abc");
        let shown = digest.to_string();
        assert!(shown.starts_with("ba7816bf8f01cfea"), "{shown}");
        assert_eq!(shown.parse(), Ok(digest));
        assert_eq!("zz".parse::<Digest>(), Err(NoDigest));
        assert_eq!("g".repeat(64).parse::<Digest>(), Err(NoDigest));
    }
}
