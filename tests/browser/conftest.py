from tests.chromium import browser, open_alone

__all__ = ["browser", "open_alone"]
