"""English verb forms: enough of them to turn a statement into a question, and to know when not to."""

_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beat beaten; become became become; begin began begun;
bend bent bent; bind bound bound; bite bit bitten; blow blew blown; break broke broken; breed bred bred;
bring brought brought; build built built; burst burst burst; buy bought bought; cast cast cast; catch caught caught;
choose chose chosen; come came come; creep crept crept; cut cut cut; deal dealt dealt; dig dug dug; draw drew drawn;
drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt;
fight fought fought; find found found; flee fled fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten;
freeze froze frozen; get got got; give gave given; go went gone; grind ground ground; grow grew grown; hang hung hung;
hear heard heard; hide hid hidden; hit hit hit; hold held held; keep kept kept; know knew known; lay laid laid;
lead led led; leave left left; lend lent lent; let let let; lie lay lain; lose lost lost; make made made;
mean meant meant; meet met met; overcome overcame overcome; overtake overtook overtaken; pay paid paid; put put put; quit quit quit; read read read;
ride rode ridden; ring rang rung; rise rose risen; run ran run; say said said; see saw seen; seek sought sought;
sell sold sold; send sent sent; set set set; shake shook shaken; shed shed shed; shine shone shone; shoot shot shot;
show showed shown; shrink shrank shrunk; shut shut shut; sing sang sung; sink sank sunk; sleep slept slept;
slide slid slid; speak spoke spoken; spend spent spent; spin spun spun; split split split; spread spread spread;
spring sprang sprung; stand stood stood; steal stole stolen; stick stuck stuck; strike struck struck;
strive strove striven; swear swore sworn; sweep swept swept; swim swam swum; swing swung swung; take took taken;
teach taught taught; tear tore torn; tell told told; think thought thought; throw threw thrown;
undergo underwent undergone; understand understood understood; undertake undertook undertaken; wear wore worn;
weave wove woven; win won won; wind wound wound; withdraw withdrew withdrawn; write wrote written
"""
_REGULAR = """
abandon abolish absorb accept accompany accomplish account accumulate accuse achieve acknowledge acquire act adapt add
address adjust administer admit adopt advance advise advocate affect agree aid aim align allocate allow alter amend
analyse analyze announce anticipate appeal appear apply appoint appreciate approach approve argue arrange arrest arrive
ascend ask assemble assert assess assign assist associate assume assure attach attack attain attempt attend attract
attribute authorise authorize avoid award back balance ban bar base battle belong benefit bind block boil bombard boost
borrow bounce bounce brew broadcast burn bury call calculate calibrate campaign cancel capture carry carve cause
cease celebrate centre challenge champion change characterize charge chart check circulate cite claim clarify classify
clean clear climb close coat coin collaborate collapse collect combine command commemorate commission commit compare
compensate compete compile complete compose comprise compress concede conceive concentrate conclude condemn conduct
confer confirm confront confuse connect conquer consider consist constitute construct consult consume contain continue
contract contrast contribute control convert convey convict convince cool cooperate coordinate copy correct correspond
cost counter couple cover crash create criticise criticize cross crush culminate cure damage date decay decide declare
decline decorate decrease dedicate defeat defend define delay delegate deliver demand demonstrate denote deny depart depend
depict deploy deposit derive descend describe design desire destroy detect deteriorate determine develop deviate devise
devote die differ diminish direct disagree disappear discharge discourage discover discuss dismiss display dispute dissolve
distinguish distribute disturb divide dominate donate double draft drain drift drop dry dump earn ease eject elect eliminate
embrace emerge emigrate emit emphasize employ empty enable enact encounter encourage end endorse endure enforce engage
engrave enhance enjoy enlarge enlist ensure enter entertain equal equip erect erode erupt escape establish estimate
evaluate evaporate evolve examine exceed exchange exclude execute exercise exert exhibit exist expand expect expel
experience experiment explain explode exploit explore export expose express extend extract face facilitate fail fall favor
favour feature fill film filter finance finish fire fit fix float flood flow flourish focus follow force forge form
formalize formulate found frame free fuel fulfil function fund gain gather generate govern grant guarantee guard guide halt
handle happen harm heat help highlight hire honor host house hunt identify ignite ignore illustrate imagine implement
imply import impose impress improve include incorporate increase incur indicate induce influence inform inhabit inherit
inhibit initiate injure insist inspect inspire install institute insulate integrate intend interact interfere interpret
intervene introduce invade invent invest investigate invite involve isolate issue join judge jump justify kill knock
label lack land last launch learn lift light like limit line link list live load loan locate lock look love lower
maintain manage manufacture march mark marry match mature measure melt merge migrate minimise minimize mix mobilize modify
monitor mount move multiply murder name narrow need negotiate note notice number obey object observe obtain occupy occur
offer open operate oppose orbit order organise organize originate oscillate outlaw outline overlap oversee overthrow own
oxidize pack paint park participate pass patent peak perceive perform permit persist persuade pioneer place plan plant play
plead pledge point polish popularise popularize populate portray possess postpone pour power practice praise preach precede
predict prefer prepare present preserve press prevail prevent proceed process proclaim produce progress prohibit project
promise promote prompt propel propose protect protest prove provide publish pull pump punish purchase pursue push qualify
quote rain raise range rank rate ratify reach react realise realize rebuild receive recognise recognize recommend record
recover recruit reduce refer refine reflect reform refuse regain regard register regulate reign reinforce reject relate relax
release rely remain remark remember remind remove rename render renew renounce rent repair repeat repel replace reply report
represent reproduce request require rescue research resemble reserve reside resign resist resolve respond restore restrict
result resume retain retire retreat return reveal reverse review revise revolve revolt reward roll rotate rule sail sample
satisfy save scan scatter schedule score seal search secure seem seize select separate serve settle shape share shift
ship shorten sign signal slow smooth solve sound spark specify speculate stage star start state stay steer stem step stimulate
stop store strengthen stress stretch study submit succeed suffer suggest suit supervise supply support suppose suppress surpass
surrender surround survey survive suspect suspend sustain switch symbolize target tend terminate test thank threaten tie
tighten time tolerate touch tour trace track trade train transfer transform translate transmit transport trap travel treat
trigger trust try turn undermine unify unite update uphold urge use utilise utilize value vanish vary venture view violate visit
vote wait walk want warm warn wash waste watch weaken weigh welcome widen wish witness work worry wrap yield err lengthen beat darken harden soften sharpen straighten vibrate swell ring toll chime tick
average count freeze cling slip click spiral stretch tune adjust gauge peel melt strike point pull push cure
dispatch credit insert strip encode plague disable concern flatten debate route infer complicate conceal inflict demolish
promulgate synthesize drown deem disqualify ordain displace localize muster commence decommission miss struggle coach post
detain intercept relegate mention raid partner evoke distill lament simulate envisage subscribe blame infect wipe
redistribute debut premiere air kidnap exile sack activate differentiate constrain opt subsidize reintroduce consolidate
hamper succumb contradict entail stipulate doubt assimilate decree mock outnumber animate dictate erase exemplify escort
divorce finalize inaugurate exhaust revive renovate relocate detach bequeath sanction elevate sort diverge discard question
amass inquire pick clinch waive respect discontinue upgrade fortify enclose garner embark leak comment augment relieve
penetrate wound fuse hoist answer restart preclude specialise divert shelter evade
"""
_DOUBLING = frozenset(
    """admit ban bar commit compel confer control drop emit equip excel expel fit incur knot occur omit overlap permit
    plan plot prefer propel rebel refer regret repel ship shop spot step stop submit swap tap trap transfer transmit
    trim wrap zip strip kidnap opt infer""".split()  # noqa: SIM905 (read as text)
)


def _past_of(base: str) -> str:
    """Of a regular verb."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


def singular(base: str) -> str:
    """`drive` → `drives`."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


PAST: dict[str, str] = {}
"""Past tense to base form."""
PARTICIPLE: dict[str, str] = {}
"""Past participle to base form."""
SINGULAR: dict[str, str] = {"has": "have"}
"""Third person singular to base form."""
BASES: set[str] = {"have"}
PAST_BY_BASE: dict[str, str] = {"have": "had"}
"""Base form to past tense."""


def _fill() -> None:
    forms = [entry.split() for entry in _IRREGULAR.replace("\n", " ").split(";")]
    irregular = {base for base, _, _ in forms}
    forms += [[base, _past_of(base), _past_of(base)] for base in _REGULAR.split() if base not in irregular]
    for base, past, participle in forms:
        # `found` is the past of `find` far more often than the base form of `founded`; forms that equal
        # their base say nothing of the tense.
        if past != base:
            PAST.setdefault(past, base)
        PARTICIPLE.setdefault(participle, base)
        SINGULAR.setdefault(singular(base), base)
        PAST_BY_BASE.setdefault(base, past)
        BASES.add(base)


_fill()

BE = frozenset({"is", "are", "was", "were"})
MODALS = frozenset({"can", "could", "may", "might", "will", "would", "must", "should"})
AUXILIARIES = BE | MODALS | {"did", "does", "do"}
PAST_AUXILIARIES = frozenset({"was", "were", "did", "could", "would", "had"})


def is_participle(word: str) -> bool:
    """A past participle, known or by its ending."""
    return word in PARTICIPLE or (word.endswith("ed") and len(word) > 4)


def past_of_participle(word: str) -> str | None:
    """`written` → `wrote`; None for a verb that is not known."""
    base = PARTICIPLE.get(word)
    return PAST_BY_BASE[base] if base else None


def is_finite(word: str) -> bool:
    """May be the verb of a clause of its own: an auxiliary, or a form that is nothing but past or third person."""
    return word in AUXILIARIES or word in {"has", "have", "had"} or word in PAST
