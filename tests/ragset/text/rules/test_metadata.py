import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.text.rules.metadata import metadata_reason

CORPORA = Path(__file__).parents[5] / "shared" / "corpora"

METADATA = {
    "link targets of reST": (
        "links",
        """.. _relay: https://relay.example/
.. _the rules: https://relay.example/docs/rules.html
.. _spool: https://relay.example/docs/spool.html#held-mail""",
    ),
    "badges of a readme": (
        "links",
        """[![build](https://ci.example/relay/badge.svg)](https://ci.example/relay)
[![docs](https://docs.example/relay/badge.svg)](https://docs.example/relay)""",
    ),
    "issues of a release": (
        "links",
        """Relevant issues:
`#921 <https://git.example/relay/relay/pull/921>`_,
`#923 <https://git.example/relay/relay/pull/923>`_,
`#938 <https://git.example/relay/relay/pull/938>`_""",
    ),
    "a name drawn in signs": (
        "mostly_symbols",
        """ __  __    ___    ____
/\\ \\/\\ \\  / __`\\ /\\_ ,`\\
\\ \\_\\ \\_\\\\ \\____\\\\ \\__/
 \\/_/\\/_/ \\/___/  \\/_/""",
    ),
    "a table of codes": ("mostly_symbols", "00: C,1\n01: C,1\n10: D,2\n11: E,2"),
    "columns of figures": ("mostly_symbols", "1   2   3   4   5\n6   7   8   9   10\n11  12  13  14  15"),
    "numbered references": (
        "references",
        """[1] Ito, K. and Mori, S. (2011). Oxidation of leaf polyphenols. Journal of Tea Science, 8(2), 12–19.
[2] Rao, P. (2014). Withering and yield. Proc. Int. Conf. on Crops, pp. 40–44. doi:10.1000/tea.2014.7
[3] Lund, E., Vik, T. and Aas, H. (1998). Shade and theanine. Plant Physiol. 112, 301–309.""",
    ),
    "references wrapped by a PDF": (
        "references",
        """Abel, R. J., Stone, M. (2003): Counterweights of bascule bridges. In: Hart, L. (ed.),
Movable Spans, Springer, Berlin, pp. 101–
128. Carr, W. (1987). Wind on raised leaves. J. Struct. Eng. 113 (4), 77–91. Dahl, O. et al.
(2009). Holmen bridge: a case. Bridge Rev. 21, 5–17. Egge, P. (2015). Motors. Thesis, Oslo.""",
    ),
    "web references of an encyclopedia": (
        "references",
        """^ "Skarv Point Lighthouse". Norwegian Lighthouse Association. Retrieved 4 May 2012.
^ Moen, I. (1932). "Fire at the Point". Coast Journal, vol. 4, pp. 12–14. ISBN 82-00-00000-0.
^ Hansen, A. (2001). Lights of the North. Larvik: Coast Press, p. 88. Archived 3 March 2010.
^ "Beacons, 1900–1950". Retrieved 5 May 2012.""",
    ),
    "a headed bibliography": (
        "references",
        """## Bibliography

Alder, J. (1994). Rivers of the Tarn. Millau: Causse Press.
Brun, M. (2012). Castors et crues. Hydrologie 14, 33–52.
Colas, P. (2016). Silt. Éditions du Lot.""",
    ),
    "a German list of sources": (
        "references",
        """Literatur
Huber, A. (2004): Wanderwege am Lärchsee. München: Alpen Verlag, S. 12–19.
Kern, B. (1999): Seen und Moore. In: Natur 7 (3), S. 201–215.
Lang, C. (2018): Wegenetze. Wien: Springer.""",
    ),
    "a list of links in Markdown": (
        "links",
        """- [Garden plan](https://larkspur.example/plan)
- [Opening hours](https://larkspur.example/hours)
- [Guided walks](https://larkspur.example/walks)
- [Plant finder](https://larkspur.example/plants)""",
    ),
    "bare addresses": (
        "links",
        """https://tea.example/gyokuro/shading/2011/05/report.html
https://tea.example/sencha/steaming/2012/06/report.html
www.teaboard.example/statistics/exports/2013/table-4.csv
See also: https://tea.example/archive""",
    ),
    "contents with leader dots": (
        "contents",
        """Contents
Water .......................... 3
Leaves ......................... 9
Withering ...................... 11
Cups ........................... 14""",
    ),
    "contents run together": (
        "contents",
        "1 Water . . . . . . 3 2 Leaves . . . . . . 9 2.1 Withering . . . . . 11 3 Cups . . . . . 14 Index . . . . . 20",
    ),
    "contents without dots": (
        "contents",
        """1 Introduction 1
1.1 Scope 2
1.2 Terms 4
2 Installation of the pump 7
2.1 Tools 8
2.2 Mounting 12""",
    ),
    "contents as anchors": (
        "contents",
        """## On this page
- [Install](#install)
- [Configure](#configure)
- [Run](#run)
- [Troubleshooting](#troubleshooting)""",
    ),
    "a Spanish table of contents": (
        "contents",
        """Índice
1. La masa madre 5
2. El horno 17
3. La corteza 29""",
    ),
    "a cookie banner": (
        "boilerplate",
        """We use cookies to give you the best experience on our site.
By clicking Accept all cookies you agree to our use of them.
You can change your cookie settings at any time.""",
    ),
    "the foot of a page": (
        "boilerplate",
        """Home | About us | Careers | Contact us | Privacy policy | Terms of use | Site map
© 2021 Larkspur Gardens Ltd. All rights reserved.
Follow us on Twitter | Facebook | Instagram | Newsletter""",
    ),
    "a software licence": (
        "boilerplate",
        """Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction. THE SOFTWARE IS PROVIDED "AS IS",
WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED.""".replace("\n", " "),
    ),
    "an imprint": (
        "boilerplate",
        """First published 1987. Copyright © Coast Press 1987.
All rights reserved. No part of this publication may be reproduced without written permission.
Printed in Norway. ISBN 82-00-00000-0.""",
    ),
    "a German cookie banner": (
        "boilerplate",
        """Wir verwenden Cookies, um unsere Seite zu verbessern. Alle Cookies akzeptieren. Cookie-Einstellungen.
Impressum | Datenschutzerklärung""",
    ),
    "bare numbers": (
        "mostly_symbols",
        "12.4 13.1 15.0 | 17.2 19.9 20.4 | 22.8 23.1 | -4.2 -3.9 0.0 1.1\n" * 4,
    ),
    "a ruled line and page numbers": ("mostly_symbols", "-----------------------------\n12 / 340\n" * 6),
}

CONTENT = {
    "an abstract with contents below it": """On winding a clock by water
Ada Finch, Mill Lane
This note describes a wheel that winds the weight of a tower clock by the flow of a brook. It raises twelve kilograms by four
metres within two hours, and stops by itself when the weight is up. Two such wheels have run since the spring, and neither has
needed more than oil. We give the measures of the buckets and of the chain, so that a smith can build one.
1 The brook . . . . . . . . 2
2 The wheel . . . . . . . . 4
3 The chain . . . . . . . . 7""",
    "prose full of years and names": """In 1905 Roald Amundsen sailed the Gjøa into Nome, and in 1906 he was in San
Francisco when the earthquake struck. Between 1910 and 1912 he led the voyage of the Fram to the South Pole, which he
reached on 14 December 1911, a month before Robert Scott. In 1918 he set out again, on the Maud, and in 1926 he flew over
the North Pole with Umberto Nobile and Lincoln Ellsworth.""",
    "prose with one citation": """Shading raises the theanine of the leaves by a third (Lund et al., 1998, pp. 301–309). Growers
have known this for centuries, and cover their bushes with straw three weeks before the harvest.""",
    "prose with many citations": """Several studies report that shade raises theanine (Ito and Mori, 2011; Rao, 2014), although the
effect was smaller in the field than in the laboratory (Lund et al., 1998; Aas, 2003). Vik (2006) argued that the
temperature under the cover is what matters, and Dahl (2009) found the same for oolong, but not for black tea.""",
    "a recipe": """Ingredients
500 g flour
350 g water
10 g salt
100 g starter
Mix, rest for 30 minutes, fold 4 times, and bake at 240 °C for 40 minutes.""",
    "a table of facts": """| Tea | Water, °C | Minutes | Leaves, g |
|---|---|---|---|
| Sencha | 70 | 1 | 4 |
| Gyokuro | 60 | 2 | 5 |
| Assam | 95 | 4 | 3 |""",
    "a table that is nearly all numbers": """| Year | Visitors | Members | Income |
|---|---|---|---|
| 1990 | 12,430 | 811 | 94,120 |
| 1991 | 13,004 | 840 | 99,310 |
| 1992 | 12,998 | 902 | 101,775 |""",
    "code": """def steep(tea: str, celsius: int) -> float:
    # https://tea.example/formula
    if celsius > 80:
        raise ValueError(f"{tea} turns bitter")
    return 120 / (celsius / 60)""",
    "numbered steps": """1. Close the valve on the left of the pump.
2. Loosen the 4 screws of the cover.
3. Lift the rotor out by 12 mm.
4. Fit the new seal, size 40.""",
    "steps that end in numbers": """1 Turn dial A to 4
2 Turn dial B to 7
3 Wait until the gauge shows 12
4 Open valve 15""",
    "prose with links": """The [Larkspur Garden](https://larkspur.example/) opens at nine. It is the work of
[Ida Moen](https://people.example/moen), who planted its [yew hedge](https://larkspur.example/yew) in 1932, and it was
given to the [town](https://larvik.example/) after her death.""",
    "links with what is behind them": """- [Plan](https://l.example/plan): where the beds, the pond and the greenhouse are
- [Walks](https://l.example/walks): every Sunday at ten, led by a gardener of the trust
- [Seeds](https://l.example/seeds): what members may order, and until which day""",
    "prose about cookies": """A cookie is a small file that a site leaves in the browser. Under European law a site that wants to
set one for advertising must ask first, and refusing must be as easy as agreeing. Banners that hide the refusal behind
a second page have been fined in France since 2021.""",
    "prose about copyright": """Copyright in a letter belongs to whoever wrote it, not to whoever received it. A licence must be given
in writing. The words "all rights reserved" were needed under the Buenos Aires Convention of 1910, and mean nothing today.""",
    "prose about a privacy policy": """Under the privacy policy of the Larkspur Trust, records of visits are kept for two years. Members who
object may write to the secretary, and the terms of use say that an answer comes within four weeks.""",
    "a timetable": """Aldmoor 06:10 06:40 07:10 07:40
Vell Bridge 06:22 06:52 07:22 07:52
Brill Harbour 06:45 07:15 07:45 08:15""",
    "a timeline": """1907 – The lighthouse on Skarv Point is lit
1914–1918 – The lamp stays dark
1931 – A fire destroys the tower
1933 – Ida Moen retires""",
    "a headed timeline": """## References
1990–1994 Growth
1995–1999 Decline
2000–2004 Recovery""",
    "a price list": """Espresso ........ 3 euros
Cappuccino ...... 4 euros
Ice tea ......... 3 euros""",
    "a menu of prices that rise and fall": "Soup ..... 7\nBread ..... 2\nTrout ..... 19\nCheese ..... 9",
    "names of members": """The board of the trust: Ida Moen (chair), Per Egge (treasurer), Anna Hansen, Olav Dahl. They meet on the first
Monday of every month in the hall at Brill.""",
    "a formula in prose": """The period of a pendulum is T = 2π√(l/g): it depends on the length l and on gravity g, and not on the mass.
For l = 1 m and g = 9.81 m/s², T = 2.006 s.""",
    "an API in a list": """GET /v1/teas — lists all teas, 50 a page
POST /v1/teas — adds a tea; needs the scope `write`
DELETE /v1/teas/{id} — removes it for good""",
    "dialogue": '"Where is the key?" "In the box." "Which box?" "Number 12, next to the lamp. Look... 3... 4... there!"',
    "Spanish prose": """La Universidad de Salamanca fue fundada en 1218 por Alfonso IX de León. En 1254 Alfonso X le dio sus primeras
rentas, y en 1255 el papa Alejandro IV reconoció la validez de sus títulos.""",
    "German prose": """Der Wanderweg um den Lärchsee ist 14 km lang und von Mai bis Oktober begehbar. Seit 1998 führt an der Nordseite
eine Brücke über das Moor; die Hütte dort ist im Juli und August geöffnet.""",
    "Japanese prose": "玉露は収穫の三週間前から覆いをかけて育てる。光が少ないとテアニンが残り、甘みのある茶になる。"
    * 2,
    "Russian prose": "Маяк на мысе Скарв был зажжён 3 мая 1907 года. Его свет был виден на 22 мили; в 1931 году он сгорел.",
}


@pytest.mark.parametrize(("code", "text"), METADATA.values(), ids=METADATA.keys())
def test_finds_plain_metadata_by_its_kind(code: str, text: str) -> None:
    found = metadata_reason(text)
    assert found is not None
    assert found[0] == code
    assert found[1]


@pytest.mark.parametrize("text", CONTENT.values(), ids=CONTENT.keys())
def test_lets_content_pass(text: str) -> None:
    assert metadata_reason(text) is None


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the corpora are not here")
@pytest.mark.parametrize("language", ["en", "es"])
def test_lets_every_paragraph_of_an_encyclopedia_pass(language: str) -> None:
    articles = json.loads((CORPORA / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [paragraph["context"] for article in articles for paragraph in article["paragraphs"]]
    assert [text for text in paragraphs if metadata_reason(text)] == []


@pytest.mark.parametrize(
    "unit",
    [
        ".",
        ". ",
        "…",
        "[",
        "](",
        "[a](http://",
        "A. ",
        "Aa, ",
        "a",
        "1 ",
        "http://a",
        " | ",
        "\n",
        " \n",
        "\n1 a 2",
        "1.1 ",
        "- ",
        "cookies ",
    ],
)
def test_takes_time_in_proportion_to_the_text(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    start = time.process_time()
    metadata_reason("1 a" + text)
    assert time.process_time() - start < 2  # quadratic would be minutes


@given(st.text(max_size=300))
def test_has_an_answer_for_any_text(text: str) -> None:
    found = metadata_reason(text)
    assert found is None or (
        found[0] in {"references", "links", "contents", "boilerplate", "mostly_symbols"} and found[1]
    )


@pytest.mark.parametrize(
    "text",
    [
        "Bibliografía recomendada\nAlder, J. (1994). Ríos del Tarn. Madrid: Editorial Cauce, pp. 12–19.\n"
        "Brun, M. (2012). Castores y crecidas. Revista de Hidrología, 14, 33–52. Consultado el 3 de mayo.",
        "Quellenverzeichnis\nHuber, A. u. a. (2004): Wanderwege am Lärchsee. München: Alpen Verlag, S. 12–19.\n"
        "Kern, B. (1999): Seen und Moore. Natur, Jg. 7, Nr. 3, S. 201–215. Abgerufen 2004.",
        "Ouvrages cités\nAlder, J. (1994). Rivières du Tarn. Paris, Éditions du Lot, p. 12.\n"
        "Brun, M. (2012). Castors et crues. Revue de l'eau, n° 14, p. 33–52. Consulté le 3 mai 2014.",
    ],
)
def test_lists_of_works_in_spanish_german_and_french_are_references(text: str) -> None:
    found = metadata_reason(text)
    assert found is not None
    assert found[0] == "references"


@pytest.mark.parametrize(
    "text",
    [
        "Índice de contenidos\nCapítulo 1 Agua 3\nCapítulo 2 Hojas 9\nApéndice A Tazas 14\nSección 4 Leche 20",
        "Auf dieser Seite\nKapitel 1 Wasser 3\nKapitel 2 Blätter 9\nAbschnitt 3 Tassen 14\nAnhang A Milch 20",
        "Sommaire\nChapitre 1 L'eau 3\nChapitre 2 Les feuilles 9\nSection 3 Les tasses 14\nAnnexe A Le lait 20",
    ],
)
def test_contents_in_spanish_german_and_french_are_contents(text: str) -> None:
    found = metadata_reason(text)
    assert found is not None
    assert found[0] == "contents"


@pytest.mark.parametrize(
    "text",
    [
        "Todos los derechos reservados. Usamos cookies. Síguenos en Facebook. Volver arriba.",
        "Alle Rechte vorbehalten. Wir verwenden Cookies. Folgen Sie uns auf Facebook. Zum Inhalt springen.",
        "Tous droits réservés. Nous utilisons des cookies. Suivez-nous sur Facebook. Retour en haut.",
        "Inicio | Quiénes somos | Preguntas frecuentes | Contacto | Iniciar sesión | Aviso legal | Ayuda",
        "Startseite | Über uns | Häufige Fragen | Kontakt | Anmelden | Impressum | Datenschutz",
        "Accueil | À propos | Foire aux questions | Nous contacter | Connexion | Mentions légales | Aide",
    ],
)
def test_menus_and_imprints_in_spanish_german_and_french_are_boilerplate(text: str) -> None:
    found = metadata_reason(text)
    assert found is not None
    assert found[0] == "boilerplate"


@pytest.mark.parametrize(
    "text",
    [
        "La ayuda llegó al inicio de la semana siguiente, y el menú del comedor se amplió para que todos pudieran compartir.",
        "Die Suche nach dem Wrack begann in der nächsten Woche, und die Hilfe der Fischer war dabei die beste Werbung.",
        "L'accueil fut froid: la connexion entre les deux rives n'était pas sûre, et l'aide promise par le roi n'arriva jamais.",
    ],
)
def test_prose_with_words_of_menus_is_content(text: str) -> None:
    assert metadata_reason(text) is None
