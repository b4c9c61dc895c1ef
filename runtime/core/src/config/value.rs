//! Values of configuration keys: networks, and the address of links.

use std::{net::IpAddr, str::FromStr};

use formwork_vocabulary::config::is_base_url;
use url::Url;

/// An address or a range of them: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    /// Whether an address lies in it; an IPv4-mapped IPv6 address counts as the IPv4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - self.prefix).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - self.prefix).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(drop)?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(longest), |prefix| prefix.parse().map_err(drop))?;
        if prefix <= longest {
            Ok(Self { address, prefix })
        } else {
            Err(())
        }
    }
}

/// Returns the address that links begin with, without a slash at its end.
pub(super) fn base_url(text: &str) -> Option<String> {
    let is_valid = is_base_url(text) && Url::parse(text).is_ok();
    is_valid.then(|| text.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_hold_their_addresses() {
        let contains = |network: &str, address: &str| {
            let network: Network = network.parse().expect("network");
            network.contains(address.parse().expect("address"))
        };
        assert!(contains("10.0.0.0/8", "10.200.1.2"));
        assert!(!contains("10.0.0.0/8", "11.0.0.1"));
        assert!(contains("127.0.0.1", "127.0.0.1") && !contains("127.0.0.1", "127.0.0.2"));
        assert!(contains("0.0.0.0/0", "8.8.8.8") && !contains("0.0.0.0/0", "::2"));
        assert!(contains("10.0.0.0/8", "::ffff:10.1.1.1"));
        assert!(contains("fd00::/8", "fdaa::1") && !contains("fd00::/8", "fe80::1"));
        assert!(contains("::/0", "::1"));
        for wrong in ["10.0.0.0/33", "10.0.0", "x", "::1/129", "10.0.0.0/-1"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
