import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.documents.cleaning import cut_references

BODY = "# Clocks\n\nA clock tells the time."
ENTRIES = "- Huygens, C. (1673). Horologium. Paris.\n- Landes, D. (1983). Revolution in Time."


@pytest.mark.parametrize(
    "heading",
    [
        "## References",
        "### Bibliography ###",
        "== References ==",
        "===External links===",
        "References\n==========",
        "Works cited\n---",
        "**References**",
        "**Further reading:**",
        "References",
        "REFERENCES:",
        "## 7 References",
        "## 7. References",
        "12. Bibliography",
        "## Referencias",
        "## Enlaces externos",
        "## Bibliografía",
        "## Literaturverzeichnis",
        "## Einzelnachweise",
        "## Références",
        "## Voir aussi",
        "## Sources",
        "## Notes and references",
        "## Obras citadas",
        "## Fuentes consultadas",
        "## Lecturas recomendadas",
        "Fuentes",
        "## Quellenverzeichnis",
        "## Weiterführende Literatur",
        "Anmerkungen und Einzelnachweise",
        "Literatur",
        "## Bibliographie",
        "## Pour aller plus loin",
        "## Articles connexes",
        "Ouvrages cités",
    ],
)
def test_a_section_of_references_at_the_end_is_cut(heading: str) -> None:
    assert cut_references(f"{BODY}\n\n{heading}\n\n{ENTRIES}").strip() == BODY


def test_several_such_sections_are_cut_together() -> None:
    text = (
        f"{BODY}\n\n## See also\n\n- Sundial\n\n## References\n\n{ENTRIES}\n\n## External links\n\n- https://a.example"
    )
    assert cut_references(text).strip() == BODY


def test_what_divides_the_references_goes_with_them() -> None:
    text = f"{BODY}\n\n## References\n\n### Books\n\n{ENTRIES}\n\n### Papers\n\n- Essen (1955). Nature."
    assert cut_references(text).strip() == BODY


def test_references_in_the_middle_stay() -> None:
    text = f"# Clocks\n\n## References\n\n{ENTRIES}\n\n## Use\n\nA clock tells the time."
    assert cut_references(text) == text


def test_a_plain_title_over_prose_is_no_list_of_works() -> None:
    text = f"{BODY}\n\nSources\n\nThe river springs from two lakes, and it is fed by rain that falls on the hills."
    assert cut_references(text) == text


@pytest.mark.parametrize("heading", ["## Notes", "## Sources", "## Citations"])
def test_a_title_that_may_head_anything_is_cut_over_a_list_alone(heading: str) -> None:
    text = f"{BODY}\n\n{heading}\n\nWind the clock on Sundays, and never turn its hands backwards."
    assert cut_references(text) == text


def test_a_document_that_is_nothing_but_references_is_kept() -> None:
    text = f"## References\n\n{ENTRIES}"
    assert cut_references(text) == text


def test_a_sentence_about_references_is_no_heading() -> None:
    text = f"{BODY}\n\nReferences to clocks are found in Dante, and the oldest of them is of 1321, as some hold."
    assert cut_references(text) == text


def test_what_wikis_leave_between_the_words_goes() -> None:
    text = "Clocks[1][note 2] tell[citation needed] time. [edit]\nMore{{cn|date=May}} words[a]."
    assert cut_references(text) == "Clocks tell time.\nMore words."
    text = '| **UK[3]** | 12[4] (1999)[5][6] | it is "so".[7] And<br>{{cite web|url=https://a.example}} on'
    assert cut_references(text) == '| **UK** | 12 (1999) | it is "so". And<br> on'


@pytest.mark.parametrize(
    "text",
    [
        "Write `args[0]` and ``rows[12]``, never `a[i]`.",
        "```python\npressure = registers[1] / 10\nprint(rows[2])\n```\nThat reads it.",
        "~~~\nhello {{cn|date=May}}\n~~~",
        "row[1] = a[12] + b[3]",
        "take matrix[0][2], x[i], y[5] and names[0]",
        "self.parts[2].close()",
        "Hello {{ name }}, {{user.name|upper}}: {{ .Values.image.tag }}",
    ],
)
def test_code_and_templates_of_programs_stay(text: str) -> None:
    assert cut_references(text) == text


def test_links_and_tasks_of_markdown_are_no_leftovers() -> None:
    text = "See [1](https://a.example), [a]: https://b.example and\n- [x] done"
    assert cut_references(text) == text


@given(st.text(st.sampled_from("ab #=-*\n[]1."), max_size=120))
def test_what_is_left_is_the_beginning_of_the_text_without_leftovers(text: str) -> None:
    kept = cut_references(text)
    whole = cut_references(f"{text}\n\nThe very last sentence, which heads nothing at all.")
    assert whole.startswith(kept.rstrip("\n"))


@pytest.mark.parametrize(
    ("heading", "prose"),
    [
        ("Fuentes", "El río nace de dos fuentes y lo alimenta la lluvia que cae en las colinas."),
        ("Anmerkungen", "Der Fluss entspringt zwei Seen, und der Regen auf den Hügeln speist ihn."),
        ("Pour aller plus loin", "La rivière naît de deux lacs et la pluie des collines la nourrit."),
    ],
)
def test_a_title_of_another_language_over_prose_is_no_list_of_works(heading: str, prose: str) -> None:
    text = f"{BODY}\n\n## {heading}\n\n{prose}"
    assert cut_references(text) == text


@pytest.mark.parametrize(
    "mark",
    [
        "[edit]",
        "[editar · editar código]",
        "[Bearbeiten | Quelltext bearbeiten]",
        "[modifier | modifier le code]",
        "[réf. nécessaire]",
        "[cita requerida]",
    ],
)
def test_what_wikis_of_other_languages_leave_between_the_words_goes(mark: str) -> None:
    assert cut_references(f"A clock tells the time {mark} by day.") == "A clock tells the time by day."
