import pytest

from ragset.generation.offline.questions import questions


def asked(sentence: str, chunk: str = "") -> list[str]:
    return [question.text for question in questions(sentence, chunk or sentence)]


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        # causes
        ("Steam leaks easily because it passes every seal.", "Why does steam leak easily?"),
        ("Edinburgh added a gun in 1861, because fog hid the ball.", "Why did Edinburgh add a gun in 1861?"),
        ("Due to low sales, Valkyria Chronicles III was not localized.", "Why was Valkyria Chronicles III not localized?"),
        ("Pendulum clocks need a firm wall so that the case cannot sway.", "Why do pendulum clocks need a firm wall?"),
        ("Christiaan Huygens used curved cheeks to reduce circular error.", "Why did Christiaan Huygens use curved cheeks?"),
        # means
        (
            "Christiaan Huygens tried to abolish circular error by hanging the pendulum between cheeks.",
            "How did Christiaan Huygens try to abolish circular error?",
        ),
        # comparison
        ("Construction differs from manufacturing in that it is done on site.", "How does construction differ from manufacturing?"),
        ("A quartz clock is more accurate than a pendulum clock.", "How does a quartz clock compare with a pendulum clock?"),
        # condition
        ("If a verge watch is shaken, its rate changes at once.", "What happens if a verge watch is shaken?"),
        # definitions
        ("A prime number is a natural number greater than one.", "What is a prime number?"),
        ("William Farel was a student of Lefevre who preached in Geneva.", "Who was William Farel?"),
        ("Jacksonville is the largest city by area in the United States.", "What is the largest city by area in the United States?"),
        # agents
        ("The pendulum clock was invented by Christiaan Huygens in 1656.", "Who invented the pendulum clock?"),
        ("Terry Nation wrote The Curse of the Daleks in 1965.", "Who wrote The Curse of the Daleks?"),
        ("The accuracy of a sundial is limited by the width of its shadow.", "What limits the accuracy of a sundial?"),
        # dates
        ("The pendulum clock was invented by Christiaan Huygens in 1656.", "When was the pendulum clock invented by Christiaan Huygens?"),
        ("Tesla died on 7 January 1943.", "When did Tesla die?"),
        ("In 1237 Batu Khan launched an invasion into Kievan Rus.", "When did Batu Khan launch an invasion into Kievan Rus?"),
        ("Greenland signed a treaty in 1985.", "What did Greenland sign in 1985?"),
        # numbers
        ("The Karnak bowl carries twelve columns of marks.", "How many columns of marks does the Karnak bowl carry?"),
        ("The Humber Bridge is 2,220 m long.", "How long is the Humber Bridge?"),
        ("A rise of 10 °C lengthens a steel rod by 115 parts in a million.", "By how much does a rise of 10 °C lengthen a steel rod?"),
        ("There are 75 members in the Scottish Committee.", "How many members are there in the Scottish Committee?"),
        # relations
        ("The gnomon of a sundial is used to cast a shadow.", "What is the gnomon of a sundial used for?"),
        ("The Antikythera mechanism consists of at least thirty gears.", "What does the Antikythera mechanism consist of?"),
        ("The verge escapement forces a pendulum to swing widely.", "What does the verge escapement force a pendulum to do?"),
        ("The Royal Observatory is located on a hill in Greenwich.", "Where is the Royal Observatory located?"),
        ("Disorders of the immune system can result in cancer.", "What can disorders of the immune system result in?"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_question(sentence: str, question: str) -> None:
    assert question in asked(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "He invented the pendulum clock in 1656.",
        "It is a clock that uses a pendulum.",
        "This method was invented in 1656.",
        "The device was invented in 1656.",
        "The two men built the clock in 1656.",
        "Some scholars wrote the book in 1656.",
        "The clock built by Huygens in 1656.",
        "What is a clock?",
        "the clock was invented in 1656.",
        "The pendulum clock was invented in 1656",
    ],
)
def test_a_sentence_without_a_named_subject_or_a_form_of_its_own_gives_none(sentence: str) -> None:
    assert asked(sentence) == []


def test_an_insertion_between_commas_is_left_out() -> None:
    sentence = "Charles Dowd, a schoolmaster in Saratoga, proposed belts of equal time in 1870."
    assert "When did Charles Dowd propose belts of equal time?" in asked(sentence)


def test_brackets_are_left_out() -> None:
    assert asked("DECnet (1975) is a suite of network protocols.") == ["What is DECnet?"]


def test_an_opening_that_ties_the_sentence_to_another_is_left_out() -> None:
    assert asked("However, DECnet is a suite of network protocols.") == ["What is DECnet?"]


def test_a_surname_becomes_the_full_name_that_the_chunk_gives() -> None:
    chunk = "James Hutton was born in Edinburgh. Hutton published his theory in 1795."
    assert "When did James Hutton publish his theory?" in asked("Hutton published his theory in 1795.", chunk)


def test_a_common_noun_loses_its_capital_and_a_name_keeps_it() -> None:
    assert "What does construction depend on?" in asked("Construction depends on the weather and the ground.")
    assert "What does Nepal depend on?" in asked("Nepal depends on the rain and the rivers.")


def test_two_readings_of_a_verb_form_give_nothing() -> None:
    # "converted" is no verb here: the clause ends in "are".
    assert not any("did" in question for question in asked("The lines converted to gas in 1900 are closed."))


def test_the_exam_wording_keeps_the_order_of_the_statement() -> None:
    best = questions("Incense burns evenly because a glowing front needs little air.", "Sticks of incense.")[0]
    assert best.indirect == "why incense burns evenly"


def test_the_short_answer_of_a_date_has_its_preposition() -> None:
    found = {question.kind: question.answer for question in questions("Tesla died on 7 January 1943.", "")}
    assert found["when"] == "On 7 January 1943"


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        # What is counted is kept whole, and where or how often is not part of it.
        ("Army trainees receive 12 weeks of basic medical training in Leeds.", "How many weeks of basic medical training do army trainees receive in Leeds?"),
        ("The Karnak bowl carries twelve columns of marks inside.", "How many columns of marks does the Karnak bowl carry inside?"),
        ("The Lisbon plant produces 40 tons of dried fish a year.", "How many tons of dried fish does the Lisbon plant produce a year?"),
        ("The Orwell dock employs 300 clerks of the third class.", "How many clerks of the third class does the Orwell dock employ?"),
        # Figures of rules and manuals.
        ("Velobau repairs around 60 bikes a day.", "How many bikes does Velobau repair a day?"),
        ("The Orr dam releases about 300 litres per second.", "How many litres does the Orr dam release per second?"),
        ("Code F3 was introduced with firmware 2.1.", "With which firmware was Code F3 introduced?"),
        ("The Quell importer was removed in version 3.0.", "In which version was the Quell importer removed?"),
        ("The maximum system pressure is 10 bar.", "What is the maximum system pressure?"),
        ("The weight of the hay press is 410 kg.", "What is the weight of the hay press?"),
        # How it was done says nothing of by whom.
        ("The Tyrell bridge was designed entirely by Ada Quill.", "Who designed the Tyrell bridge?"),
        # The circumstance of a record is no part of what is held.
        ("Mount Ebal is the highest peak in Samaria at 940 metres.", "What is the highest peak in Samaria?"),
        ("Tom Rudge is the oldest player ever to win the Leeds Cup at age 41.", "Who is the oldest player ever to win the Leeds Cup?"),
        # What is done at the start of a sentence is no name.
        ("Reading Parquet is faster because columns are skipped.", "Why is reading Parquet faster?"),
        ("Making Roquefort is costly because the caves are small.", "Why is making Roquefort costly?"),
        ("Boiling Springs is warm because the rock is hot.", "Why is Boiling Springs warm?"),
    ],
)  # fmt: skip
def test_what_is_kept_and_what_is_cut(sentence: str, question: str) -> None:
    assert question in asked(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        # to order somebody is not to order it
        "Philip of Spain ordered Pedro Menéndez to sail to Florida.",
        "Maria Theresa appointed Luis Vives to teach the young prince.",
        "Queen Ida Horne commissioned Ellen Marsh to write the history of Leith.",
        # how often has no one date and no one doer
        "Plague occurred in Venice 22 times between 1361 and 1528.",
        "The Orr valley was flooded every winter in the 1890s.",
        "The Selm kiln was repaired twice in 1911.",
        "The Tyrell bridge was painted three times by Ada Quill.",
        "The Tyrell bridge was designed partly by Ada Quill.",
        # what goes on has no one date
        "Barker continued to attend evening classes in Croydon in 1924.",
        "Ellen Marsh remained in Leeds in 1931.",
        # what it is besides
        "Barker was a devout Anglican.",
        "Hunwick was the ninth player to make his debut from there.",
        "Atlanta was 204 feet long.",
        # one that was told of
        "The entire international conflict is known as the Orange War.",
        "The resulting political crisis was called the Long Winter.",
        # what is said of it in many ways
        "A sundial shows the time by the shadow of a fixed edge.",
        "Southern California consists of a heavily developed urban environment.",
        "Jacksonville suffered from negative effects of rapid growth.",
        "Johansen participated in the trials of the new ship.",
        "The Leeds Bible influenced other vernacular translations.",
        "Inflammation causes a great deal of oxidative stress.",
        # half a value is none
        "The pressure is 10 bar.",
    ],
)
def test_what_has_no_one_answer_is_not_asked(sentence: str) -> None:
    assert asked(sentence) == []


def test_a_narrower_subject_or_a_place_may_be_asked_what_it_shows_or_causes() -> None:
    assert asked("The French Confession of 1559 shows a decidedly strict influence.") == [
        "What does the French Confession of 1559 show?"
    ]
    assert "What does a steam turbine consist of?" in asked(
        "A steam turbine consists of one or more rotors on a shaft."
    )
    assert "What does inflammation cause in the lungs of Alpine marmots?" in asked("In the lungs of Alpine marmots, inflammation causes a loss of air sacs.")  # fmt: skip


def test_what_a_thing_is_besides_is_not_what_it_is() -> None:
    chunk = "Jena is the second largest city of Thuringia. Jena is the seat of a university that was founded in 1558."
    assert "What is Jena?" not in asked("Jena is the seat of a university that was founded in 1558.", chunk)
    alone = "Jena is the seat of a university that was founded in 1558."
    assert "What is Jena?" in asked(alone, f"In 1806 a battle was fought near Jena. {alone}")


def test_half_a_price_is_no_short_answer() -> None:
    (found,) = questions("A ferry ride costs 1.20 euros to start and 0.18 euros per minute.", "")
    assert (found.text, found.answer) == ("How much does a ferry ride cost?", "")
