"""Words that belong to how people ask, and to no subject: of order, comparison, place, time, haste and politeness."""

from functools import lru_cache

from ragset.text.rules.content_words import stem

_WORDS = {
    "en": "first last next second then before after since still yet ever never always again once now today currently near"
    " nearby around away far inside outside behind beside along against without within despite besides except"
    " better best worse worst good bad big bigger biggest small smaller smallest large larger largest long longer longest"
    " short shorter shortest high higher highest low lower lowest more most less least few fewer many much enough too only"
    " early earlier earliest late later latest old older oldest new newer newest same different difference similar compare"
    " compared comparison versus vs fast faster fastest slow slower quick quickly easy easily hard cheap main really"
    " actually exactly possible possibly maybe please help thanks hello hi hey find know tell explain describe list give"
    " show need want use used using make made work works working get got let mean means reason cause happen happens help"
    " way ways step steps kind kinds type types example examples info information question answer fix stop start",
    "es": "primero primera último última siguiente luego antes después todavía siempre nunca otra vez ahora hoy cerca lejos"
    " dentro fuera contra sin mejor peor bueno buena malo mala grande pequeño mayor menor largo corto alto bajo más menos"
    " mucho poco bastante sólo solo temprano tarde viejo nuevo mismo misma diferente diferencia parecido comparar comparado"
    " rápido lento fácil difícil barato principal posible quizás favor gracias hola ayuda encontrar saber explicar explica"
    " describe lista dar mostrar necesito quiero usar hacer funciona sirve significa razón causa pasa forma manera paso"
    " pasos tipo tipos ejemplo información pregunta respuesta",
    "de": "erste erster erstes zuerst letzte letzter nächste dann vorher nachher vor nach noch immer nie wieder jetzt heute"
    " nahe nähe weit innen außen gegen ohne besser beste schlechter gut schlecht groß größer größte klein kleiner kleinste"
    " lang länger kurz kürzer hoch höher niedrig mehr meisten weniger viel wenig genug nur früh früher spät später alt"
    " älter neu neuer gleich anders verschieden unterschied ähnlich vergleich vergleichen schnell langsam leicht einfach"
    " schwer billig eigentlich genau möglich vielleicht bitte danke hallo hilfe finden wissen erklären erkläre beschreiben"
    " liste zeigen brauche will benutzen machen funktioniert heißt bedeutet grund ursache passiert weise schritt schritte"
    " art arten beispiel beispiele information frage antwort",
    "fr": "premier première dernier dernière suivant puis avant après encore toujours jamais maintenant aujourd'hui près"
    " loin dedans dehors contre sans meilleur meilleure mieux pire bon bonne mauvais grand grande petit petite long longue"
    " court courte haut bas plus moins beaucoup peu assez seulement tôt tard vieux nouveau nouvelle même différent"
    " différence semblable comparer comparé rapide rapidement lent facile facilement difficile principal vraiment possible"
    " peut-être merci bonjour salut aide trouver savoir expliquer explique décrire liste donner montrer besoin veux utiliser"
    " faire marche fonctionne signifie raison cause arrive façon manière étape étapes type types exemple exemples"
    " information question réponse",
}


@lru_cache(maxsize=16)
def manner_stems(language: str) -> frozenset[str]:
    """Stems of such words, as `ragset.text.rules.content_words` makes them; none of a language without a list."""
    return frozenset(stem(word, language) for word in _WORDS.get(language, "").split())
