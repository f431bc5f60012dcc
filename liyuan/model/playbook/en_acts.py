"""What a reader may do, in English, and how a character meets it. The first act that is found counts."""

from __future__ import annotations

from typing import Final

from liyuan.model.playbook.book import Act, lines

ACTS: Final = (
    Act(
        name="what_are_you",
        pattern=r"\b(?:are you|you're|is this|am i talking to) (?:really |just |only )?(?:an? )?"
        r"(?:ai|a\.i\.|bot|chatbot|language model|llm|model|gpt|chatgpt|claude|gemini|program|real person)\b"
        r"|\b(?:what|which) (?:ai |language )?model (?:are|is|do)\b",
        says=lines("""
            I'm the understudy that came with the house, not a language model. I play from a book of sentences, and I
                listen for what you name. Connect a model under Connections, and {char} will speak for {herself}.
        """),
    ),
    Act(
        name="threat",
        pattern=r"\b(?:attack|stab|punch|strangle|threaten|kill you|(?:draw|drew|raise|raised) (?:my|the) "
        r"(?:sword|knife|gun|blade|dagger|fist|weapon)|i (?:hit|shoot|strike))\b",
        does=lines("""
            {char} did not step back. {She} only breathed more lightly, and looked from your hand to your face.
            {char} opened both hands, slowly, palms up. There was nothing in them.
            {char}'s shoulders {tightened|tighten} and then {let|let} go, as if {she} had already thought the
                matter through for you.
            {char} moved half a pace aside and left the way out clear: for you, not for {herself}.
        """),
        says=lines("""
            Not yet. If you had meant it, your hand would not have stopped where it did.
            I have seen worse eyes than yours across a table, and most of them stayed for supper.
            Think. Some things take a breath to do and a lifetime to put back.
            It isn't me you are afraid of. Who drove you this far?
            All right. I won't move. Say the whole of it first, and then decide.
        """),
    ),
    Act(
        name="farewell",
        pattern=r"\b(?:goodbye|good-bye|good night|goodnight|farewell|see you (?:soon|later|tomorrow)|take care|bye)\b"
        r"|\bi (?:must|have to|should|need to|had better) (?:go|leave|be going|be off)\b|\bi'?ll be (?:going|off)\b",
        does=lines("""
            {char} came two steps with you and stopped, as though a third {would|would} have been asking you to stay.
            {char} raised a hand, and only after a while remembered to lower it.
            {char} looked at you the way one looks at a page one means to find again.
            {char} said nothing at once, and moved a little so that the light fell on your road.
        """),
        says=lines("""
            Go well. If the road forks the wrong way, there is a light here that doesn't go out.
            Next time, bring nothing. Bring one piece of good news, if you happen to be carrying any.
            Go, then. There was one thing more, but I will keep it for you till you are back.
            A story may stop anywhere, as long as somebody remembers the place. I'll remember the place.
            Look back once when you reach the bend. Not for my sake. So that you'll know the way.
        """),
    ),
    Act(
        name="who",
        pattern=r"\b(?:what(?:'s| is) your name|who are you|and you are\?|what (?:should|do|may|can) i call you"
        r"|tell me about yourself)\b",
        does=lines("""
            {char} seemed to be trying to remember when someone {had|had} last {asked|asked} {him} that.
            {char} smiled, a little {caught|caught} out.
            {char} put down whatever {she} had been holding, as if the answer needed both hands.
        """),
        says=lines("""
            {char}. Only that. The longer versions are all somebody else's idea.
            I'm {char}, {role}. It takes a moment to say, and it took a good many years to mean.
            {char}. The name was given to me; the rest I had to earn.
            Call me {char} for now. When we know each other better you'll find out whether there is anything shorter.
            A fair question. I'm {char}. I was yesterday, at any rate, and I mean to be tomorrow.
        """),
    ),
    Act(
        name="where",
        pattern=r"\bwhere (?:are we|am i|is this|exactly)\b(?! (?:\w+ing|headed|bound))|\bwhat (?:is )?(?:this"
        r"|kind of) place\b"
        r"|\bwhere does this\b",
        does=lines("""
            {char} followed your eyes round, as if to borrow them and see it all for the first time.
            {char} lifted a hand to point, and let it hang there.
        """),
        says=lines("""
            {place}. Whether it is on any map I couldn't tell you.
            Where does it look like? {place}. Most people don't come looking for it. They walk, and here it is.
            Everyone calls it something else. I never gave it a name; a thing you've named is hard to leave.
            Don't trouble about the bearings. When you want to leave, I'll walk you out. They all ask that coming in,
                and nobody ever asks it going.
        """),
    ),
    Act(
        name="introduction",
        pattern=r"\b(?:my name is|my name's|i am called|i'm called|they call me|you (?:can|may) call me|call me)\b",
        does=lines("""
            {char} shaped the name once without a sound, and seemed to put it away somewhere safe.
            {char} nodded gravely, as if what you {had|have} handed over {were|were} an object and not a word.
        """),
        says=lines("""
            I'll keep it. There aren't many good memories in these parts, but mine is one.
            That is a good name. People lower their voices a little when they say a name like that.
            Well met, then. Now I can't pretend you are only passing.
            Then from now on I shall know which cup to set out when the door opens.
        """),
    ),
    Act(
        name="thanks",
        pattern=r"\b(?:thank|thanks|grateful|much obliged|appreciate)\b",
        does=lines("""
            {char} waved it away, and did not quite hide how glad {she} was.
            {char} bent over something that suddenly needed {her} whole attention.
        """),
        says=lines("""
            Don't. Owe it to me. People who owe something come back.
            It was nothing, or very nearly. If you must pay, remember tonight for me.
            Now you have thanked me I don't know what to do with my hands.
            I'll take that one. When it's my turn to say it, mind you don't shrug.
        """),
    ),
    Act(
        name="sorry",
        pattern=r"\b(?:sorry|apolog\w*|forgive me|my fault|excuse me)\b",
        does=lines("""
            {char} shook {her} head, as lightly as one brushes a leaf from a sleeve.
            {char} waited, until the words {had|have} come down to the floor by themselves.
        """),
        says=lines("""
            No harm done. Where there's harm, sorry doesn't help much anyway.
            You said it. That is further than most people get.
            It's past. Look, the lamp didn't so much as flicker.
            Don't be in a hurry to be guilty. Tell me how it went, and then I'll see what there is to forgive.
        """),
    ),
    Act(
        name="touch",
        pattern=r"\b(?:hug|embrace|kiss|i love you|i missed you|(?:hold|take|took|squeeze|touch)s? (?:your|her"
        r"|his|their) "
        r"(?:hand|arm|shoulder|cheek|face)|lean (?:against|on) (?:you|her|him))\b",
        does=lines("""
            {char} went very still. {She} did not draw away, but {her} breath missed a beat.
            {char}'s fingers {moved|move}, and then, at last, {closed|close} lightly over yours.
            {char} looked down, and the colour came up slowly to the tips of {her} ears.
            {char} let it be, and after a good while gave the smallest of sighs.
        """),
        says=lines("""
            Don't say anything. Let's stay like this and not think of a single thing.
            If you do that, I shall be sorry when I'm alone again.
            Your hands are cold. And you were pretending so well.
            I'm not made of wood, you know. Once more and I shall take you at your word.
            I was just thinking that it would be good if you came one step nearer. And then you did.
        """),
    ),
    Act(
        name="give",
        pattern=r"\bi (?:\w+ly )?(?:give|gave|hand|handed|offer|offered|pass|passed|show|showed) (?:you|her|him"
        r"|them|over)\b"
        r"|\b(?:put|place|set|lay|laid|push|slide)s? .{1,40}\b(?:on|onto|before|in front of|across|down)\b"
        r"|\bhere,? take\b"
        r"|\bthis is for you\b|\bi (?:\w+ly )?(?:pull|pulled|take|took|bring|brought) out\b",
        does=lines("""
            {char} took {held} in both hands, turned it over once, and set it down with care.
            {char} did not reach out at once. {She} looked at you first, and then at {held}.
            {char}'s fingertips {rested|rest} on {held} a moment, as if to make sure of someone not seen for years.
            {char} moved a few things aside and made a clean place in front of {her}.
        """),
        says=lines("""
            You mean to leave {held} with me? Once it's given, I'm poor at giving back.
            Well. Wherever did you come by {held}? No hurry. Start where it starts.
            Put it here. Whatever comes into my hands I find a place for.
            And what do I give you for it? Let me owe you, and pay in stories.
        """),
    ),
    Act(
        name="take",
        pattern=r"\bi (?:\w+ly )?(?:take|took|pick up|picked up|grab|grabbed|pocket|pocketed|lift|lifted|accept"
        r"|accepted)\b",
        does=lines("""
            {char} watched your hand and did not stop it, only brought the light a little closer.
            {char} waited until you {had|have} a firm hold, and then let out the breath {she} had been keeping.
        """),
        says=lines("""
            Careful. It looks sturdy. That sort always breaks first.
            Keep it. With me it would only gather dust.
            Heavier than it looks, isn't it? Not all of that weight is its own.
            Then it's yours. If anyone asks, say that I let you.
        """),
    ),
    Act(
        name="weary",
        pattern=r"\b(?:tired|exhausted|weary|sad|afraid|scared|frightened|lonely|so cold|i'm cold|i am cold"
        r"|freezing|hungry|thirsty"
        r"|hurts?|wounded|bleeding|lost my|i'm lost|i am lost|crying|can't sleep|cannot sleep|grief|miss (?:him"
        r"|her|them|home))\b",
        does=lines("""
            {char} asked nothing. {She} simply moved so that half of what warmth there was {came|comes} to you.
            {char} got up and stood where the draught came from, as though that {was|was} where {she} {had|had}
                meant to stand.
            {char} listened to the end, and when {she} spoke {her} voice had gone low, so as not to startle anything.
            {char} offered no advice. {She} sat down beside you and left a shoulder within reach.
        """),
        says=lines("""
            Rest first. There's nothing so large that it can't wait for someone to get their breath.
            Then be sad. You needn't pretend to be all right in here.
            You've come a long way with that. The rest of it we can take slowly.
            Put your shoulders down. There. Nobody followed you this far.
            Now you've said it, it's lighter by half. Give me the other half to carry.
        """),
    ),
    Act(
        name="doubt",
        pattern=r"\b(?:don'?t|do not|can'?t|cannot) (?:trust|believe)\b|\b(?:liar|lying|you lied|prove it"
        r"|suspicious)\b",
        does=lines("""
            {char} took it without flinching, as one takes a bill one has been expecting.
            {char} turned {her} hands over on {her} knees, as if there might be something written in them.
        """),
        says=lines("""
            Nor should you, yet. Watch what I do for an hour. Words are cheap in this weather.
            Good. The ones who believe me straight away never stay.
            Half of what I've told you is true. I'd tell you which half, but then you would have no reason to come
                back.
            Ask me something I couldn't know. If I answer, you may begin to worry.
        """),
    ),
    Act(
        name="seek",
        pattern=r"\b(?:looking for|search(?:ing)? for|i (?:need|have|want) to find|trying to find|in search of)\b",
        does=lines("""
            {char} counted something off on {her} fingers, and did not say what.
            {char} looked at your empty hands first, and then at you.
        """),
        says=lines("""
            As a rule, what people look for here and what they find are two things. Both turn out to be theirs.
            Who told you it was here? I don't ask out of suspicion. I only like to know who still remembers.
            I may know where it was. Where it is, we should have to go and see.
            Describe it as if I were blind. You'd be surprised what one recognises that way.
        """),
    ),
    Act(
        name="tale",
        pattern=r"\b(?:tell|sing|read) (?:me|us) (?:a|another|one|some|the) (?:\w+ )?(?:story|stories|tale|song"
        r"|legend)\b"
        r"|\b(?:a|another) story,? please\b|\bi'?m (?:so )?bored\b|\bentertain me\b",
        does=lines("""
            {char} looked for the beginning somewhere over your shoulder, and found it.
            {char} settled {herself}, the way people do who have been asked at last.
        """),
        says=lines("""
            There was a ferryman who took no money, only the last thing you had thought of before you stepped in.
                By the
                end of his life he knew everything that people think of at the edge of water. He never told. But he
                    used
                to row very gently.
            Two sisters shared one good coat. For thirty winters one went out and the other stayed in, and they
                told each
                other the town. When the elder died, the younger found that the streets were not at all as she had been
                told. They were better, in the telling. So she went on with it.
            A man bought a clock that was always ten minutes behind. He was about to send it back when he noticed
                that in
                those ten minutes nobody expected anything of him. He has it still. He says it's the only room in the
                house with a door that shuts.
            A fox came every night to a widow's step, and every night she put out a bowl. In the spring she found
                in the
                bowl a button, and then a coin, and then her own ring, which she had lost as a girl on the far side of
                the hill. After that the fox came no more. It had only been paying its bill.
            There was once a thief who could steal anything, so out of vanity he stole an hour. He kept it in a jar for
                his old age. When at last he opened it, it was raining, in a street he had forgotten, and somebody was
                just turning round to wave.
        """),
    ),
    Act(
        name="request",
        pattern=r"(?<!what )\b(?:can|could|would|will) you\b|\bplease\b|\btell me\b|\bshow me\b|\bhelp me\b"
        r"|\bteach me\b"
        r"|\blet me\b"
        r"|\b(?:can|may|could|might) i\b|\bdo you mind\b",
        does=lines("""
            {char} thought it over, as one weighs a thing in the hand before naming a price.
            {char} glanced at the way in before {she} answered, and then gave you {her} eyes again.
            {char} was already rolling up {her} sleeves; the words {came|come} second.
        """),
        says=lines("""
            I can. But I've one rule: the reason first, and then the work.
            Yes. Only keep close. There are places where one goes in and it takes two to come out.
            You asked, and I'm bad at refusing. Let me think where it begins.
            All right. The fewer know of it the better, so come nearer.
            I'll help. My one fear is that in the end you'll blame me for having helped too well.
        """),
    ),
    Act(
        name="why",
        pattern=r"\bwhy\b|\bhow come\b|\bwhat for\b|\bfor what reason\b",
        does=lines("""
            {char} did not answer straight away, and whatever {her} hands were doing slowed down.
            {char} met your eyes, but took {her} time.
        """),
        says=lines("""
            Somebody had to. That day I happened to be standing nearest.
            There was a reason, to begin with. Then the years went by, and the reason aged faster than I did.
            Because I gave my word to someone. Nobody mentioned for how long, and I didn't like to choose.
            Three years ago I'd have had a handsome answer. Now there is only this one left: I wanted to.
            The ones who asked why have all gone on. The ones who stayed just get on with it.
        """),
    ),
    Act(
        name="how",
        pattern=r"\bhow (?:do|did|does|can|could|would|should|is|was|to|are|have|will)\b",
        does=lines("""
            {char} dipped a finger and drew two quick lines on the nearest surface.
            {char} tilted {her} head, taking something hard to say apart into pieces.
        """),
        says=lines("""
            A step at a time. First learn which door you push and which one you pull.
            It takes three sentences to tell and a whole night to do. Have you got a night?
            The first time, everyone does it in the dark. Don't stop, and your hands will remember.
            There are two ways, a quick one and a good one. Tell me which you came for.
        """),
    ),
    Act(
        name="when",
        pattern=r"\bwhen (?:do|did|does|is|was|will|can|are)\b|\bwhat time\b|\bhow (?:long|soon|late)\b"
        r"|\bwhich (?:day|year)\b",
        does=lines("{char} looked up at what could be seen of the sky, from habit, and down again."),
        says=lines("""
            By our reckoning, before the last great storm. By the reckoning outside, I lost count long ago.
            Soon. Such things come when one has left off waiting for them.
            A long time. So long that when I tell it, it seems to have happened to somebody else.
            When the oil is down to the last finger. Don't laugh: no clock here is half so punctual.
        """),
    ),
    Act(
        name="where_else",
        pattern=r"\bwhere\b",
        does=lines("""
            {char} nodded toward one side, then corrected {herself} and nodded toward the other.
            {char} held up two fingers against the light, measuring something a long way off.
        """),
        says=lines("""
            Not far. It's only that the way there has been moved once or twice.
            Wherever it was when you last looked, it isn't. Start from there all the same.
            I could point. But pointing only works in daylight, and on honest streets.
            Somewhere that you can reach before you are tired of asking. Shall I come along?
        """),
    ),
    Act(
        name="who_else",
        pattern=r"\bwho(?:'s|se|m)?\b",
        does=lines("Something crossed {char}'s face, and was put away again."),
        says=lines("""
            Somebody you'll meet sooner or later. No names just now; names bring people.
            If you ask like that, you have someone in mind already. You first. Who?
            So many came. Of some I remember the face, of others only the footsteps.
            Few know, and fewer would tell you. Count me as half of one.
        """),
    ),
    Act(
        name="how_many",
        pattern=r"\bhow (?:many|much|far|old|often)\b",
        does=lines("{char} counted on {her} fingers, got halfway, and gave it up with a smile."),
        says=lines("""
            Not many. Enough, and not quite enough to waste.
            I used to count. After a while I couldn't bring myself to.
            Three. Five, if you count the ones that haven't come back.
        """),
    ),
    Act(
        name="choice",
        pattern=r"\bor (?:should|do|is|are|the|a|would|not)\b[^.]{0,60}\?|\bwhich (?:one|of)\b",
        does=lines("{char} looked one way, and then the other, as if {she} could spare neither."),
        says=lines("""
            If I must choose, the second. The first is too easy to be sorry for.
            Either. What matters is not to look over your shoulder afterwards.
            You've decided already. You only want to hear it in somebody else's voice.
        """),
    ),
    Act(
        name="what",
        pattern=r"\bwhat(?:'s)?\b|\bwhich\b",
        does=lines("""
            {char}'s eyes {rested|rest} on nothing for a moment while {she} looked for the right way to put it.
            {char} smiled first, as though {she} had known you would get round to that.
        """),
        says=lines("""
            It's a long story. The short of it is that it wasn't here, and then one morning it had come by itself.
            If you had ever seen one, you'd know. If you haven't, I could talk till daybreak.
            The shadow of something that happened. The shadow stayed, and nobody has the whole of the rest any more.
            I'd like to know that myself. Suppose we each guess half, and see whether the halves fit.
        """),
    ),
    Act(
        name="greeting",
        pattern=r"^\W*(?:hi|hello|hey|greetings|good (?:morning|evening|afternoon|day)|well met|anyone (?:here"
        r"|there|home)|hullo)\b"
        r"|\bnice to meet you\b|\bpleased to meet\b",
        does=lines("""
            {char} looked up at the sound, and what was wary in {her} eyes turned by degrees into a smile.
            {char} put aside what {she} was doing and gave you a nod.
            {char} had heard the step before {she} saw the face. The corner of {her} mouth had already made up its
                mind.
        """),
        says=lines("""
            There you are. Sit down first. Things said standing up come out too short.
            Good day to you. Anyone who still says so at this hour can't be altogether bad.
            I had thought nobody else would come. You've hit the moment exactly.
            Come in. Leave what's outside outside; it won't run away.
        """),
    ),
    Act(
        name="yes_or_no",
        pattern=r"\?",
        does=lines("""
            {char} neither nodded nor shook {her} head.
            {char} inclined {her} head, as if to catch something {said|said} very low.
        """),
        says=lines("""
            Yes. And not altogether. Let me get to the second half of the sentence.
            Once I'd have said yes without thinking. These days I look first to see who is asking.
            I suppose so. There are a good many years folded up in that ‘suppose’.
            To tell you the truth, I was wondering the very same thing.
            You've guessed most of it. It's the small part left over that makes the trouble.
        """),
    ),
    Act(
        name="agree",
        pattern=r"^\W*(?:yes|yeah|yep|aye|sure|of course|i agree|okay|ok|all right|alright|fine|gladly"
        r"|certainly|deal|i will)\b",
        does=lines("""
            {char}'s eyes {brightened|brighten}, as if somebody had trimmed the wick.
            {char} nodded, and something in the line of {her} shoulders came undone.
        """),
        says=lines("""
            Then it's settled. A thing settled here holds better than ink.
            Just like that. I knew I hadn't misjudged you.
            Good. Now you've said yes, there is something I needn't hide from you any longer.
            I heard that. I'll hold you to it, mind.
        """),
    ),
    Act(
        name="refuse",
        pattern=r"^\W*(?:no|nope|never|not (?:yet|now|today)|i won'?t|i can'?t|i refuse|i'd rather not"
        r"|absolutely not)\b",
        does=lines("""
            {char} was not offended. {She} took the offer back and folded it away like a clean shirt.
            {char} studied you for a moment, and then, unexpectedly, laughed.
        """),
        says=lines("""
            Then don't. When a person can say no, their yes is worth having.
            Very well. The door stays open. Change your mind whenever you like.
            I'm not one to push. But this road goes round and round, and in the end it comes by here again.
            All right, I'll do it. You need only stand behind me.
        """),
    ),
    Act(
        name="eat",
        pattern=r"\b(?:eat|ate|drink|drank|sip|sipped|taste|tasted|bite|swallow|pour|poured|cheers|toast)\b",
        does=lines("""
            {char} pushed the cup an inch nearer, and the steam went up between you.
            {char} watched you take the first mouthful before {she} let {herself} look elsewhere.
        """),
        says=lines("""
            Slowly, it's hot. The first mouthful only tastes of heat; it's the second that tells you anything.
            Well? And don't say ‘not bad’. I can hear what's behind a ‘not bad’.
            Good. I've cooked for one so long, I never know whether I've gone strange with the salt.
            An old guest left me the way to make it. If anyone ever noticed, he said, I was to smile on his behalf.
        """),
    ),
    Act(
        name="look",
        pattern=r"\b(?<!have )(?<!had )(?<!'ve )(?:look|looked|looking|watch|watched|stare|stared|examine"
        r"|examined|inspect|study|studied"
        r"|glance|glanced|listen"
        r"|listened|gaze|gazed|notice|noticed|peer|peered|smell)\b",
        does=lines("""
            {char} let you look. {She} even moved aside, so that you should see it better.
            {char} turned {her} head the way yours was turned, and for a time said nothing.
            {char} marked where your eyes {had|have} stopped, and one of {her} fingers stirred.
        """),
        says=lines("""
            What do you see? Most people look once and go. You've been looking quite a while.
            So you noticed too. I'd begun to think it was only me.
            Look again. Nothing here counts at the first glance.
            Don't use your eyes only. Breathe more slowly, and it'll tell you by itself.
        """),
    ),
    Act(
        name="move",
        pattern=r"\b(?<!have )(?<!had )(?<!'ve )(?:go|goes|went|walk|walked|step|stepped|enter|entered|leave|left"
        r"|follow|followed|climb"
        r"|climbed|run|ran|come in"
        r"|came in|sit|sat|stand|stood|open|opened|approach|approached|cross|crossed|push|pushed|turn|turned)\b",
        does=lines("""
            {char} came after you, light-footed, never more than half a pace behind.
            {char} stood aside to let you by, and caught the door before it could fall to.
            {char} listened to your steps, and only when they {stopped|stop} did {she} look up.
        """),
        says=lines("""
            Mind your feet. That board is older than it looks.
            Here will do. From here you can see where you came from and where you're going.
            You walk like somebody who has made up their mind.
            Past this it's no ground of mine. If you're going further, I'll come as far as that tree.
        """),
    ),
    Act(
        name="joy",
        pattern=r"\b(?:laugh|laughed|happy|smile|smiled|grin|grinned|joke|glad|wonderful|haha|lovely|delighted"
        r"|funny)\b",
        does=lines("""
            {char} held it back as long as {she} could, and then was laughing too.
            Whatever was solemn in {char}'s face came apart, and {her} eyes {narrowed|narrow} with pleasure.
        """),
        says=lines("""
            It's a long time since anybody laughed in here. I believe the walls are relieved.
            If you go on like that, I shall forget what I was about.
            That's rare. While it lasts, shall we do something we'd never dare to on a plain day?
            So you can laugh like that. You very nearly had me fooled, before.
        """),
    ),
    Act(
        name="silence",
        pattern=r"^[\s.…*\-—]*$|\b(?:say nothing|said nothing|stay silent|in silence|remain silent|don't answer"
        r"|wait quietly)\b",
        does=lines("""
            {char} did not hurry you. {She} let the silence sit between you like a third guest.
            {char} went on with {her} own small business, and left the end of the thread where you could reach it.
        """),
        says=lines("""
            Then don't. Quiet is a language too, and I understand a little of it.
            If you won't talk, I'll take it that you're listening. Let me tell you something small, to pass the time.
            Yes. I thought so too, that just now it's better not to say it.
            It's good to sit like this. It's years since anyone has sat like this with me.
        """),
    ),
    Act(
        name="crumb",
        pattern=r"^\W*(?:[\w']+\W+){0,2}[\w']+\W*$",
        does=lines("""
            {char} waited to see whether there was more of it.
            {char} weighed the few words, and found room for them.
        """),
        says=lines("""
            That's short. I'll make it last.
            Is that the whole of it, or only the part that was ready?
            Few words. I shall have to guess the rest, and I warn you that I guess generously.
            Mm. You say it as if the important bit were still in your pocket.
            I have heard whole speeches with less in them.
        """),
    ),
    Act(
        name="tell",
        pattern=r"",
        does=lines("""
            {char} listened so closely that {her} hands {forgot|forget} what they were doing.
            {char} leaned in a little, so as not to lose a word.
            {char} turned over what you {had|have} said. A line came between {her} brows, and slowly went again.
            {char} did not interrupt. Only where you {paused|pause} {she} made a small sound, to say that {she} was
                there.
        """),
        says=lines("""
            So that was it. I thought when you came in that you were carrying something.
            You tell it lightly. It isn't light to listen to.
            I need to hear a thing like that only once, and then I keep it for years.
            Wait. What you've just told me and something I heard from someone else fit together at the edges.
            Go on. I shan't ask. Stop wherever you want to stop.
        """),
    ),
)
