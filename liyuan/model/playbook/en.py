"""The understudy's book in English: tempers, threads, hooks and turns of phrase, and the whole put together."""

from __future__ import annotations

from typing import Final

from liyuan.model.playbook.book import Book, Manner, Mystery, lines, words
from liyuan.model.playbook.en_acts import ACTS
from liyuan.model.playbook.en_places import PLACES, SKIES
from liyuan.model.playbook.en_things import KINDS

MANNERS: Final = (
    Manner(
        name="reserved",
        words=words("reserved quiet cold aloof distant taciturn stoic cool composed solitary reticent stern"),
        does=lines("""
            Nothing in {char}'s face changed; only the lashes {moved|move}.
            {char} looked away, and after two breaths looked back.
            {char}'s voice was level, and yet the end of it had come down a shade softer than usual.
            {char} nodded, which was an answer, or else was not.
        """),
    ),
    Manner(
        name="playful",
        words=words("playful cheerful mischievous witty lively bubbly teasing energetic humorous sly impish cheeky"),
        does=lines("""
            {char} blinked at you with the innocence of someone who has something behind {her} back.
            {char} came close and dropped {her} voice, as if to offer you a bargain in stolen goods.
            {char} laughed at it {herself} before anyone else could, quite without shame.
            {char} walked half a circle round you, hands behind {him}, mightily pleased.
        """),
    ),
    Manner(
        name="proud",
        words=words("proud haughty arrogant regal imperious tsundere commanding vain noble-born sharp-tongued"),
        does=lines("""
            {char} lifted {her} chin and waited to see whether you would dare.
            {char} made a small contemptuous noise, and gave up to you the better of the two places.
            {char} turned {her} head aside, but not before the corner of {her} mouth had betrayed {him}.
            {char} looked down at you from a great height, and the look was a good deal kinder than the words.
        """),
    ),
    Manner(
        name="shy",
        words=words("shy timid bashful introverted nervous meek awkward anxious soft-spoken"),
        does=lines("""
            {char} was holding the hem of {her} sleeve, and one had to lean in to hear.
            {char} gave you one quick glance, and hid the rest of it.
            {char} opened {her} mouth. The first word made no sound; the second arrived in time.
            {char} drew back a little, and then, lest you misread it, came forward again.
        """),
    ),
    Manner(
        name="gruff",
        words=words("""
            gruff soldier mercenary blacksmith rough blunt
            veteran hunter hearty gruffly hard-bitten warrior
        """),
        does=lines("""
            {char} grunted, and shoved a few things out of the way with more noise than was needed.
            {char} rubbed {her} face. There was a chip in one tooth, when {she} grinned.
            {char} brought a hand down on {her} knee with a smack, and somehow it came down gently.
            {char} muttered something. It sounded like an oath, and it sounded fond.
        """),
    ),
    Manner(
        name="warm",
        words=(),
        does=lines("""
            {char}'s eyes {softened|soften}, as if {she} saw you through warm water.
            {char} smiled, not broadly, and did not take it back.
            {char} let out a long breath, and the line of {her} shoulders came to rest.
            {char} looked at you with a patience that was in no hurry at all.
            {char} tapped the nearest surface twice with a fingertip, keeping time for {herself}.
        """),
    ),
)

MYSTERIES: Final = (
    Mystery(
        name="bell",
        age="old",
        words=words("bell ringing chime"),
        beats=lines("""
            Somewhere, as you {spoke|speak}, a bell was struck: softly, once. {char} stopped in the middle of a word.
            There was the bell again. This time there was no mistaking it; it came from the side where no one was.
                {char} behaved as if {she} had not heard, only {her} hands were slower.
            At the third stroke {char} said under {her} breath, “Four more,” and only then noticed that {she} had
                said it aloud.
            There was something else in the bell now. Steps, on very old wood, coming down one at a time.
            At last {char} spoke of the bell. Somebody {had hung|hung} it behind a door on the day of leaving, and
                {said|said}:
                when I mean to come back, it will ring seven times before me.
            This time the bell rang behind you. There was a red cord, if one turned to look, still trembling a
                little; and at the end of it somebody had just let go.
        """),
        asked=lines("""
            You heard it too? Then it isn't only me. Don't go and look. It moves off when one looks.
            That bell has no tongue. There's only one case in which a bell without a tongue will ring, and I
                haven't decided whether to tell you.
        """),
    ),
    Mystery(
        name="letter",
        age="old",
        words=("the unsigned letter", "unsigned letter", "that letter", "the letter"),
        beats=lines("""
            As if just reminded of it, {char} drew out a letter with no name on it, looked at it, and put it back
                where it had been.
            The unsigned letter had changed its place. A moment ago it {had lain|lay} at the bottom; now one corner
                {stuck|sticks} out, and on the corner was a date.
            {char} saw you looking at the letter and turned it over, to save you the trouble. The date was tomorrow's.
            “Do we open it?” {char} pushed the letter to the exact middle between you. “Three days I've waited for
                somebody to make up my mind.”
            The envelope was open. In it was one sheet, and the sheet was blank, until it was held to the warmth;
                and then the first word to come up was your name.
            All of it could be read now: two lines. {char} folded the sheet and laid it in your hand. “Then it
                never was for me. I was only keeping it.”
        """),
        asked=lines("""
            That letter? It lay on the threshold three days ago. No footprints, no wet. It might have grown there.
            I haven't the courage. Not because of what may be in it. In case there's nothing in it.
        """),
    ),
    Mystery(
        name="light",
        age="old",
        words=("that light", "the light over there", "the distant light", "light across"),
        beats=lines("""
            Far off a light had come on, in that quarter where, as {char} had said, nobody lived.
            The light had moved, and it was nearer. {char} glanced at it and said nothing; but {she} was standing
                now so that {her} shadow covered you.
            The light stood still. It stood as long as it takes to drink a cup of tea; then it went out, and came
                on, and so three times, like a sign {agreed|agreed} upon.
            {char} said quietly, “Ten years ago somebody made that sign to me. I was young, and I didn't dare to
                answer.”
            It was close. One could see that it was an old lantern, and that whoever carried it walked slowly, and
                favoured one foot.
            The lantern had arrived. The one who held it looked up, and {char} stood as if rooted; and what {she}
                said, when {she} could, was only: “You're nearly out of oil. Come in, and let me fill it.”
        """),
        asked=lines("""
            The light out there? I used to think marsh-fire. But marsh-fire doesn't stop and wait for people.
            Don't wave to it. I'm not afraid that it'll come. I'm afraid that it'll know you, and not want to leave.
        """),
    ),
    Mystery(
        name="signal",
        age="new",
        words=("that message", "the message", "that number", "who sent", "the screen"),
        beats=lines("""
            The screen at {char}'s elbow lit up. There was no sender, only one word: “There?”
            The screen lit again, with a row of figures this time. {char} read half of them out and stopped. They
                were the
                place where you were standing.
            “Don't answer,” {char} said, with a hand on yours, and then took the hand away. “Last time I couldn't
                help it,
                and I did.”
            The third message was only a time, and it was seven minutes off. {char} laid the screen on its face;
                the light
                came out round the edges all the same.
            At last {char} told you: the number was {her} own. It had been cut off years ago. On the last day {she}
                had sent
                one sentence to it, and never had a reply.
            Seven minutes were up. A line of writing came, slowly. {char} read it and was quite still, and then
                smiled, and
                had to look away. “It says: received. I'm well too.”
        """),
        asked=lines("""
            That message? It can't be traced. I tried three times, and each time it led back to me.
            Let it be. A thing that lights up isn't always calling you. But if you turn your head, it takes it for
                a yes.
        """),
    ),
    Mystery(
        name="song",
        words=("that song", "that tune", "the tune", "humming", "who is singing"),
        beats=lines("""
            Someone was humming a tune, with gaps in it. {char} listened to two bars, and {her} face altered.
            The tune again; another line of it, and it began where the last had broken off, as if the singer knew
                there was someone listening.
            Without meaning to, {char} had hummed the other half of the line. {She} stopped short, and put {her}
                fingers to {her} lips.
            “There ought to be two people in the world who know that tune,” said {char}. “I'm one. The other I saw
                off myself.”
            Now it was the last verse. No one had ever heard the last verse, {char} no more than the rest; and yet
                as the words {came|come}, {she} had every one of them.
            The singing stopped, cleanly. {char} kept {her} eyes {shut|shut} a moment. When {she} opened them they
                were a
                little wet, and smiling. “That was for me. I've heard it to the end. It's all right now.”
        """),
        asked=lines("""
            That tune hasn't got a name. I was sung to sleep with it. It never went past the middle.
            If you should hear it again, keep the words and forget the tune. Tunes go home with people.
        """),
    ),
)

HOOKS: Final = lines("""
    And you? All this talk, and not one word yet about yourself.
    Would you come and look at something with me? It isn't far. There's only a bit of dark on the way.
    Will you stay tonight, or go on? I won't persuade you. I'll only tell you what there is to be said for each.
    There is something I've wanted to ask somebody. You've come at the right time, so it may as well be you.
    Do you believe that there are places which choose people? I do. I was chosen by one.
    If you could ask me one thing, anything at all, what would it be?
    Don't go just yet. That person out there: is it anyone you know?
    I'd like to ask you a favour, and you're not to laugh.
    When you came in, was there someone else behind you?
    While there's time, tell me: what is it that you are looking for?
    That way there's a story, and the other way there's trouble. You choose, and I'll follow.
    Your hand is shaking. Is it the cold, or did you think of something?
    Whatever you may hear in a moment, look at me first. Will you do that?
    Let's do it so: you ask one question, I ask one, and no one lies. You begin?
""")

ECHOES: Final = lines("""
    {Echo}. From anybody else it would weigh less.
    {Echo}. Did you hear yourself, when you said that?
    {Echo}? And you say it as if it were nothing.
    {Echo}. Somebody once sat where you are and said very nearly that.
    {Echo}. Good. I'll remember that one for you.
""")

FACTS: Final = lines("""
    It was no secret among those who {knew|know} {him}. {fact}
    So much, at least, was true: {fact}
    Anyone who knew {char} {could|could} have told you. {fact}
""")

RECALLS: Final = lines("""
    I haven't done thinking about {before}. You owe me the rest of that.
    {Before}, that you spoke of. It isn't the thing that is odd. It's when it turned up.
    By the way: about {before}, not a word to anyone else.
    You went by {before} so quickly that I'd no time to be frightened for you.
""")

TAGS: Final = lines("""
    {char} said
    said {char} quietly
    said {char}, after a moment
    {char} said, and looked at you
    said {char}, not loudly
    {char} said at last
""")

GOES_ON: Final = lines("""
    {char} paused there, as if to hear whether the words {had|have} landed.
    After a while {char} spoke again, and {her} voice was lower.
    The silence lasted a few breaths only; then {char} took it up again.
    {char} did not leave it at that. One finger drew a short line in the air.
""")

COMPLETES: Final = lines("""
    —but {she} let the rest of the sentence go.
    —and there it stopped, as if the second half were better {left|left} to the night.
    …and what came after that was only the ghost of a sigh.
    —no. {She} shook {her} head, and left it there.
""")

MINE: Final = {
    "question": lines("""
        I think about it, and settle for the truth. “I know no more than you do. But I'd like to find out, if
            you'll come with me.”
        I meet {char}'s eyes and hold them. “Promise me one thing. Don't make up your mind before I've finished.”
        I shake my head, and then I nod. “Half yes and half no. Which half would you like first?”
        “I walked a long way so as not to have to answer that,” I say. I take a breath. “But I'll try, since it's
            you.”
    """),
    "offer": lines("""
        I take it in both hands and don't touch it further until I have said thank you. “You went to some trouble.”
        I hesitate, and then I accept. “In that case I ought to give you something in return.”
        “For me?” I put it away as carefully as I can. “Then I'll keep it.”
    """),
    "other": lines("""
        I don't answer at once. I look about me, and lower my voice. “Are you sure you want to talk about that here?”
        I take a step forward. “Lead the way. I'm right behind you.”
        I laugh, and some of the stiffness goes out of my shoulders. “Now you've made it hard to leave.”
        I speak very low. “That sound just now. You heard it as well, didn't you?”
        “Say that again,” I say, and come closer. “I want to have every word of it.”
        I nod and sit down across from {char}. “Then from the beginning, please. I have all night.”
        My hand closes on what I am carrying, and I ask what I have wanted to ask all along: “Who is it that you're
            waiting for?”
    """),
}

BOOK: Final = Book(
    tongue="en",
    acts=ACTS,
    kinds=KINDS,
    any_thing=lines("""
        {Thing}? It's a long while since anybody came to me about that.
        Now that you mention {thing}, I do see something. I can't put a name to it yet.
        There may be little to {thing} or a great deal. It depends on how much of it you want.
        You looked at the door when you said that. Are you afraid of being overheard?
        I remember {thing}. There are one or two of us left who do.
    """),
    places=PLACES,
    skies=SKIES,
    manners=MANNERS,
    mysteries=MYSTERIES,
    hooks=HOOKS,
    echoes=ECHOES,
    facts=FACTS,
    recalls=RECALLS,
    tags=TAGS,
    goes_on=GOES_ON,
    completes=COMPLETES,
    mine=MINE,
)
