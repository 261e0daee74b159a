"""Words of English, Spanish, German and French queries that name nothing: by what they say instead."""

from collections.abc import Mapping
from typing import NamedTuple


class SmallWords(NamedTuple):
    """What the small words of a language stand for; all in lower case."""

    empty: frozenset[str]
    """Say nothing about what is asked: articles, auxiliaries, most prepositions, forms of politeness."""
    plain: frozenset[str]
    """Of these, articles and forms of "be"."""
    light: frozenset[str]
    """So general that two queries hardly differ by them alone: "take" and "need", "main", "process"."""
    asking: Mapping[str, str]
    """Words of question, and what each asks for; "" where the noun after it says so."""
    nouns: Mapping[str, str]
    """Nouns that say what a question asks for: "in what year", "the reason for"."""
    amounts: frozenset[str]
    """After "how": many, much."""
    measures: frozenset[str]
    """After "how": long, far, old."""
    present: frozenset[str]
    past: frozenset[str]
    agent: frozenset[str]
    """Before whoever did it in the passive voice."""
    polar: frozenset[str]
    """Open a question for yes or no."""
    numbers: Mapping[str, str]
    """Numerals as digits; `other`, which singles out as they do, and `not`."""
    opposites: Mapping[str, frozenset[str]]
    """Words that stand in each other's place and mean something else."""
    mutual: frozenset[str]
    """Beginnings of words that take two things in either order: differ, between."""
    endings: tuple[str, ...]
    """Of inflection, longest first."""
    irregular: Mapping[str, str]
    """Forms of the commonest irregular verbs."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _map(pairs: str) -> dict[str, str]:
    """`"a=b c=d"` as a dictionary; `a=` is empty."""
    return dict(pair.split("=", 1) for pair in pairs.split())


def _opposites(pairs: str) -> dict[str, frozenset[str]]:
    """`"north/south/east open/close"`: each word with the others of its group."""
    found: dict[str, frozenset[str]] = {}
    for group in pairs.split():
        words = frozenset(group.split("/"))
        for word in words:
            found[word] = found.get(word, frozenset()) | (words - {word})
    return found


SMALL_WORDS = {
    "en": SmallWords(
        empty=_set(
            "the a an of to in on at for with as and or that which who whom whose this these those it its their there"
            " is are am was were be been being do does did has have had can could will would shall by s"
            " what when where why how please tell me explain describe define state say exactly precisely you we i"
        ),
        plain=_set("the a an is are was were s"),
        light=_set(
            "take need require use happen occur work get come go give main mainly role way kind type sort process thing"
            " name call known term meaning mean located locate situated lie stand found actually usually generally typically"
            " originally various different particular specific according list identify discuss outline summarise"
            " summarize purpose function job responsible consider considered people person year time place total"
        ),
        asking=_map(
            "what= which= when=time where=place who=person whom=person whose=owner why=reason how=manner whether=polar"
        ),
        nouns=_map(
            "year=time:year date=time:date day=time:day month=time:month century=time:century decade=time:decade"
            " era=time:era time=time:time period=time:period place=place location=place country=place:country"
            " city=place:city town=place:town person=person people=person reason=reason reasons=reason number=amount"
            " amount=amount quantity=amount way=manner"
        ),
        amounts=_set("many much"),
        measures=_set(
            "long far old high tall big large often frequently fast deep wide heavy hot cold soon quickly thick strong small late"
            " early hard close near expensive likely well"
        ),
        present=_set("is are do does has have"),
        past=_set("was were did had"),
        agent=_set("by"),
        polar=_set("is are was were do does did can could will would should has have had may might must"),
        numbers=_map(
            "two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 another=other other=other not=not no=not never=not t=not"
        ),
        opposites=_opposites(
            "north/south/east/west northern/southern/eastern/western left/right upper/lower top/bottom inner/outer"
            " inside/outside front/back/rear open/close/shut opened/closed opening/closing begin/end start/end/finish/stop"
            " beginning/end first/second/third/last/next earliest/latest oldest/newest youngest/oldest old/new"
            " largest/smallest biggest/smallest highest/lowest longest/shortest best/worst most/least more/less/fewer"
            " maximum/minimum high/low long/short big/small large/small increase/decrease/reduce rise/fall gain/lose"
            " win/lose buy/sell import/export male/female man/woman men/women father/mother son/daughter brother/sister"
            " king/queen born/die birth/death before/after from/to with/without always/never advantage/disadvantage"
            " advantages/disadvantages benefits/drawbacks benefit/drawback cause/effect causes/effects cause/prevent"
            " strength/weakness hot/cold heat/cool arrive/leave enter/leave add/remove accept/reject allow/forbid"
            " enable/disable turn-on/turn-off attack/defend input/output source/target predecessor/successor"
            " positive/negative internal/external public/private winter/summer morning/evening day/night give/receive"
            " founded/dissolved found/dissolve appoint/dismiss married/divorced freeze/melt boil/freeze"
        ),
        mutual=_set("differ between compar versu vs same similar distanc relat equal"),
        endings=("'s", "’s", "ies", "ied", "ing", "ed", "es", "s", "e", "y"),
        irregular=_map(
            "built=build began=begin begun=begin wrote=write written=write won=win made=make fought=fight took=take"
            " taken=take gave=give given=give led=lead sold=sell bought=buy held=hold grew=grow grown=grow ran=run"
            " died=die became=become came=come went=go gone=go got=get knew=know met=meet lost=lose sank=sink sunk=sink"
            " broke=break broken=break chose=choose chosen=choose drew=draw drawn=draw fell=fall fallen=fall kept=keep"
            " said=say sent=send spent=spend spoke=speak spoken=speak stood=stand taught=teach told=tell thought=think"
            " rose=rise risen=rise beat=beat beaten=beat children=child women=woman men=man feet=foot"
        ),
    ),
    "es": SmallWords(
        empty=_set(
            "el la los las un una unos unas de del al a en y e o u que se su sus lo le les con para por como es son está"
            " están fue fueron era eran ser ha han había fueran qué cuál cuáles quién quiénes cuándo dónde cómo cuánto cuánta"
            " cuántos cuántas hay explica explique describe describa diga di exactamente cual este esta estos estas"
        ),
        plain=_set("el la los las un una unos unas es son fue fueron era eran"),
        light=_set(
            "tipo forma manera proceso papel función principal principales llama llamaba llamado nombre conoce conocido"
            " ubicado ubicada encuentra situado situada ocurre sucede sirve utiliza usa necesita tarda dura año lugar"
        ),
        asking=_map(
            "qué= que= cuál= cuáles= cuándo=time dónde=place adónde=place:to quién=person quiénes=person cómo=manner"
            " cuánto=amount cuánta=amount cuántos=amount cuántas=amount"
        ),
        nouns=_map(
            "año=time:year fecha=time:date día=time:day mes=time:month siglo=time:century década=time:decade época=time:era"
            " momento=time lugar=place sitio=place país=place:country ciudad=place:city persona=person razón=reason motivo=reason"
            " número=amount cantidad=amount manera=manner forma=manner modo=manner"
        ),
        amounts=frozenset(),
        measures=frozenset(),
        present=_set("es son"),
        past=_set("fue era fueron eran"),
        agent=_set("por"),
        polar=_set("es son fue fueron está están puede pueden tiene tienen hay existe existen"),
        numbers=_map(
            "dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 otro=other otra=other otros=other otras=other no=not nunca=not"
        ),
        opposites=_opposites(
            "norte/sur/este/oeste izquierda/derecha superior/inferior interior/exterior abrir/cerrar abrió/cerró"
            " empezó/terminó comenzó/terminó empieza/termina primer/último/segundo primera/última/segunda mayor/menor"
            " mejor/peor más/menos máximo/mínimo máxima/mínima alto/bajo ganó/perdió ganar/perder comprar/vender"
            " importar/exportar padre/madre hijo/hija rey/reina nació/murió nacer/morir nacimiento/muerte antes/después"
            " con/sin ventajas/desventajas ventaja/desventaja causas/efectos causa/efecto entrada/salida verano/invierno"
            " aumenta/disminuye siempre/nunca desde/hasta inauguró/cerró inaugurado/cerrado"
        ),
        mutual=_set("difer entre compar igual distanc relaci"),
        endings=("es", "as", "os", "s", "a", "o", "e"),
        irregular={},
    ),
    "de": SmallWords(
        empty=_set(
            "der die das den dem des ein eine einer eines einem einen und oder ist sind war waren im in zu zum zur mit vom"
            " für auf als auch sich es er sie wird werden wurde wurden hat haben hatte bei aus dass an am um was wer wen"
            " wem wessen wie warum wieso weshalb wann wo woher wohin welche welcher welches welchem welchen worden kann"
            " können bitte erkläre beschreibe nenne genau von durch man"
        ),
        plain=_set("der die das den dem des ein eine einer eines einem einen ist sind war waren"),
        light=_set(
            "art weise rolle aufgabe prozess vorgang funktion heißt hieß genannt name nennt befindet liegt lag steht"
            " geschieht passiert dient nutzt verwendet benötigt braucht dauert hauptsächlich jahr ort"
        ),
        asking=_map(
            "was= welche= welcher= welches= welchem= welchen= wann=time wo=place woher=place:from wohin=place:to"
            " wer=person:subject wen=person:object wem=person:dative wessen=owner warum=reason wieso=reason weshalb=reason wie=manner"
            " wieviel=amount wieviele=amount"
        ),
        nouns=_map(
            "jahr=time:year datum=time:date tag=time:day monat=time:month jahrhundert=time:century jahrzehnt=time:decade"
            " zeit=time zeitpunkt=time ort=place land=place:country stadt=place:city person=person grund=reason gründe=reason"
            " anzahl=amount zahl=amount menge=amount weise=manner"
        ),
        amounts=_set("viele viel"),
        measures=_set("lange weit alt hoch groß oft schnell tief breit schwer heiß kalt bald dick stark teuer"),
        present=_set("ist sind"),
        past=_set("war waren"),
        agent=_set("von durch"),
        polar=_set("ist sind war waren hat haben kann können wird werden wurde wurden darf muss soll gibt"),
        numbers=_map(
            "zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 andere=other anderer=other anderes=other anderen=other nicht=not nie=not kein=not keine=not keinen=not"
        ),
        opposites=_opposites(
            "norden/süden/osten/westen nördliche/südliche/östliche/westliche linke/rechte obere/untere innere/äußere"
            " öffnen/schließen eröffnet/geschlossen geöffnet/geschlossen beginnt/endet begann/endete anfang/ende"
            " erste/letzte/zweite ersten/letzten/zweiten größte/kleinste höchste/niedrigste längste/kürzeste beste/schlechteste"
            " mehr/weniger maximal/minimal hoch/niedrig gewann/verlor kaufen/verkaufen vater/mutter sohn/tochter könig/königin"
            " geboren/gestorben geburt/tod vor/nach mit/ohne vorteile/nachteile vorteil/nachteil ursache/wirkung"
            " ursachen/folgen eingang/ausgang sommer/winter steigt/sinkt immer/nie"
        ),
        mutual=_set("unterscheid unterschied zwischen vergleich gleich entfern"),
        endings=("en", "er", "es", "em", "e", "n", "s"),
        irregular={},
    ),
    "fr": SmallWords(
        empty=_set(
            "le la les l un une des du de d et ou est sont était étaient fut furent être dans en à au aux qui que qu quoi"
            " quel quelle quels quelles ce c cette ces cet se s son sa ses il elle ils elles on y a ont été avec pour par"
            " sur comment pourquoi quand où combien n t explique expliquez décris décrivez exactement ainsi peut peuvent"
        ),
        plain=_set("le la les l un une des est sont était étaient"),
        light=_set(
            "type sorte façon manière rôle processus fonction principal principale appelle appelait appelé nom nomme"
            " situé située trouve trouvait passe produit sert utilise faut besoin met compte année lieu"
        ),
        asking=_map(
            "que= qu= quoi= quel= quelle= quels= quelles= quand=time où=place qui=person pourquoi=reason comment=manner"
            " combien=amount"
        ),
        nouns=_map(
            "année=time:year date=time:date jour=time:day mois=time:month siècle=time:century décennie=time:decade"
            " époque=time:era moment=time lieu=place endroit=place pays=place:country ville=place:city personne=person"
            " raison=reason raisons=reason nombre=amount quantité=amount manière=manner façon=manner"
        ),
        amounts=frozenset(),
        measures=frozenset(),
        present=_set("est sont"),
        past=_set("était étaient fut furent"),
        agent=_set("par"),
        polar=frozenset(),
        numbers=_map(
            "deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 autre=other autres=other pas=not jamais=not"
        ),
        opposites=_opposites(
            "nord/sud/est/ouest gauche/droite supérieur/inférieur intérieur/extérieur ouvrir/fermer ouvert/fermé"
            " ouverte/fermée ouvre/ferme commence/finit commencé/fini début/fin premier/dernier/deuxième/second"
            " première/dernière/deuxième plus/moins meilleur/pire maximum/minimum haut/bas gagné/perdu gagne/perd"
            " acheter/vendre père/mère fils/fille roi/reine né/mort née/morte naissance/mort avant/après avec/sans"
            " avantages/inconvénients avantage/inconvénient cause/effet causes/effets causes/conséquences entrée/sortie"
            " été/hiver augmente/diminue toujours/jamais inauguré/fermé"
        ),
        mutual=_set("différ diffèr entre compar même distanc rapport"),
        endings=("ées", "és", "ée", "es", "e", "s", "é"),
        irregular={},
    ),
}
"""By language. "été" is French for summer and for "been"; as the latter it is empty."""

NONE = SmallWords(
    empty=frozenset(),
    plain=frozenset(),
    light=frozenset(),
    asking={},
    nouns={},
    amounts=frozenset(),
    measures=frozenset(),
    present=frozenset(),
    past=frozenset(),
    agent=frozenset(),
    polar=frozenset(),
    numbers={},
    opposites={},
    mutual=frozenset(),
    endings=(),
    irregular={},
)
"""Of a language that there is no table for: every word counts."""


def small_words(language: str) -> SmallWords:
    """The table of a language, by its code ("en", "en-GB"); one without any words where there is none."""
    return SMALL_WORDS.get(language.lower().split("-")[0], NONE)
