"""Which internet addresses are public: decided here, since the answers of `ipaddress` change with Python's version."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# This network, private use, shared by a provider's customers, loopback, link-local (the metadata of cloud machines).
_INTERNAL = "0.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16"
# Protocol assignments, documentation, benchmarking, relays of 6to4, multicast, reserved and broadcast.
_SPECIAL = (
    "192.0.0.0/24 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 198.18.0.0/15 192.88.99.0/24 224.0.0.0/4 240.0.0.0/4"
)
_REFUSED_IPV4 = [IPv4Network(block) for block in f"{_INTERNAL} {_SPECIAL}".split()]
_GLOBAL_IPV6 = IPv6Network("2000::/3")
"""The only block of IPv6 that is given out to hosts; loopback, mapped, unique local and link-local stand outside."""
_REFUSED_IPV6 = [IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]
"""Protocol assignments, documentation, and 6to4, which can carry any IPv4 address."""
_NAT64 = IPv6Network("64:ff9b::/96")
"""What a network without IPv4 calls an IPv4 host, whose address is the last 32 bits."""


def is_public(ip: str) -> bool:
    """Whether `ip` is a host on the public internet, by IANA's registries of special-purpose addresses."""
    address = ip_address(ip)
    if isinstance(address, IPv6Address):
        if address not in _NAT64:
            return address in _GLOBAL_IPV6 and not any(address in network for network in _REFUSED_IPV6)
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    return not any(address in network for network in _REFUSED_IPV4)
