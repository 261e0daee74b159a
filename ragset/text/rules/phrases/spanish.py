"""Wordings with which a query in Spanish leans on a text that its reader does not see."""

from ragset.text.rules.phrases.compiled import compiled

_WH = r"¿?(?:(?:en|de|a|con|por|para|desde) )?(?:por qué|cómo|cuándo|dónde|qué año|qué|quién|cuáles|cuál|cuánto tiempo|cuánto)"

SPANISH = compiled(
    [
        r"\b(?:según|de acuerdo con|conforme a|basándo(?:se|te) en|con base en) (?:el|la|los|las|este|esta|estos|estas|dicho) "
        r"(?:texto|pasaje|fragmento|párrafo|artículo|documento|autora?|autores|extracto|estudio|informe|capítulo|sección|tabla)"
        r"\b(?! (?:de|del|sobre|por|publicad[oa]|\d|(?-i:[A-ZÁÉÍÓÚÑ])))",
        r"\ben (?:el|este|dicho) (?:texto|pasaje|fragmento|párrafo|extracto)\b(?! (?:de|del)\b)",
        r"\ben (?:este|esta|dicho|dicha) (?:artículo|documento|estudio|informe|capítulo|sección|apartado|tabla|figura|libro)\b",
        r"\b(?:del|de este) (?:texto|pasaje|fragmento|párrafo|extracto)\b(?! (?:de|del)\b)",
        r"\b(?:mencionad|descrit|citad|discutid|tratad|señalad|indicad|expuest|comentad|enumerad|listad|presentad|detallad)[oa]s? "
        r"(?:arriba|aquí|anteriormente|más arriba|antes|a continuación|en el texto|en el pasaje|previamente)\b",
        r"\b(?:arriba|anteriormente|antes) (?:mencionad|citad|descrit|indicad)[oa]s?\b",
        r"\b(?:dice|afirma|explica|menciona|sostiene|describe|señala|opina|concluye) (?:el|la|este) "
        r"(?:texto|pasaje|autora?|fragmento|artículo|documento|párrafo)\b(?! (?:de|del|\d+)\b)",
        r"\b(?:el|la) (?:texto|pasaje|fragmento|autora?|párrafo) (?:dice|afirma|explica|menciona|sostiene|describe|señala)",
        r"\b(?:el|la) (?:siguiente|presente|anterior) (?:texto|pasaje|fragmento|párrafo|tabla|figura|artículo|documento)\b",
        r"\b(?:período|periodo|época|tema|caso|proceso|método) (?:mencionado|descrito|tratado|en cuestión|discutido)a?\b"
        r"(?=\s*[?,.;]|\s*$)",
        r"\b(?:se )(?:menciona|mencionan|describe|describen|discute|trata)n?(?=\s*\?*\s*$)",
        r"\b(?:figura|tabla|cuadro|gráfico|ecuación) \d+\b(?! (?:de|del)\b)",
        r"^¿?(?:por qué|cómo|cuándo|dónde|qué|quién|cuál) (?:es|son|fue|era|significa|hizo|dice) (?:esto|eso|él|ella|ellos)\b",
        rf"^{_WH} (?:se )?(?!ha |han |había |habían )\w+ (?:este|esta|estos|estas|dicho|dicha|dichos|dichas)\b"
        r"(?! (?:año|mes|semana|siglo|década|verano|invierno|temporada|mundo))",
        rf"^{_WH} (?:es|son|fue|fueron|era|eran) (?:su|sus)\b(?! (?:majestad|santidad|alteza))",
        r"\b(?:cuál|cuáles|qué|una|alguna|todas|ninguna) de (?:las|los) (?:siguientes|anteriores)\b",
        r"\b(?:en el|en la|del|de la) (?:informe|artículo|documento|capítulo|apartado|encuesta|autora?)(?=\s*[?.!]*\s*$)",
        r"\b(?:se \w+ en el|(?:resultados?|conclusi\w+|objetivos?|hallazgos|datos|tema) del) (?:estudio|experimento)(?=\s*[?.!]*\s*$)",
        r"\b(?:según|con base en|basándo(?:se|te) en|a partir de|de acuerdo con|usando|considerando) "
        r"(?:la información|los datos|el contexto|los detalles|los ejemplos) "
        r"(?:proporcionad|dad|facilitad|presentad|suministrad|anterior|disponible)\w*",
        r"^¿?qué (?:ocurrió|sucedió|pasó|ocurre|sucede|pasa|viene|vino) (?:después|luego|a continuación|entonces)"
        r"(?=\s*\?*\s*$)",
        rf"^{_WH} (?:(?:se|le|lo|la|les) )?\w+ (?:él|ella|ellos|ellas)\b",
    ]
)  # fmt: skip
