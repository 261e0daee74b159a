"""A prompt with all that a translation could spoil, and a faithful German translation of it."""

from typing import Any

from ragset.llm.prompts import Prompt
from ragset.llm.replies import TranslatedText, Translation

SYSTEM = """Answer from the numbered passages in <chunk>, never from memory; the <shape> is comparison or bridge.

- The verdict is "answered", or "not_in_passages" if a part of it is missing.
- `quote` is copied to the letter; the answer is null if there is none.

Answer in JSON."""
USER = """Passages:
{% for chunk in chunks %}
<chunk n="{{ loop.index }}">
{{ chunk }}
</chunk>
{% endfor %}
<shape>{{ shape }}</shape>"""
FIELDS: dict[str, Any] = {
    "name": "answer_tea_query",
    "version": 4,
    "purpose": "An answer about tea.",
    "inputs": ["chunks", "shape"],
    "reply": "ContextAnswer",
    "examples": [
        {
            "inputs": {"chunks": ["Green tea turns bitter when the water is too hot.", "Black tea dose not."], "shape": "bridge"},
            "reply": {
                "reason": "Each passage names one tea.",
                "verdict": "answered",
                "answer": "Green tea does, black tea does not.",
                "quotes": [{"chunk": 1, "quote": "Green tea turns bitter"}, {"chunk": 2, "quote": "Black tea dose not."}],
            },
            "avoid": [
                {"quotes": [{"chunk": 2, "quote": "Black tea does not."}], "reason": "mends the spelling of the passage."}
            ],
        },
        {
            "inputs": {"chunks": ["El té verde es el más amargo de los que se toman en la casa."], "shape": "comparison"},
            "reply": {"reason": "Half of it is missing.", "verdict": "not_in_passages", "answer": None, "quotes": []},
        },
    ],
    "system": SYSTEM,
    "user": USER,
}  # fmt: skip
PROMPT = Prompt.model_validate(FIELDS)

GERMAN = {
    "An answer about tea.": "Eine Antwort über Tee.",
    "Green tea turns bitter when the water is too hot.": "Grüner Tee wird bitter, wenn das Wasser zu heiß ist.",
    "Black tea dose not.": "Schwarzer Tee nihct.",
    "Each passage names one tea.": "Jede Passage nennt einen Tee.",
    "Green tea does, black tea does not.": "Grüner Tee wird es, schwarzer nicht.",
    "Green tea turns bitter": "Grüner Tee wird bitter",
    "Black tea does not.": "Schwarzer Tee nicht.",
    "mends the spelling of the passage.": "bessert die Schreibung der Passage aus.",
    "Half of it is missing.": "Die Hälfte davon fehlt.",
    SYSTEM: """Antworte aus den nummerierten Passagen in <chunk>, nie aus dem Gedächtnis; <shape> ist comparison oder bridge.

- Das Urteil ist "answered", oder "not_in_passages", wenn ein Teil davon fehlt.
- `quote` ist auf den Buchstaben genau kopiert; die Antwort ist null, wenn es keine gibt.

Antworte in JSON.""",
    USER: USER.replace("Passages:", "Passagen:"),
}


def translation(**changed: str) -> Translation:
    """Of all texts, in the order in which a model is shown them; `changed` by number: `text_3="…"`."""
    from ragset.llm.prompts.translatable import wording

    texts = [GERMAN[text] for text in dict.fromkeys(wording(PROMPT).values())]
    said = [changed.get(f"text_{number}", text) for number, text in enumerate(texts, start=1)]
    return Translation(
        reason="Tee: tea.",
        texts=tuple(TranslatedText(number=number, text=text) for number, text in enumerate(said, start=1)),
    )
