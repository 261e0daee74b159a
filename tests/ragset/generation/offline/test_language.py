import pytest

from ragset.generation.offline.language import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The clock of the tower was built by a smith in the town.", "en"),
        ("El reloj de la torre fue construido por un herrero de la ciudad.", "es"),
        ("Die Uhr wurde von einem Schmied für den Turm der Stadt gebaut.", "de"),
        ("Une horloge est une machine qui mesure le temps dans la ville.", "fr"),
        ("漢字の時計", None),
        ("", None),
    ],
)
def test_the_small_words_tell_the_language(text: str, language: str | None) -> None:
    assert guess_language(text) == language
