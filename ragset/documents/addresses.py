"""Which internet addresses are public: decided here, since the answers of `ipaddress` change with Python's version."""

import ipaddress

_REFUSED_IPV4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private use
            "100.64.0.0/10",  # shared by a provider's customers
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local: the metadata of cloud machines
            "172.16.0.0/12",  # private use
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays of 6to4, withdrawn
            "192.168.0.0/16",  # private use
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")
"""The only block of IPv6 that is given out to hosts; loopback, mapped, unique local and link-local stand outside."""
_REFUSED_IPV6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments, with Teredo, benchmarking and ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, withdrawn: it can carry any IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""What a network without IPv4 calls an IPv4 host, whose address is the last 32 bits."""


def is_public(ip: str) -> bool:
    """Whether `ip` is a host on the public internet, by IANA's registries of special-purpose addresses."""
    address = ipaddress.ip_address(ip)
    if isinstance(address, ipaddress.IPv6Address):
        if address not in _NAT64:
            return address in _GLOBAL_IPV6 and not any(address in network for network in _REFUSED_IPV6)
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return not any(address in network for network in _REFUSED_IPV4)
