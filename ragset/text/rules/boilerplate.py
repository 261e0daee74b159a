"""What marks text that is not content, in English, Spanish, German and French: patterns and word lists."""

import re
from itertools import chain

LANGUAGES = ("en", "es", "de", "fr")

LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,300})\]\([ \t]*(?:https?://|www\.|/|#|mailto:)[^\s()]{0,500}\)"
    r"|<?https?://[^\s<>()\[\]]+>?|(?<![\w@.])www\.[^\s<>()\[\]]+",
    re.IGNORECASE,
)
"""An address, or a link in Markdown with its text."""
ANCHOR = re.compile(r"(?:[-*+]|\d+[.)])?\s*\[[^\[\]]+\]\(#[^()]*\)")
"""A whole line that is a link into its own page."""

_CONTENTS = {
    "en": r"table of contents|contents|on this page",
    "es": r"índice(?: general| de contenidos?)?|contenidos?|tabla de contenidos?|en esta página|sumario",
    "de": r"inhalt(?:sverzeichnis|sübersicht)?|auf dieser seite",
    "fr": r"sommaire|table des matières|sur cette page",
}
CONTENTS_HEADING = re.compile(rf"#*\s*(?:{'|'.join(_CONTENTS.values())})\s*:?\s*", re.IGNORECASE)
CONTENTS_ENTRY = re.compile(r"(?<!\.)(?<!\.[ \t])(?<!…)(?:(?:\.[ \t]?){3,}+|…++)[ \t]*+(\d{1,4})\b")
"""Leader dots and a page number."""
_DIVISIONS = {
    "en": r"chapter|part|appendix|section",
    "es": r"capítulo|parte|anexo|apéndice|sección|apartado|tema",
    "de": r"kapitel|teil|anhang|abschnitt",
    "fr": r"chapitre|partie|annexe|section",
}
NUMBERED_ENTRY = re.compile(
    rf"(?P<number>(?:{'|'.join(_DIVISIONS.values())})"
    r" (?:\d{1,3}|[IVXL]{1,6}|[A-H])|\d{1,2}(?:\.\d{1,2}){0,3})[.:)]?\s++[^\s\d|][^\n|]*?\s(?P<page>\d{1,4})",
    re.IGNORECASE,
)
"""A whole line: a section number, a title, a page number."""

_REFERENCES = {
    "en": r"references|bibliography|works cited|literature cited|further reading|notes and references",
    "es": r"referencias(?: bibliográficas| citadas)?|bibliografía(?: recomendada| citada)?|obras citadas|notas y referencias"
    r"|lecturas? (?:recomendadas?|adicionales)|fuentes consultadas",
    "de": r"literatur(?:verzeichnis|hinweise|angaben|liste)?|weiterführende literatur|quellen(?:verzeichnis|angaben|nachweise)"
    r"|einzelnachweise|anmerkungen und einzelnachweise|referenzen",
    "fr": r"références(?: bibliographiques)?|bibliographie|notes et références|ouvrages cités|lectures complémentaires"
    r"|pour aller plus loin|webographie",
}
REFERENCES_HEADING = re.compile(rf"#*\s*(?:\d+\.?\s+)?(?:{'|'.join(_REFERENCES.values())})\s*:?\s*", re.IGNORECASE)
_CONSULTED = {
    "en": r"retrieved|archived|accessed",
    "es": r"consultado|archivado|recuperado",
    "de": r"abgerufen|archiviert|zuletzt besucht",
    "fr": r"consultée?|archivée?",
}
CITATION_MARKS = {
    "year": re.compile(r"(?<![\d.,€$£-])(?:1[6-9]|20)\d\d[a-f]?(?![\d%])"),
    "initial": re.compile(
        r"(?<![^\W\d_])[^\W\d_]{2,}+, (?:[A-ZÀ-Þ]\.[ -]?){1,3}|(?<![\w.])(?:[A-ZÀ-Þ]\. ?){1,3}[A-ZÀ-Þ][^\W\d_]{2,}(?=[,;&.])"
    ),
    "pages": re.compile(r"\b(?:pp?|S)\. ?\d+|(?<![\d-])\d{1,4}[–-]\d{1,4}(?![\d-])"),
    "volume": re.compile(r"\b(?:vol|no|nr|núm|bd|jg|t)\. ?\d+|\bn[º°] ?\d+|\b\d{1,4} ?\(\d{1,3}\)", re.IGNORECASE),
    "identifier": re.compile(r"\bdoi\b|\barxiv\b|\bisbn\b|\bissn\b|\bpmid\b|\b10\.\d{4,9}/", re.IGNORECASE),
    "link": LINK,
    "retrieved": re.compile(rf"\b(?:{'|'.join(_CONSULTED.values())})\b", re.IGNORECASE),
    "publisher": re.compile(
        r"\b(?:et al|u\. ?a|y otros|in press|im Druck|en prensa|sous presse|ibid|ebd|ibíd|eds?|hrsg|dir|Press|Journal|Proceedings|Proc|Verlag|Zeitschrift|Diss|Editorial|Revista|Tesis|Éditions|Revue|Thèse|Publishers?|Springer"
        r"|Elsevier|Wiley|Routledge|Transactions|Trans|Conference|Dissertation|Thesis)\b(?=[.,:;) ])"
    ),
    "number": re.compile(r"^\s*(?:\[\d{1,3}\]|\^|\d{1,3}\.\s(?=[^\W\d_]{2,}, [A-ZÀ-Þ]\.))", re.MULTILINE),
}
"""What a reference is made of; prose has some of these, thinly."""

_STOCK = {
    "en": (
        r"we(?: and our partners)? use cookies|(?:web)?site uses cookies|accept (?:all )?cookies|manage cookies|cookie settings",
        r"all rights reserved|skip to (?:main )?content|back to top|subscribe to our newsletter|sign up for our newsletter",
        r"leave a (?:comment|reply)|follow us on|share (?:this )?on (?:facebook|twitter|x|linkedin)|click here to",
        r"permission is hereby granted, free of charge|provided [\"“]as is|redistribution and use in source and binary forms",
        r"licensed under the|no part of this (?:publication|book|document) may be reproduced|cataloging-in-publication",
        r"if you are not the intended recipient|intended solely for the",
    ),
    "es": (
        r"(?:utilizamos|usamos) cookies|este sitio (?:web )?(?:utiliza|usa) cookies|aceptar (?:todas )?(?:las )?cookies",
        r"configuración de cookies|configurar cookies|rechazar (?:todas )?(?:las )?cookies|todos los derechos reservados",
        r"(?:saltar|ir) al contenido|volver arriba|suscr[ií]be(?:te|se) a nuestr[oa]|síguenos en|deja(?:r)? un comentario",
        r"haga clic aquí|haz clic aquí|compartir en (?:facebook|twitter|x|linkedin)|queda prohibida la reproducción",
        r"prohibida su reproducción|si usted no es el destinatario",
    ),
    "de": (
        r"wir verwenden cookies|(?:web)?seite (?:verwendet|nutzt) cookies|(?:alle )?cookies (?:akzeptieren|ablehnen|verwalten)",
        r"cookie-einstellungen|alle rechte vorbehalten|zum (?:haupt)?inhalt springen|nach oben springen|zum seitenanfang",
        r"newsletter abonnieren|folgen sie uns|folge uns auf|kommentar (?:hinterlassen|schreiben)|klicken sie hier",
        r"auf (?:facebook|twitter|x|linkedin) teilen|nachdruck,? auch auszugsweise|kein teil dieses (?:werkes|buches) darf",
        r"wenn sie nicht der (?:richtige|beabsichtigte) (?:adressat|empfänger) sind",
    ),
    "fr": (
        r"nous utilisons des cookies|ce site (?:web )?utilise des cookies|(?:accepter|refuser) (?:tous )?les cookies",
        r"(?:gérer|paramétrer) les cookies|tous droits (?:réservés|de reproduction)|aller au contenu|retour en haut",
        r"abonnez-vous à (?:notre|la)|inscrivez-vous à (?:notre|la)|suivez-nous sur|laisse[rz] un commentaire|cliquez ici",
        r"partager sur (?:facebook|twitter|x|linkedin)|toute reproduction,? (?:même partielle|interdite)",
        r"si vous n['’]êtes pas le destinataire",
    ),
}
"""What only a page itself says."""
_MENU = {
    "en": (
        r"privacy (?:policy|notice)|cookie policy|terms (?:of (?:use|service)|and conditions)|sign (?:in|up)|log ?in|log ?out",
        r"home|register|search|menu|subscribe|newsletter|share|tweet|read more|contact(?: us)?|about(?: us)?|faq|help|careers",
        r"site ?map|related (?:articles|posts)|previous|next|advertisement|print|copyright|isbn|printed in|first published",
        r"creative commons|written permission|facebook|twitter|instagram|linkedin|youtube|imprint|download pdf",
    ),
    "es": (
        r"política de (?:privacidad|cookies)|aviso legal|iniciar sesión|inicio|contacto|leer más|compartir|buscar|siguiente",
        r"anterior|condiciones de uso|términos y condiciones|derechos de autor|regístrate|registrarse|suscribirse|menú|ayuda",
        r"quiénes somos|mapa del sitio|artículos relacionados|publicidad|imprimir|preguntas frecuentes|descargar pdf",
    ),
    "de": (
        r"startseite|kontakt|impressum|datenschutz(?:erklärung|hinweise)?|anmelden|registrieren|suche|weiterlesen|teilen",
        r"nutzungsbedingungen|agb|abmelden|abonnieren|menü|hilfe|über uns|häufige fragen|karriere|sitemap|anzeige|werbung",
        r"ähnliche (?:artikel|beiträge)|drucken|vorherige[rs]?|nächste[rs]?|pdf herunterladen|barrierefreiheit",
    ),
    "fr": (
        r"accueil|se connecter|connexion|déconnexion|s['’]inscrire|rechercher|lire la suite|partager|mentions légales",
        r"conditions (?:générales )?d['’]utilisation|politique de (?:confidentialité|cookies)|plan du site|à propos|aide",
        r"nous contacter|contactez-nous|s['’]abonner|articles (?:similaires|liés)|précédent|suivant|publicité|imprimer",
        r"foire aux questions|télécharger (?:le )?pdf|droits d['’]auteur|données personnelles",
    ),
}
"""What stands in menus and imprints, and in prose as well."""
STOCK_PHRASE = re.compile(rf"\b(?:{'|'.join(chain(*_STOCK.values()))})\b|©|\(c\) (?:19|20)\d\d", re.IGNORECASE)
"""What pages, imprints and licences say of themselves."""
MENU_WORD = re.compile(rf"\b(?:{'|'.join(chain(*_MENU.values()))})\b", re.IGNORECASE)
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
