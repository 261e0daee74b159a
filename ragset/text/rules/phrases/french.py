"""Wordings with which a query in French leans on a text that its reader does not see."""

from ragset.text.rules.phrases.compiled import compiled

FRENCH = compiled(
    [
        r"(?:\b(?:selon|d['’]après|suivant|conformément à|sur la base de) )(?:le |la |l['’]|les |ce |cet |cette |ces )"
        r"(?:texte|passage|extrait|paragraphe|article|document|auteure?s?|autrice|étude|rapport|chapitre|section|tableau)\b"
        r"(?! (?:de|du|des|d['’]|sur|par|\d|(?-i:[A-ZÉÈÀ])))(?! d['’])",
        r"\bdans (?:le|ce|l['’]|cet) ?(?:texte|passage|extrait|paragraphe)\b(?! (?:de|du|des)\b)(?! d['’])",
        r"\bdans (?:ce|cet|cette) (?:article|document|étude|rapport|chapitre|section|tableau|figure|livre)\b",
        r"\b(?:du|de ce|de cet) (?:texte|passage|extrait|paragraphe)(?=\s*[?,.;]|\s*$)",
        r"\b(?:mentionné|décrit|cité|évoqué|présenté|indiqué|énoncé|abordé|traité)e?s? "
        r"(?:ci-dessus|ici|plus haut|ci-dessous|précédemment|dans le texte|dans le passage)\b",
        r"\b(?:susmentionné|susdit|précité)e?s?\b",
        r"\b(?:ci-dessus|ci-dessous)\b",
        r"\b(?:dit|affirme|explique|mentionne|décrit|soutient|indique|conclut|pense|apprend|révèle|suggère|raconte) (?:le |la |l['’]|ce |cet |cette )"
        r"(?:texte|passage|auteure?|autrice|extrait|article|document)\b(?! (?:de|du|des|\d+)\b)(?! d['’])",
        r"(?:\b(?:le|ce) (?:texte|passage|extrait)|\bl['’](?:auteure?|autrice|extrait|article)) "
        r"(?:dit|affirme|explique|mentionne|décrit|soutient|indique|conclut|parle|pense)",
        r"\bl['’](?:auteure?|autrice|article|extrait) ?(?:dit|affirme|explique|mentionne|décrit)?-t-(?:il|elle)\b",
        r"\b(?:le texte|le passage|ce texte|ce passage|cet article|cette étude)\b(?! (?:de|du|des)\b| d['’])[^?]*-t-(?:il|elle)\b",
        r"\b(?:période|époque|sujet|cas|processus|méthode)s? (?:mentionné|décrit|évoqué|en question|abordé)e?s?(?=\s*[?,.;]|\s*$)",
        r"\b(?:figure|tableau|équation|graphique) \d+\b(?! (?:de|du)\b)",
        r"^(?:pourquoi|comment|quand|où|qui|que|qu['’]|quel est|quelle est) ?(?:est|a|fait|fut|était|avait|fit|dit|peut|doit|va)"
        r"-(?:t-)?(?:il|elle|ils|elles|ce)\b"
        r"(?<!est-ce)(?! (?:qu['’]|(?:que|possible|important|nécessaire|arrivé|interdit|permis|de|froid|chaud"
        r"|beau|nuit|jour|plus|si|mieux|préférable)\b))",
        r"^(?:pourquoi|comment|quand|où|en quelle année|depuis quand) (?:(?:cela|ceci|ça)\b|(?:ce|cet|cette|ces) "
        r"(?!(?:qui|que|année|mois|semaine|siècle|saison|été|hiver|monde)\b))",
        r"^qu['’]est-ce que (?:cela|ceci|ça)(?: [\w'’]+)?(?=\s*\?*\s*$)",
        r"\b(?:laquelle|lequel|lesquels|lesquelles|une|un|toutes|aucune) des (?:[\w-]+ )?(?:suivant|précédent)e?s\b",
        r"\b(?:est|sont|a été|ont été|était|étaient|fut|furent) (?:mentionné|cité|évoqué|décrit|abordé|énuméré)e?s?(?=\s*\?*\s*$)",
        r"\b(?:de l['’](?:étude|article|enquête|expérience|auteure?|autrice)|du (?:document|rapport|chapitre)"
        r"|dans (?:l['’](?:étude|article|enquête|expérience)|le (?:document|rapport|chapitre)))(?=\s*[?.!]*\s*$)",
        r"\b(?:ce|cet|cette) (?:article|document|rapport|chapitre|texte|passage|extrait|paragraphe)\b(?! (?:de|du|des|qui|que)\b)",
        r"^que (?:s['’]est-il passé|se passe-t-il|se passa-t-il) (?:ensuite|après|alors|par la suite)(?=\s*\?*\s*$)",
        r"\b(?:selon|d['’]après|sur la base|à partir|en utilisant|compte tenu) (?:des?|les|le|l['’]) ?"
        r"(?:informations?|données|contexte|éléments|détails|exemples) (?:fourni|donné|présenté|disponible|indiqué|ci-)\w*",
        r"^(?:pourquoi|comment|quand|où|à quoi|quel\w* [\w'’]+) (?:\w+ )?\w+ (?:ce|cet|cette|ces) "
        r"(?!(?:qui|que|année|mois|semaine|siècle|saison|été|hiver|monde|jour|jours|soir|matin)\b|qu['’])",
        r"^(?:pourquoi|comment|quand|où|quel est|quelle est|quels sont|quelles sont) (?:son|sa|ses|leur|leurs) "
        r"(?!(?:majesté|sainteté|altesse|excellence)\b)",
        r"^quel\w* [\w'’]+ (?:cela|ceci|ça)\b",
        r"\bl['’](?:auteure?|autrice|narrateur|narratrice)\b(?! (?:de|du|des)\b| d['’]| (?-i:[A-ZÉÈ]))[^?]*-(?:t-)?(?:il|elle)\b",
    ]
)  # fmt: skip
