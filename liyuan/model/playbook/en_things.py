"""Things one may speak of, in English: the words they are known by and what there is to say about them."""

from __future__ import annotations

from typing import Final

from liyuan.model.playbook.book import Kind, lines, words

KINDS: Final = (
    Kind(
        name="letter",
        words=words("""
            letter note envelope diary journal manuscript book page scroll message invitation painting
            portrait
        """),
        says=lines("""
            Whoever wrote {thing} was in a hurry at the end, as if someone had come in.
            Paper talks, if you let it. Smell {thing}: that's the sea.
            Don't hold {thing} under the lamp too long. The words follow people home.
            Look at this corner. Whoever made {thing} was left-handed, and happy, and then wasn't.
        """),
    ),
    Kind(
        name="weapon",
        words=words("sword knife dagger blade bow arrow gun pistol rifle spear shield axe staff"),
        says=lines("""
            You may keep {thing}. In here the edge faces inward, that's all.
            A good one. That notch in {thing}: who were you standing in front of?
            {Thing} doesn't worry me. A shaking hand on it does.
            Dry {thing} before you put it up. Damp is a worse enemy than any you have.
        """),
    ),
    Kind(
        name="drink",
        words=words("tea wine ale beer coffee brandy whisky whiskey water soup broth cup bottle glass"),
        says=lines("""
            Take {thing} while it's hot. Cold, it's only something to think over.
            It isn't {thing} that goes to the head. It's that kind of quiet that comes halfway through talking.
            A little more? I'm not charging for it. I'm charging for your company.
            Out of the same pot one gets it bitter and another gets it sweet, and neither of them is lying.
        """),
    ),
    Kind(
        name="food",
        words=words("""
            bread cake pie stew meat fish apple fruit
            cheese rice noodles honey supper dinner breakfast meal
        """),
        says=lines("""
            {Thing} was made today. Tomorrow it'll be something else.
            Eat first. On an empty stomach everything sounds like bad news.
            I once kept up a quarrel for three years over something like {thing}, and ended it over another.
            Break off half for me. It takes two to make a meal of it.
        """),
    ),
    Kind(
        name="light",
        words=words("lantern lamp candle torch fire flame hearth lamplight firelight candlelight match ember light"),
        says=lines("""
            Don't hold {thing} too high. The more light, the more shadow.
            It's as well to have {thing}. Long enough in the dark and one forgets one's own hands.
            I've kept {thing} for years. It has gone out twice, and both times on the same day.
            Bring {thing} closer to the two of us, and let the night have the rest.
        """),
    ),
    Kind(
        name="clothes",
        words=words("umbrella cloak coat hat scarf glove boots boot dress shirt robe hood jacket shoes"),
        says=lines("""
            {Thing} is soaked through. Hang it there, and I'll see that it dries.
            There's a stitch in {thing} that was put in later. A clever hand, and its mind elsewhere.
            A good piece, {thing}. A pity that it has to go where you're going.
            Leave {thing} here, if you like. People do come back for their things.
        """),
    ),
    Kind(
        name="key",
        words=words("key lock box chest drawer cabinet parcel bag satchel pouch trunk package pocket"),
        says=lines("""
            If something moves inside {thing}, wait until it has settled. Then open.
            The door that goes with {thing} may not be there now. But look: not a speck of rust.
            I'll put {thing} away for you, somewhere I shall have to think of twice myself.
            They have their tempers, these old ones. Give a little to the left with {thing}, and only then right.
        """),
    ),
    Kind(
        name="money",
        words=words("coin coins gold silver money purse jewel ring necklace bracelet pearl brooch amulet pendant"),
        says=lines("""
            Put {thing} away. We don't reckon in that here.
            The pattern is worn off {thing}. Everyone who had it must have been loath to spend it.
            If you must pay, not with {thing}. Pay me with one true sentence.
            {Thing} isn't from these parts. Carried so far, it hardly matters any more what it's worth.
        """),
    ),
    Kind(
        name="water",
        words=words("""
            sea ocean river stream lake harbour harbor shore tide wave waves waterfall pond well bridge boat
            ship ferry island
        """),
        says=lines("""
            The other side of {thing} I know only in fog.
            {Thing} remembers everyone who ever went along it. It just won't say.
            If you hear {thing} come closer in the night, don't answer.
            The old people say that {thing} goes through to somewhere else. I put a light on it every year, in case.
        """),
    ),
    Kind(
        name="hills",
        words=words("""
            forest wood woods mountain hill cave valley path road trail desert cliff tree trees stone rock
            field snow
        """),
        says=lines("""
            Of ten who go to {thing}, nine are looking for something, and one has something to lose.
            By night {thing} isn't what it is by day. Don't go there on a daylight memory.
            To get by {thing} you wait till the wind drops. Then it lets you through.
            I met a deer by {thing} once. It looked at me as if we'd been introduced.
        """),
    ),
    Kind(
        name="sky",
        words=words("star stars moon moonlight sun sunlight sunrise sunset cloud clouds sky dawn"),
        says=lines("""
            It's near tonight, {thing}. Near enough to make one want to be honest.
            {Thing} has no favourites. It shines on you, and on whoever is looking for you.
            When I was small somebody told me that {thing} is there for people who have lost their way. I still
                half believe it.
            You turn into somebody else when you look up at {thing}.
        """),
    ),
    Kind(
        name="animal",
        words=words("cat dog horse raven crow owl fox wolf bird dragon snake deer rabbit hound gull mouse moth"),
        says=lines("""
            It knows the weather before we do, {thing}. Look: it can't sit still.
            It's no friend to people, {thing}. But it looked at you twice, and that's manners.
            Don't go after {thing}. If it wants to be seen it'll come back.
            We have an understanding, {thing} and I. I don't ask where it goes, and it returns the courtesy.
        """),
    ),
    Kind(
        name="music",
        words=words("song music tune melody piano violin flute harp guitar lullaby bell drum fiddle ballad"),
        says=lines("""
            The last part is missing. Whoever taught me {thing} said that's why one keeps coming back to it.
            Don't let {thing} stop. When it stops one hears all the rest.
            I only know half of {thing}. The other half is waiting for the one who knows it.
            Somebody left {thing} behind here once, and went off without it.
        """),
    ),
    Kind(
        name="flower",
        words=words("flower flowers rose roses lily herb herbs leaf leaves seed garden moss grass ivy lavender"),
        says=lines("""
            It's the wrong season for {thing}. Nobody seems to have told it.
            Press it wherever you like, only not into the page that matters.
            I know {thing}, and I've known people who told lies with it. You're not of that sort.
            When you touch {thing} something winces. Not the plant. Whoever is watching.
        """),
    ),
    Kind(
        name="wound",
        words=words("wound scar blood bandage medicine fever injury bruise cut"),
        says=lines("""
            Let me see. Deep is no matter. Covered up is.
            It'll heal. That is to say: first it'll itch, and then you'll forget it.
            That isn't from today. You may fool the rest, but not hands that have bandaged people.
            No heroics. Sit. Where {thing} is concerned you do as I say.
        """),
    ),
    Kind(
        name="dream",
        words=words("""
            dream nightmare memory memories past secret story stories legend rumour rumor promise oath wish
            fate truth lie
        """),
        says=lines("""
            It's that way with {thing}: tell half, and it's lighter by half.
            Everyone keeps {thing} in the innermost drawer, and that's the first one people open.
            In {thing}, was there a window open anywhere? Good. Then something can be done.
            Don't speak of {thing} by day. People don't take it in, by day.
        """),
    ),
    Kind(
        name="family",
        words=words("""
            father mother brother sister son daughter child children wife husband friend teacher grandmother
            grandfather master
        """),
        says=lines("""
            Your voice is a different voice when you speak of {thing}.
            If {thing} were here, the first question would be whether you had eaten.
            I never met {thing}. But there's something of the sort about you, I can see the edge of it.
            Tell me about it if you want to. If you don't, the wind was loud just then and I didn't hear.
        """),
    ),
    Kind(
        name="door",
        words=words("door window gate stairs staircase attic cellar corridor room house wall roof chimney hall"),
        says=lines("""
            {Thing} makes noises of its own at night. Pay no heed. If it's three knocks, call me.
            It wasn't like that behind {thing}, once. It was altered after someone had gone.
            {Thing} isn't locked. It's odd how nobody goes where it isn't locked.
            Listen. By {thing} the wind is half a tone lower than anywhere else.
        """),
    ),
    Kind(
        name="map",
        words=words("map compass chart watch clock mirror telescope lens calendar"),
        says=lines("""
            There's nothing wrong with {thing}. It's only the year that is wrong.
            {Thing} is a finger's breadth out to the north. That finger's breadth is where we are going.
            Trust {thing} seven parts in ten. Leave the other three to your feet.
            It stopped just there because somebody wished it to.
        """),
    ),
    Kind(
        name="machine",
        words=words("""
            engine machine robot screen terminal signal code radio phone computer train car android console
            drone
        """),
        says=lines("""
            {Thing} woke up by itself last night. There's nothing in the log.
            It never lies, {thing}. It only leaves out half.
            Give {thing} a moment. It thinks very much as people do, in circles.
            If {thing} gives out now it won't surprise me. What surprises me is how long it has held.
        """),
    ),
)
