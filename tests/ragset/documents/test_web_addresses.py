"""The tables are IANA's registries of special-purpose addresses for IPv4 and IPv6, as of October 2025."""

from ipaddress import ip_network

import pytest

from ragset.documents.web import is_public

UNREACHABLE = (
    *("0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
    *("192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.170/32", "192.0.0.171/32", "192.0.2.0/24"),
    *("192.88.99.0/24", "192.88.99.2/32", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
    *("240.0.0.0/4", "255.255.255.255/32"),
    *("::1/128", "::/128", "::ffff:0:0/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/32"),
    *("2001:2::/48", "2001:10::/28", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10"),
)
"""Not globally reachable, or where the registry does not say (Teredo, 6to4, and what was withdrawn)."""
REACHABLE = ("192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2620:4f:8000::/48")
WITHOUT_PAGES = (
    *("192.0.0.9/32", "192.0.0.10/32"),
    *(
        "2001:1::1/128",
        "2001:1::2/128",
        "2001:1::3/128",
        "2001:3::/32",
        "2001:4:112::/48",
        "2001:20::/28",
        "2001:30::/28",
    ),
)
"""Globally reachable, and single services of protocols or identifiers, not web servers: refused with the block they are in."""


def ends(block: str) -> list[str]:
    network = ip_network(block)
    return [str(network[0]), str(network[network.num_addresses // 2]), str(network[-1])]


@pytest.mark.parametrize("block", [*UNREACHABLE, *WITHOUT_PAGES])
def test_special_addresses_are_not_public(block: str) -> None:
    assert [is_public(ip) for ip in ends(block)] == [False] * 3


@pytest.mark.parametrize("block", REACHABLE)
def test_special_addresses_of_public_services_are_public(block: str) -> None:
    assert [is_public(ip) for ip in ends(block)] == [True] * 3


@pytest.mark.parametrize(
    "ip",
    [
        *("224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1", "fec0::1"),  # multicast, and site-local of old
        *("::127.0.0.1", "::10.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1"),  # IPv4 in zeros
        *("64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b::192.0.0.1", "64:ff9b:1::8.8.8.8"),  # NAT64
        *("2002:7f00:1::", "2002:808:808::1"),  # 6to4
        "2001:0:4136:e378:8000:63bf:80ff:fffe",  # Teredo, client 127.0.0.1
        *("1fff:ffff::1", "4000::1"),  # on either side of what is given out
    ],
)
def test_addresses_that_carry_or_border_others_are_not_public(ip: str) -> None:
    assert not is_public(ip)


@pytest.mark.parametrize(
    "ip",
    [
        *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255"),
        *(
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
        ),
        *("2001:4860:4860::8888", "2606:4700:4700::1111", "2001:200::1", "2003::1", "2a00::1", "64:ff9b::8.8.8.8"),
    ],
)
def test_hosts_of_the_internet_are_public(ip: str) -> None:
    assert is_public(ip)
