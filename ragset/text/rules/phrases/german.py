"""Wordings with which a query in German leans on a text that its reader does not see."""

from ragset.text.rules.phrases.compiled import compiled

_WH = (
    r"(?:(?:in|an|aus|zu|mit|seit) )?(?:warum|wieso|weshalb|wie|wie lange|wie oft|wie viele|wann|wo|woher|wohin|was|wer|wen|wem"
    r"|womit|wodurch|wofür|welche[rsmn]? \w+)"
)
_AUX = (
    r"(?:ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|konnte|muss|soll|tat|tut|macht|machte"
    r"|bedeutet|funktioniert|wirkt|geschah|starb|schrieb|begann|endete|verließ|ging|kam|nutzt|verwendet)"
)
GERMAN = compiled(
    [
        r"\b(?:laut|gemäß|nach|entsprechend|zufolge|basierend auf|anhand) (?:dem|der|den|diesem|dieser|des|vorliegendem) "
        r"(?:vorliegenden |obigen |gegebenen |folgenden )?(?:text|textes|textstelle|passage|abschnitts?|textabschnitt|absatz"
        r"|artikel|dokuments?|autor|autorin|autoren|verfasser|studie|bericht|kapitel|auszug|tabelle|abbildung)\b"
        r"(?! (?:von|des|der|vom|zu|zur|zum|über|\d|(?-i:[A-ZÄÖÜ])))",
        r"\b(?:im|aus dem|in dem|in diesem|aus diesem) (?:vorliegenden |obigen |gegebenen |folgenden )?"
        r"(?:text|textauszug|textabschnitt|absatz|auszug|abschnitt)\b(?! (?:von|des|der|vom|(?-i:[A-ZÄÖÜ])|\d))",
        r"\bin (?:der|dieser) (?:textstelle|textpassage|passage)\b(?! (?:von|des|der|zwischen|nach)\b)",
        r"\bin (?:diesem|dieser) (?:artikel|dokument|studie|bericht|kapitel|buch|tabelle|abbildung|beitrag)\b",
        r"\b(?:oben|hier|zuvor|vorher|weiter oben|im text|im folgenden|unten) (?:genannt|erwähnt|beschrieben|besprochen|aufgeführt"
        r"|dargestellt|angegeben|behandelt)\w*",
        r"\b(?:obengenannt|obenerwähnt|vorgenannt|besagt)e[nrsm]?\b",
        r"\b(?:sagt|beschreibt|erwähnt|behauptet|erklärt|meint|nennt|schreibt|argumentiert) "
        r"(?:der|die|das|dieser|diese|dieses) (?:text|autor|autorin|verfasser|verfasserin|passage|artikel|abschnitt|dokument)\b"
        r"(?! (?:von|des|der|(?-i:[A-ZÄÖÜ])))",
        r"\b(?:der|die|das) (?:obige|folgende|vorliegende|vorstehende|gegebene)n? "
        r"(?:text|passage|abschnitt|absatz|artikel|dokument|tabelle|abbildung)\b",
        r"\bdes (?:textes|abschnitts|absatzes|auszugs|autors|verfassers)(?=\s*[?,.;]|\s*$)",
        r"\b(?:im|in dem) (?:besprochenen|genannten|beschriebenen|behandelten|erwähnten) \w+",
        r"\b(?:wird|werden|wurde|wurden) (?:erwähnt|genannt|beschrieben|besprochen|thematisiert)(?=\s*\?*\s*$)",
        r"\b(?:abbildung|abb\.|tabelle|tab\.|gleichung) ?\d+\b(?! (?:der|des|in der|im|von)\b)",
        rf"^{_WH} {_AUX} (?:(?-i:er|sie|ihn|ihm|ihnen|sein|seine|seinen|ihr|ihre|ihren)\b|dies(?:e[rsmn]?)?\b"
        r"(?! (?:jahr|woche|monat|tage|jahrzehnt|jahrhundert|sommer|winter|saison|welt)))",
        rf"^{_WH} (?:ist|war|bedeutet|heißt) (?:das|dies|es)(?=\s*\?*\s*$)",
        r"\b(?:dem|der|diesem|dieser|den) (?:text|textabschnitt|passage|abschnitt|absatz|artikel|dokument|autor|autorin|autoren"
        r"|verfasser|verfasserin|studie|bericht|kapitel|auszug|tabelle) (?:zufolge|nach)\b",
        r"\bder (?:folgenden|obigen|vorstehenden|genannten) (?:aussagen|optionen|antworten|möglichkeiten|sätze|begriffe|punkte"
        r"|behauptungen|wörter)\b",
        r"\b(?:des|der|im|in der|aus der|aus dem) (?:artikels?|dokuments?|berichts?|studie|experiments?|umfrage|kapitels?"
        r"|aufsatzes|beitrags|textes|tabelle|abbildung)(?=(?: zusammen)?\s*[?.!]*\s*$)",
        r"^was (?:passiert|passierte|geschieht|geschah|kommt|kam|folgt|folgte) (?:als nächstes|danach|dann|anschließend)"
        r"(?=\s*\?*\s*$)",
        r"\b(?:basierend auf|anhand|ausgehend von|auf (?:der )?grundlage|nach|laut|mithilfe) (?:der|den|dem) "
        r"(?:gegebenen|angegebenen|obigen|vorliegenden|bereitgestellten|gemachten) (?:informationen|angaben|daten|kontext\w*"
        r"|einzelheiten|beispielen?)\b",
        r"^(?:welche[rsmn]? \w+|was|wen|wie|warum|wozu) \w+ (?:dies|das)(?=\s*\?*\s*$)",
        r"\b(?:der (?:verfasser|autor|erzähler)|die (?:verfasserin|autorin|erzählerin))"
        r"(?= (?:an|aus|damit|hier|vor|dar)\b|\s*[?.]*\s*$)",
    ]
)  # fmt: skip
