//! Values of configuration keys: durations, sizes, networks.

use std::{net::IpAddr, str::FromStr, time::Duration};

/// An address or a range of them: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    /// Whether an address lies in it; an IPv4 address in IPv6 clothes is the IPv4 address.
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

/// `30` (seconds), `30s`, `5m`, `12h`, `30d`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "" | "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    number.checked_mul(seconds).map(Duration::from_secs)
}

/// `1048576` (bytes), `512KiB`, `1MiB`.
pub(super) fn size(text: &str) -> Option<usize> {
    let (number, unit) = number_and_unit(text)?;
    let bytes = match unit {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    usize::try_from(number.checked_mul(bytes)?).ok()
}

fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_units() {
        for (text, seconds) in [
            ("30", 30),
            ("30s", 30),
            ("5m", 300),
            ("12h", 43_200),
            ("30 d", 2_592_000),
        ] {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in [
            "",
            "s",
            "-1",
            "1.5h",
            "1w",
            "99999999999999999999",
            "9999999999999999999d",
        ] {
            assert_eq!(duration(text), None, "{text}");
        }
        assert_eq!(size("1MiB"), Some(1_048_576));
        assert_eq!(size("512KiB"), Some(524_288));
        assert_eq!(size("10"), Some(10));
        assert_eq!(size("1MB"), None);
    }

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
