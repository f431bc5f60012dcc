"""Past to present, for the English narration of our own books. Speech is left alone; `{a|b}` says both by hand."""

from __future__ import annotations

import re
from typing import Final

from liyuan.model.playbook.book import words

_BY_HAND: Final = re.compile(r"\{([a-z' ]+)\|([a-z' ]+)\}")
_PIECES: Final = re.compile(r"“[^”]*”|\{[^}]*\}|[A-Za-z']+|.", re.DOTALL)

_IRREGULAR: Final = dict(
    pair.split(":")
    for pair in words("""
        was:is were:are had:has did:does could:can would:will began:begins bent:bends blew:blows broke:breaks
        brought:brings came:comes caught:catches drew:draws fell:falls felt:feels found:finds gave:gives got:gets
        grew:grows heard:hears held:holds hid:hides hung:hangs kept:keeps knew:knows lay:lies laid:lays left:leaves
        let:lets lost:loses made:makes meant:means met:meets put:puts ran:runs rang:rings said:says sat:sits saw:sees
        sent:sends set:sets shook:shakes shut:shuts slid:slides smelled:smells spoke:speaks stood:stands struck:strikes
        swung:swings thought:thinks told:tells took:takes undid:undoes went:goes carried:carries studied:studies
        tied:ties
    """)
)
_REGULAR: Final = frozenset(
    words("""
        agreed altered answered arrived asked barked behaved betrayed blinked breathed brightened brushed bumped called
        changed climbed closed considered coughed counted covered creaked crossed decided dipped dropped favoured
        filled folded followed gathered glanced grinned grunted hummed inclined jumped knocked landed lasted laughed
        leaned lifted listened lived looked marked measured missed moved muttered narrowed needed nodded noticed
        offered opened passed paused pressed pushed raised remembered rested rubbed seemed settled shaped shifted
        shoved showed silenced slackened slowed smiled smoothed softened sounded squatted stayed stirred stopped tapped
        thinned ticked tightened tilted touched trimmed turned waited walked watched waved wiped wrinkled
    """)
)
_ENDS_IN_E: Final = frozenset(
    words("""
        agree arrive behave breathe change close decide glance incline live measure move notice pause raise settle
        shape shove silence smile wave wipe wrinkle
    """)
)
_DOUBLED: Final = re.compile(r"(bb|dd|gg|mm|nn|pp|rr|tt)$")
_HELPERS: Final = frozenset(
    words("had has have was were is are be been being having to would could did does should not")
)
_ADVERBS: Final = frozenset(words("already just almost only ever never at once then now suddenly not still quickly"))


def told_now(line: str) -> str:
    """A line of narration in the present tense. A participle after a helping verb stays as it is."""
    seen: list[str] = []
    return "".join(_piece(piece, seen) for piece in _PIECES.findall(line))


def told_then(line: str) -> str:
    """A line of narration as it was written: of what is said by hand, the past."""
    return _BY_HAND.sub(r"\1", line)


def _piece(piece: str, seen: list[str]) -> str:
    by_hand = _BY_HAND.fullmatch(piece)
    helped = _helped(seen)
    if not piece.isspace():
        seen.append(by_hand[1] if by_hand else piece.lower())
    if by_hand:
        return by_hand[2]
    if helped or not piece[0].isalpha() or (piece == "were" and {"if", "though"} & set(seen[-6:])):
        return piece
    return _present(piece)


def _helped(seen: list[str]) -> bool:
    before = next((word for word in reversed(seen) if word not in _ADVERBS), "")
    return bool(seen) and (seen[-1] in _HELPERS or before in _HELPERS)


def _present(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word not in _REGULAR:
        return word
    if word[:-1] in _ENDS_IN_E:
        return word[:-1] + "s"
    stem = word[:-2]
    if _DOUBLED.search(stem):
        return stem[:-1] + "s"
    return stem + ("es" if stem.endswith(("ch", "sh", "ss", "x")) else "s")
