//! Whose addresses are counted together.

use std::net::{IpAddr, Ipv6Addr};

/// The addresses of one subscriber: an IPv4 address, or a /64 of IPv6.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        v4 => v4,
    }
}
