import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ragset.retrieval.embedding.offline import OfflineEmbedder

embedder = OfflineEmbedder()

PINNED = [0.053634, 0.393212, -0.461356, -0.23459, 0.627114, 0.372137, -0.012681, 0.206658]


def similarity(one: str, other: str) -> float:
    first, second = embedder.embed([one, other])
    return float(first @ second)


def test_the_name_says_how_many_dimensions() -> None:
    assert OfflineEmbedder(64).name == "offline-64"


def test_vectors_are_float32_of_the_asked_size_and_length_one() -> None:
    vectors = OfflineEmbedder(64).embed(["green tea", "black coffee"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, 64)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)


def test_no_texts_give_no_vectors() -> None:
    assert embedder.embed([]).shape == (0, 512)


def test_a_text_shares_more_with_one_of_its_words_than_with_others() -> None:
    tea = "Green tea turns bitter above 80 degrees."
    assert similarity(tea, "Why does tea turn bitter?") > similarity(tea, "Which bridge spans the harbour?") + 0.1


def test_inflected_words_share_their_parts() -> None:
    assert similarity("fermentation", "fermentations") > 0.4 > similarity("fermentation", "lighthouse")


def test_words_in_another_order_are_near_but_not_the_same() -> None:
    # all single words are shared, their pairs are not
    assert 0.7 < similarity("dogs chase cats daily", "cats chase dogs daily") < 0.99


def test_function_words_alone_make_no_likeness() -> None:
    one, other = "the cat is on the mat by the door", "the dam is in the bay of the isle"
    assert similarity(one, other) < 0.5


def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    alone = embedder.embed(["green tea"])[0]
    among = embedder.embed(["coffee", "green tea", *("filler text" for _ in range(300))])[1]
    assert np.array_equal(alone, among)


def test_another_process_gives_the_same_vectors() -> None:
    program = (
        "from ragset.retrieval.embedding.offline import OfflineEmbedder; import hashlib;"
        "vectors = OfflineEmbedder().embed(['Grüner Tee', '???', '']);"
        "print(hashlib.sha256(vectors.tobytes()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(digests) == 1


def test_the_projection_is_the_one_that_indexes_on_disk_were_made_with() -> None:
    # Changing this changes every index: then the name must change too.
    vector = OfflineEmbedder(8).embed(["Green tea turns bitter."])[0]
    np.testing.assert_allclose(vector, PINNED, atol=1e-6)


def test_an_empty_text_and_a_text_of_symbols_have_vectors() -> None:
    vectors = embedder.embed(["", " \n", "*** --- ***", "🙂"])
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)


@given(st.lists(st.text(), max_size=5), st.sampled_from([2, 3, 64]))
def test_any_text_has_a_finite_vector_of_length_one(texts: list[str], dimensions: int) -> None:
    vectors = OfflineEmbedder(dimensions).embed(texts)
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
