"""What marks text that is not content, in English, Spanish, German and French: patterns and word lists."""

import re

LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,300})\]\([ \t]*(?:https?://|www\.|/|#|mailto:)[^\s()]{0,500}\)"
    r"|<?https?://[^\s<>()\[\]]+>?|(?<![\w@.])www\.[^\s<>()\[\]]+",
    re.IGNORECASE,
)
"""An address, or a link in Markdown with its text."""
ANCHOR = re.compile(r"(?:[-*+]|\d+[.)])?\s*\[[^\[\]]+\]\(#[^()]*\)")
"""A whole line that is a link into its own page."""

CONTENTS_HEADING = re.compile(
    r"#*\s*(?:table of contents|contents|on this page|índice(?: general)?|contenidos?|tabla de contenidos?"
    r"|inhalt(?:sverzeichnis|sübersicht)?|auf dieser seite|sommaire|table des matières)\s*:?\s*",
    re.IGNORECASE,
)
CONTENTS_ENTRY = re.compile(r"(?<!\.)(?<!\.[ \t])(?<!…)(?:(?:\.[ \t]?){3,}+|…++)[ \t]*+(\d{1,4})\b")
"""Leader dots and a page number."""
NUMBERED_ENTRY = re.compile(
    r"(?P<number>(?:chapter|part|appendix|section|kapitel|teil|anhang|capítulo|parte|anexo|chapitre|partie|annexe)"
    r" (?:\d{1,3}|[IVXL]{1,6}|[A-H])|\d{1,2}(?:\.\d{1,2}){0,3})[.:)]?\s++[^\s\d|][^\n|]*?\s(?P<page>\d{1,4})",
    re.IGNORECASE,
)
"""A whole line: a section number, a title, a page number."""

REFERENCES_HEADING = re.compile(
    r"#*\s*(?:\d+\.?\s+)?(?:references|bibliography|works cited|literature cited|further reading|notes and references"
    r"|referencias|bibliografía|literatur(?:verzeichnis)?|quellenverzeichnis|einzelnachweise"
    r"|références|bibliographie|notes et références)\s*:?\s*",
    re.IGNORECASE,
)
CITATION_MARKS = {
    "year": re.compile(r"(?<![\d.,€$£-])(?:1[6-9]|20)\d\d[a-f]?(?![\d%])"),
    "initial": re.compile(
        r"(?<![^\W\d_])[^\W\d_]{2,}+, (?:[A-ZÀ-Þ]\.[ -]?){1,3}|(?<![\w.])(?:[A-ZÀ-Þ]\. ?){1,3}[A-ZÀ-Þ][^\W\d_]{2,}(?=[,;&.])"
    ),
    "pages": re.compile(r"\b(?:pp?|S)\. ?\d+|(?<![\d-])\d{1,4}[–-]\d{1,4}(?![\d-])"),
    "volume": re.compile(r"\b(?:vol|no|nr|núm|bd|t)\. ?\d+|\b\d{1,4} ?\(\d{1,3}\)", re.IGNORECASE),
    "identifier": re.compile(r"\bdoi\b|\barxiv\b|\bisbn\b|\bissn\b|\bpmid\b|\b10\.\d{4,9}/", re.IGNORECASE),
    "link": LINK,
    "retrieved": re.compile(
        r"\b(?:retrieved|archived|accessed|abgerufen|archiviert|consultado|archivado|consulté|archivé)\b",
        re.IGNORECASE,
    ),
    "publisher": re.compile(
        r"\b(?:et al|in press|ibid|eds?|hrsg|Press|Journal|Proceedings|Proc|Verlag|Editorial|Éditions|Publishers?|Springer"
        r"|Elsevier|Wiley|Routledge|Transactions|Trans|Conference|Dissertation|Thesis)\b(?=[.,:;) ])"
    ),
    "number": re.compile(r"^\s*(?:\[\d{1,3}\]|\^|\d{1,3}\.\s(?=[^\W\d_]{2,}, [A-ZÀ-Þ]\.))", re.MULTILINE),
}
"""What a reference is made of; prose has some of these, thinly."""

_STOCK = (
    # What only the page itself says.
    r"we(?: and our partners)? use cookies|(?:web)?site uses cookies|accept (?:all )?cookies|manage cookies|cookie settings",
    r"all rights reserved|skip to (?:main )?content|back to top|subscribe to our newsletter|sign up for our newsletter",
    r"leave a (?:comment|reply)|follow us on|share (?:this )?on (?:facebook|twitter|x|linkedin)|click here to",
    r"permission is hereby granted, free of charge|provided [\"“]as is|redistribution and use in source and binary forms",
    r"licensed under the|no part of this (?:publication|book|document) may be reproduced|cataloging-in-publication",
    r"if you are not the intended recipient|intended solely for the",
    r"(?:utilizamos|usamos) cookies|este sitio (?:web )?utiliza cookies|aceptar (?:todas )?(?:las )?cookies",
    r"todos los derechos reservados|saltar al contenido|suscríbete a nuestro boletín|síguenos en|deja un comentario",
    r"wir verwenden cookies|(?:web)?seite verwendet cookies|(?:alle )?cookies akzeptieren|cookie-einstellungen",
    r"alle rechte vorbehalten|zum inhalt springen|newsletter abonnieren|folgen sie uns",
    r"nous utilisons des cookies|ce site utilise des cookies|accepter (?:tous )?les cookies|tous droits réservés",
    r"aller au contenu|abonnez-vous à notre|suivez-nous sur|laisser un commentaire",
)
_MENU = (
    # What stands in menus and imprints, and in prose as well.
    r"privacy (?:policy|notice)|cookie policy|terms (?:of (?:use|service)|and conditions)|sign (?:in|up)|log ?in|log ?out",
    r"home|register|search|menu|subscribe|newsletter|share|tweet|read more|contact(?: us)?|about(?: us)?|faq|help|careers",
    r"site ?map|related (?:articles|posts)|previous|next|advertisement|print|copyright|isbn|printed in|first published",
    r"creative commons|written permission|facebook|twitter|instagram|linkedin|youtube|imprint|download pdf",
    r"política de (?:privacidad|cookies)|aviso legal|iniciar sesión|inicio|contacto|leer más|compartir|buscar|siguiente",
    r"anterior|condiciones de uso|derechos de autor|startseite|kontakt|impressum|datenschutz(?:erklärung)?|anmelden",
    r"registrieren|suche|weiterlesen|teilen|nutzungsbedingungen|agb|accueil|se connecter|s['’]inscrire|rechercher",
    r"lire la suite|partager|mentions légales|conditions d['’]utilisation|politique de (?:confidentialité|cookies)",
)
STOCK_PHRASE = re.compile(rf"\b(?:{'|'.join(_STOCK)})\b|©|\(c\) (?:19|20)\d\d", re.IGNORECASE)
"""What pages, imprints and licences say of themselves."""
MENU_WORD = re.compile(rf"\b(?:{'|'.join(_MENU)})\b", re.IGNORECASE)
"""What menus and imprints consist of, and prose contains as well."""

FUNCTION_WORDS = frozenset(
    """
    the a an of to in and is was are were be been it its that this these those with for on as by at from or but not
    which who when where while had has have he she they his her their we you i can will would may into than then so if
    there after before between more most also only about over such no other some one two

    el la los las un una unos unas de del al y o en es son fue eran era que se su sus con por para como más pero no lo
    le cuando donde está han ha hay sobre entre muy ya también

    der die das den dem des ein eine einer eines einem einen und oder ist sind war waren im in zu zum zur mit von vom
    auf für als auch nicht sich es er sie wird werden wurde wurden hat haben bei nach aus dass so wie nur noch über
    durch an am

    le les une des du et ou est sont était étaient dans qui que il elle ils elles ce cette ces son sa ses au aux avec
    pour par sur pas plus ne se on mais comme a été ont où leur leurs
    """.split()  # noqa: SIM905 (read as text)
)
"""The small words that prose is held together by, and lists are not."""
