"""Pairs of queries by language, each with whether they ask the same."""

from typing import NamedTuple


class Pair(NamedTuple):
    one: str
    other: str
    same: bool
    answers: tuple[str, str] | None = None
    """None where they are not known."""
    shared: bool = True
    """Whether their evidence overlaps."""


def _same(one: str, other: str, answer: str | None = None, second: str | None = None, *, shared: bool = True) -> Pair:
    return Pair(one, other, True, None if answer is None else (answer, second or answer), shared)


def _apart(one: str, other: str, first: str | None = None, second: str | None = None, *, shared: bool = True) -> Pair:
    return Pair(one, other, False, None if first is None else (first, second or first), shared)


PAIRS: dict[str, tuple[Pair, ...]] = {
    "en": (
        # The same words, or hardly other ones.
        _same("When was the Forth Bridge opened?", "when was the forth bridge opened", shared=False),
        _same("How does kefir differ from yoghurt?", "How does yoghurt differ from kefir?", shared=False),
        _same("In what year was Salisbury's tower clock built?", "When was the tower clock of Salisbury built?", shared=False),
        _same("What is a Merkle tree?", "What are Merkle trees?", shared=False),
        _same("Who built the Antikythera mechanism?", "By whom was the Antikythera mechanism built?", shared=False),
        _same("How does a heat pump work?", "Explain how a heat pump works.", shared=False),
        _same("How many moons does Uranus have?", "What is the number of moons of Uranus?", shared=False),
        _same("Why are flamingos pink?", "What is the reason flamingos are pink?", shared=False),
        _same("What colour is ripe saffron?", "What color is ripe saffron?", shared=False),
        _same("How do enzymes catalyse reactions?", "How do enzymes catalyze reactions?", shared=False),
        _same("How long does cement take to cure?", "How long does cement need to cure?", "28 days"),
        _same("Where do European eels spawn?", "In which place do European eels spawn?", shared=False),
        _same("Who painted the ceiling of the Sistine Chapel?", "Who painted the Sistine Chapel's ceiling?", shared=False),
        _same("When did Vandals sack Ravenna?", "When was Ravenna sacked by Vandals?", shared=False),
        _same("What is the main role of the spleen in immunity?", "What is the role of the spleen in immunity?", shared=False),
        _same("In 1954, which team won the Bern final?", "Which team won the Bern final in 1954?", shared=False),
        # Other words of content, and the same evidence and answer.
        _same("When was the Øresund tunnel built?", "When was the Øresund tunnel constructed?", "Between 1995 and 1999."),
        _same("How tall is the Gateway Arch?", "What is the height of the Gateway Arch?", "192 metres", "It is 192 metres high."),
        _same("How many tackles did Kuechly register?", "How many tackles did Luke Kuechly register?", "118"),
        _same("Which steel bridge collapsed in Quebec?", "Which bridge collapsed in Quebec?", "The Quebec Bridge"),
        _same("Who designed the Lloyd's building?", "Which architect designed the Lloyd's building?", "Richard Rogers"),
        _same("What makes dough rise?", "What causes dough to rise?", "Carbon dioxide from yeast"),
        _same("At what temperature does beeswax melt?", "What is the melting temperature of beeswax?", "62 to 64 °C", "62–64 °C"),
        _same("How often should a sourdough starter be fed?", "How frequently should a sourdough starter be fed?", "Twice a day"),
        _same("What metal is used for solder wire?", "Which metal is solder wire made of?", "An alloy of tin"),
        # Names and numbers.
        _apart("When was the Forth Bridge painted?", "When was the Tay Bridge painted?", "1890", "1887"),
        _apart("When was Aldmoor's tramway opened?", "When was Brill's tramway opened?", "1899"),
        _apart("Who won the World Cup in 1966?", "Who won the World Cup in 1970?", "England", "Brazil"),
        _apart("What is the population of Austria?", "What is the population of Australia?", "9 million", "27 million", shared=False),
        _apart("What does HTTP status 404 mean?", "What does HTTP status 409 mean?", "Not found", "Conflict"),
        _apart("What is the half-life of iodine-131?", "What is the half-life of iodine-125?", "8 days", "59 days"),
        _apart("Who was Henry VII of England?", "Who was Henry VIII of England?", "The first Tudor king", "The second Tudor king"),
        _apart("How do I install version 2 of Zephyr?", "How do I install version 3 of Zephyr?", shared=False),
        _apart("What is the capital of North Dakota?", "What is the capital of South Dakota?", "Bismarck", "Pierre"),
        _apart("Who wrote the first volume of Kapital?", "Who wrote the second volume of Kapital?", "Marx"),
        _apart("What are the two valves of a clam for?", "What are the three valves of a clam for?", shared=False),
        _apart("How did World War I begin?", "How did World War II begin?", shared=False),
        _apart("What does plan A cost?", "What does plan B cost?", shared=False),
        _apart("Which metals do rust?", "Which metals do not rust?", "Iron"),
        # Another thing asked of the same.
        _apart("When was the Suez Canal nationalised?", "Why was the Suez Canal nationalised?", "1956", "To pay for the dam"),
        _apart("Who founded Angkor Wat?", "When was Angkor Wat founded?", "Suryavarman II", "In the 12th century"),
        _apart("How long is the Nile?", "How deep is the Nile?", "6,650 km", "8 to 11 m"),
        _apart("How is parchment made?", "Why is parchment made?", "From skins", "To write on"),
        _apart("Where was Kepler born?", "When was Kepler born?", "Weil der Stadt", "1571"),
        _apart("What is glass?", "What is glass made of?", "An amorphous solid", "Sand, soda and lime"),
        _apart("What is a notary?", "What does a notary do?", "An officer", "Certifies deeds"),
        _apart("Is tin toxic to fish?", "Why is tin toxic to fish?", shared=False),
        _apart("How many goals did Pele score?", "How did Pele score goals?", "77", "With either foot"),
        # Opposites, and sense turned round.
        _apart("When was the Crystal Palace opened?", "When was the Crystal Palace closed?", "1851", "1936"),
        _apart("Who defeated Napoleon at Leipzig?", "Who was defeated by Napoleon at Leipzig?", "The coalition", "Nobody"),
        _apart("Who killed Brutus?", "Who did Brutus kill?", "Himself", "Caesar"),
        _apart("What are the advantages of tidal power?", "What are the disadvantages of tidal power?", "Steady", "Costly"),
        _apart("Which is the largest moon of Saturn?", "Which is the smallest moon of Saturn?", "Titan", "Aegaeon"),
        _apart("When was the north tower of Chartres built?", "When was the south tower of Chartres built?", "1145"),
        _apart("What happens to a lizard with a tail?", "What happens to a lizard without a tail?", shared=False),
        _apart("Who is the president of the Alpine Club?", "Who was the president of the Alpine Club?", shared=False),
        _apart("What does Ghana import from Togo?", "What does Ghana export to Togo?", "Cement", "Gold"),
        # The same words in an order that counts, with and without names.
        _apart("How do I convert PDF to DOCX?", "How do I convert DOCX to PDF?", "With Export", "With Print"),
        _apart("What is the fare from Oxford to Reading?", "What is the fare from Reading to Oxford?", "£7", "£9", shared=False),
        _apart("Is a lender liable to a borrower?", "Is a borrower liable to a lender?", "Yes", "No"),
        _apart("When did trains replace horses?", "When did horses replace trains?", "1840", "Never", shared=False),
        _apart("Who taught Plato's teacher?", "Who did Plato's teacher teach?", shared=False),
        _apart("How many litres is a gallon of milk?", "How many gallons is a litre of milk?", "3.8", "0.26", shared=False),
        _apart("Why do foxes hunt hares at dusk?", "Why do hares hunt foxes at dusk?", shared=False),
        _apart("Which ferry sails from Corfu to Bari?", "Which ferry sails from Bari to Corfu?", "The Adria", "The Ionia"),
        _apart("May a tenant sue a neighbour?", "May a neighbour sue a tenant?", "Yes", "No", shared=False),
        _apart("How do I merge main into feature?", "How do I merge feature into main?", "git merge"),
        # And in one that does not.
        _same("How does a lute differ from a cittern?", "How does a cittern differ from a lute?", shared=False),
        _same("What do zinc and brine each have to do with rust?", "What do brine and zinc each have to do with rust?", shared=False),
        _same("Under the Hallmarking Act, who may stamp silver?", "Who may stamp silver under the Hallmarking Act?", shared=False),
        _same("Did Bruges flood before Ghent burned?", "Did Ghent burn before Bruges flooded?",
              "Yes. Bruges flooded in 1134. Ghent burned in 1240.", "No. Ghent burned in 1240. Bruges flooded in 1134."),
        _same("Who swam for Malta at Split?", "Who swam at Split for Malta?", shared=False),
        _same("What does the night train from Ely to Bath cost?", "What does the night train to Bath from Ely cost?", shared=False),
        _same("Is the dose 5 mg or 5 ml?", "Is the dose 5 ml or 5 mg?", shared=False),
        # Signs that are part of a word or a number.
        _apart("What does exit code -1 mean?", "What does exit code 1 mean?", "A signal", "Wrong usage"),
        _apart("What is C++?", "What is C#?", shared=False),
        _apart("Which flags does C++ take?", "Which flags does C take?", shared=False),
        _apart("What is the meaning of x < 5?", "What is the meaning of x > 5?", shared=False),
        _apart("What does $HOME hold?", "What does HOME hold?", shared=False),
        _apart("What happens at −40 degrees?", "What happens at 40 degrees?", shared=False),
        _apart("What does a lane marked 🚲 allow?", "What does a lane marked 🚌 allow?", shared=False),
        _apart("What can be had for £5 at the kiosk?", "What can be had for €5 at the kiosk?", shared=False),
        # Alike in letters, and not in what they are about.
        _apart("What do protons consist of?", "What do photons consist of?", "Quarks", "Nothing smaller"),
        _apart("How is copper smelted from ore?", "How is cobalt smelted from ore?", shared=False),
        _apart("What does the spleen store?", "What does the liver store?", "Platelets", "Glycogen", shared=False),
        _apart("Who is responsible for checking the pumps?", "Who is responsible for checking the valves?", "The mate", "The engineer"),
        _apart("What is the fee for late filing?", "What is the fee for late payment?", "30 euros", "45 euros"),
        _apart("Which acid is in vinegar?", "Which acid is in lemons?", "Acetic acid", "Citric acid", shared=False),
        _apart("How are caves formed in limestone?", "How are caves formed in lava?", "Rain dissolves it", "It drains away"),
        _apart("What is the deadline for an appeal?", "What is the court for an appeal?", "30 days", "The regional court"),
        _apart("How much does a goat eat in a day?", "How much does a goat drink in a day?", "2 kg", "6 litres"),
    ),
    "es": (
        _same("¿Qué es el adobe?", "¿qué es el adobe", shared=False),
        _same("¿En qué año se inauguró el Canal de Panamá?", "¿Cuándo se inauguró el Canal de Panamá?", shared=False),
        _same("¿Quién pintó Las Meninas?", "¿Por quién fueron pintadas Las Meninas?", "Velázquez"),
        _same("¿Cómo funciona una noria?", "Explica cómo funciona una noria.", shared=False),
        _same("¿Cuántos volcanes hay en Ecuador?", "¿Cuál es el número de volcanes de Ecuador?", "84"),
        _same("¿Cuándo se construyó el puente de Ronda?", "¿Cuándo se edificó el puente de Ronda?", "En 1793"),
        _apart("Nombra una de las causas de la ceguera.", "¿Qué causa la ceguera?", "El glaucoma", "Aislamiento", shared=False),
        _apart("Di una de las consecuencias del deshielo.", "¿Qué consecuencia tiene el deshielo de Groenlandia?", "Más mar"),
        _apart("¿Cuándo sustituyó el tren al caballo?", "¿Cuándo sustituyó el caballo al tren?", "1850", "Nunca", shared=False),
        _apart("¿Cuándo nació Cervantes?", "¿Cuándo murió Cervantes?", "1547", "1616"),
        _apart("¿Quién fundó Lima?", "¿Quién fundó Quito?", "Pizarro", "Benalcázar"),
        _apart("¿Qué pasó en Lepe en 1492?", "¿Qué pasó en Lepe en 1592?", shared=False),
        _apart("¿Dónde se cultiva el azafrán?", "¿Cuándo se cultiva el azafrán?", "En La Mancha", "En otoño"),
        _apart("¿Cuál es el río más largo de Chile?", "¿Cuál es el río más corto de Chile?", "El Loa", "El Lluta"),
        _apart("¿Por qué flota el corcho?", "¿Cómo flota el corcho?", "Por el aire", "De lado"),
    ),
    "de": (
        _same("Wann wurde der Kölner Dom vollendet?", "In welchem Jahr wurde der Kölner Dom vollendet?", shared=False),
        _same("Wie funktioniert eine Wärmepumpe?", "Erkläre, wie eine Wärmepumpe funktioniert.", shared=False),
        _same("Warum sind Flamingos rosa?", "Wieso sind Flamingos rosa?", shared=False),
        _same("Wer baute das Schloss Sanssouci?", "Von wem wurde das Schloss Sanssouci gebaut?", "Knobelsdorff"),
        _same("Wie viele Monde hat der Mars?", "Was ist die Anzahl der Monde des Mars?", "zwei"),
        _apart("Wann biss der Hund den Mann?", "Wann biss der Mann den Hund?", "1990", "1991", shared=False),
        _apart("Wann wurde Goethe geboren?", "Wann wurde Schiller geboren?", "1749", "1759"),
        _apart("Wann öffnet das Museum?", "Wann schließt das Museum?", "10 Uhr", "18 Uhr"),
        _apart("Wo entspringt die Donau?", "Wo mündet die Donau?", "Donaueschingen", "Schwarzes Meer"),
        _apart("Was kostet ein Antrag nach § 12?", "Was kostet ein Antrag nach § 14?", shared=False),
        _apart("Wer erfand den Buchdruck?", "Wann wurde der Buchdruck erfunden?", "Gutenberg", "1450"),
        _apart("Welche Pumpe fiel aus?", "Welches Ventil fiel aus?", "Pumpe B", "Ventil A"),
    ),
    "fr": (
        _same("Quand la tour Eiffel a-t-elle été construite ?", "En quelle année la tour Eiffel a-t-elle été construite ?", shared=False),
        _same("Qu'est-ce qu'un levain ?", "Qu’est-ce qu’un levain", shared=False),
        _same("Comment fonctionne une éolienne ?", "Expliquez comment fonctionne une éolienne.", shared=False),
        _same("Qui a peint La Joconde ?", "Par qui La Joconde a-t-elle été peinte ?", "Léonard de Vinci"),
        _same("Combien de ponts compte Lyon ?", "Quel est le nombre de ponts de Lyon ?", "28"),
        _apart("Quand est né Molière ?", "Quand est mort Molière ?", "1622", "1673"),
        _apart("Qui a fondé Québec ?", "Qui a fondé Montréal ?", "Champlain", "Maisonneuve"),
        _apart("Où pousse le safran ?", "Quand pousse le safran ?", "Au Cachemire", "En automne"),
        _apart("Pourquoi le liège flotte-t-il ?", "Comment le liège flotte-t-il ?", "Il contient de l'air", "À plat"),
        _apart("Que dit l'article 12 du code ?", "Que dit l'article 21 du code ?", shared=False),
        _apart("Quels sont les avantages du lin ?", "Quels sont les inconvénients du lin ?", "Solide", "Froissable"),
    ),
    "hi": (
        _apart("राम कहाँ है?", "रोम कहाँ है?", "अयोध्या", "इटली", shared=False),
        _apart("दिल का रंग क्या है?", "दाल का रंग क्या है?", "लाल", "पीला", shared=False),
        _same("ताजमहल कहाँ है?", "ताजमहल कहाँ है", shared=False),
    ),
    "th": (
        _apart("ป่าคืออะไร", "ป้าคืออะไร", shared=False),
        _same("ปลาอยู่ที่ไหน", "ปลาอยู่ที่ไหน?", shared=False),
    ),
    "ta": (
        _apart("கல் என்றால் என்ன?", "கால் என்றால் என்ன?", shared=False),
        _same("மழை எங்கே பெய்யும்?", "மழை எங்கே பெய்யும்", shared=False),
    ),
}  # fmt: skip
"""Written for this purpose; the evidence of each pair is its own, so that no other two are the same."""
