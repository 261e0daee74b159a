import uuid
from pathlib import Path
from typing import Any

import pytest
from fsspec.core import url_to_fs
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.dataset.numbered import latest_version, next_version
from ragset.dataset.swap import replaced
from ragset.errors import InputError, StorageUnavailable
from ragset.storage import address_of, local_copy, send_changes, send_copy, with_addresses
from tests.homes import other_home

MEMORY: Any = url_to_fs("memory://", use_listings_cache=False)[0]  # the one that ragset uses
names = st.text("abcé ü-_", min_size=1, max_size=6).map(str.strip).filter(bool)
trees = st.dictionaries(
    st.lists(names, min_size=1, max_size=3).map("/".join), st.binary(max_size=40), min_size=1
).filter(lambda tree: not any(one != other and other.startswith(f"{one}/") for one in tree for other in tree))


def an_address() -> str:
    return f"memory://bucket-{uuid.uuid4().hex}/sets/demo"


def write(address: str, tree: dict[str, bytes]) -> Path:
    folder = local_copy(address, to_write=True)
    with replaced(folder, "mark") as new:
        for name, content in {**tree, "mark": b""}.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(content)
    return folder


def read(address: str) -> dict[str, bytes]:
    folder = local_copy(address)
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: content for name, content in found.items() if name != "mark"}


def uploaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files from now on, as they are uploaded."""
    sent: list[str] = []
    put = MEMORY.put_file

    def count(here: str, there: str, **options: Any) -> None:
        sent.append(there.rpartition("/")[2])
        put(here, there, **options)

    monkeypatch.setattr(MEMORY, "put_file", count)
    return sent


@settings(max_examples=8)
@given(trees, trees)
def test_another_machine_reads_what_was_written_last(first: dict[str, bytes], second: dict[str, bytes]) -> None:
    address = an_address()
    for tree in (first, second, first):
        with other_home():
            write(address, tree)
        with other_home():
            assert read(address) == tree
    # the version before stays for those who are reading it, and no other
    assert len(MEMORY.ls(address)) == 2 + (first != second)


@settings(max_examples=12)
@given(trees, trees, st.integers(0, 8))
def test_an_interrupted_upload_leaves_the_version_before_whole(
    first: dict[str, bytes], second: dict[str, bytes], after: int
) -> None:
    address, left = an_address(), after
    with other_home():
        write(address, first)
        with pytest.MonkeyPatch.context() as patch:
            for name in ("put_file", "cp_file", "pipe_file"):
                call = getattr(MEMORY, name)

                def fail(*arguments: Any, call: Any = call, **options: Any) -> Any:
                    nonlocal left
                    left -= "probe" not in str(arguments)
                    if left < 0:
                        raise TimeoutError
                    return call(*arguments, **options)

                patch.setattr(MEMORY, name, fail)
            try:
                write(address, second)
                finished = True
            except StorageUnavailable:
                finished = False
        with other_home():
            assert read(address) == (second if finished else first)
        write(address, second)  # the same command again
    with other_home():
        assert read(address) == second


def test_only_files_that_changed_are_uploaded_and_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    address = an_address()
    with other_home() as home:
        write(address, {"corpus": b"long", "goldens": b"one"})
        sent = uploaded(monkeypatch)
        folder = write(address, {"corpus": b"long", "goldens": b"two"})
        assert sent == ["goldens"]
        assert (folder / "corpus").read_bytes() == b"long"
    with other_home():
        write(address, {"corpus": b"long", "goldens": b"three"})
    with home():
        got: list[str] = []
        get = MEMORY.get_file

        def count(there: str, here: str) -> None:
            got.append(there)
            get(there, here)

        monkeypatch.setattr(MEMORY, "get_file", count)
        assert read(address) == {"corpus": b"long", "goldens": b"three"}
        assert [name.rpartition("/")[2] for name in got] == ["goldens"]
        read(address)
        assert len(got) == 1


def test_judgements_that_are_added_to_a_copy_are_sent_with_it_and_replace_no_others() -> None:
    address = an_address()
    with other_home() as home:
        write(address, {"goldens": b"one"})
        (local_copy(address) / "reviews").write_bytes(b"good")
        send_changes()
    with other_home():
        assert read(address) == {"goldens": b"one", "reviews": b"good"}
        (local_copy(address) / "reviews").write_bytes(b"bad")
        send_changes()
    with home():
        (local_copy(address) / "reviews").write_bytes(b"unsure")
        with other_home():
            (local_copy(address) / "reviews").write_bytes(b"good again")
            send_changes()
        with pytest.raises(InputError, match="was changed there meanwhile; your changes are in"):
            send_changes()
        with pytest.raises(InputError, match="was changed there, and its copy"):
            local_copy(address)
        assert b"unsure" in [file.read_bytes() for file in home.path.rglob("reviews")]


def test_a_folder_that_others_put_there_is_read_as_it_stands_and_never_replaced() -> None:
    address = an_address()
    MEMORY.pipe(
        {f"{address}/a.txt": b"a", f"{address}/deep/b.txt": b"b", f"{address}/.hidden": b"", f"{address}.txt": b"c"}
    )
    with other_home():
        assert read(address) == {"a.txt": b"a", "deep/b.txt": b"b"}
        MEMORY.pipe({f"{address}/deep/b.txt": b"changed"})
        MEMORY.rm_file(f"{address}/a.txt")
        assert read(address) == {"deep/b.txt": b"changed"}
        assert local_copy(f"{address}.txt").read_bytes() == b"c"
        with pytest.raises(InputError, match="holds something that ragset did not write there"):
            write(address, {"goldens": b""})
    assert MEMORY.cat_file(f"{address}/deep/b.txt") == b"changed"


def test_a_single_file_is_sent_and_may_be_replaced() -> None:
    address = f"{an_address()}.csv"
    for content in ("first", "second"):
        with other_home():
            file = local_copy(address, to_write=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
            send_copy(file)
        with other_home():
            assert local_copy(address).read_text() == content
            with pytest.raises(InputError, match="is a file"), replaced(local_copy(address, to_write=True), "mark"):
                pass


def test_a_key_in_an_address_is_refused_and_not_repeated() -> None:
    with other_home(), pytest.raises(InputError, match="names a user or a password") as refused:
        local_copy("s3://key:secret@bucket/a")
    assert "secret" not in str(refused.value)


def test_what_is_not_there_or_damaged_is_said() -> None:
    address = an_address()
    with other_home(), pytest.raises(InputError, match=f"{address}: there is no such file or folder"):
        local_copy(address)
    with other_home():
        write(address, {"goldens": b"one"})
    place = next(name for name in MEMORY.find(address) if name.endswith("/goldens"))
    MEMORY.pipe_file(place, b"two")
    with other_home(), pytest.raises(InputError, match="goldens: is damaged"):
        local_copy(address)


@pytest.mark.parametrize(
    "place",
    ["s3://bucket/../other", "file:///etc/passwd", "https://example.org/x", "zip://a::s3://bucket/b", "s3://bucket//a"],
)
def test_what_is_no_address_of_a_folder_is_refused(place: str) -> None:
    with other_home(), pytest.raises(InputError, match=r"is a web page|is no address"):
        local_copy(place)


def test_a_missing_package_is_named_with_its_installation() -> None:
    with other_home(), pytest.raises(InputError, match=r"gs://bucket/a: needs a package: .*gcsfs"):
        local_copy("gs://bucket/a")


@settings(max_examples=10)
@given(st.lists(names.map(lambda name: name.replace(" ", "")), min_size=1, max_size=4))
def test_the_path_of_a_copy_says_its_address(parts: list[str]) -> None:
    with other_home():
        address = f"memory://{'/'.join(parts)}"
        MEMORY.pipe_file(f"{address}/file", b"")
        path = local_copy(address)
        assert path.name == parts[-1]
        assert address_of(path) == address
        assert address_of(path / "report.html") == f"{address}/report.html"
        assert with_addresses(f"see {path}/x, and out/x") == f"see {address}/x, and out/x"


def test_a_path_is_left_alone(tmp_path: Path) -> None:
    with other_home():
        assert local_copy(tmp_path) == tmp_path
        send_copy(tmp_path)
        assert address_of(tmp_path) is None


def test_versions_beside_a_dataset_are_found() -> None:
    address = an_address()
    with other_home():
        for name in (address, f"{address}-v2", f"{address}-v7"):
            write(name, {"manifest.json": b"{}"})
    MEMORY.pipe_file(f"{address}-v9/foreign", b"")
    for name in (address, f"{address}-v2"):
        with other_home():
            folder = local_copy(name)
            assert address_of(latest_version(folder)) == f"{address}-v7"
            assert address_of(next_version(folder)) == f"{address}-v8"
