"""Places and weather, in English: the words they are known by and what there is to notice about them."""

from __future__ import annotations

from typing import Final

from liyuan.model.playbook.book import Place, lines, words

PLACES: Final = (
    Place(
        name="A theatre, and it is between plays",
        age="old",
        words=words(
            "theatre theater stage curtain prompter rehearsal actor actress backstage playhouse auditorium opera"
        ),
        notices=lines("""
            High over the stage a rope ticked against its cleat, and was still.
            The work light hummed. Row upon row of empty seats {kept|keep} quiet, as audiences do when they are
                listening.
            Something shifted under the boards, water or an old machine, and settled again.
            The curtain drew in a breath of its own, and let it go.
        """),
        does=lines("""
            {char} tied off a line that had not come loose.
            {char} ran a thumb down the edge of the pages, and stopped where one {stuck|sticks} out.
            {char} brushed the dust from the nearest seat, in case somebody should come.
        """),
        events=lines("""
            From the back of the dark house came one pair of hands, clapping slowly. It stopped.
            A lamp came on by itself, high up, and found the empty place beside you.
            Somebody in the wings gave a cue, very low. There was no one in the wings.
        """),
    ),
    Place(
        name="An inn",
        age="old",
        words=words("""
            inn tavern teahouse tea_house innkeeper hotel barkeep
            bartender hostel café cafe guesthouse pub landlady
        """),
        notices=lines("""
            Upstairs, in a room that was not let, a door touched its frame and was quiet again.
            The kettle was not yet boiling; its lid had begun to talk to itself.
            In the account book a sum had been left standing, one figure short of its answer.
            The lamp under the eaves swung, and its light went to and fro across the sill.
            A stair creaked with nobody on it, like someone who has thought better of it.
        """),
        does=lines("""
            {char} filled your cup again, a thin straight thread, and stopped one finger under the brim.
            {char} was drying a bowl that was dry already, once round, and once more.
            {char} shut the ledger and put the weight on it.
            {char} trimmed the wick, and the room came an inch nearer.
        """),
        events=lines("""
            Someone knocked outside: twice, a pause, and once.
            Out at the back the horses {began|begin} to shift and stamp.
            The guest who had not left the upper room in three days was, for the first time, asking for hot water.
        """),
    ),
    Place(
        name="A ship, and a good deal of water",
        age="old",
        words=words("""
            ship deck captain sailor harbour harbor lighthouse keeper_of_the_light sails pier dock voyage
            tide coast
        """),
        notices=lines("""
            A rope tightened in the dark and slackened again, like something a long way off drawing breath.
            The salt wind found a crack, and turned the corner of a page.
            Far out a light came and went. There were five heartbeats between.
            A wave came up, said half of something, and went back.
        """),
        does=lines("""
            {char} undid a knot and tied it again just as it had been, without taking {her} eyes off you.
            {char} held up a hand to the wind and wrinkled {her} nose.
            {char} lifted the lantern, and a small moving ring of water showed, and nothing beyond it.
        """),
        events=lines("""
            Out of the fog came a horn. It was not one of ours.
            Something bumped softly underneath, and then again.
            The watch, who had been singing, stopped.
        """),
    ),
    Place(
        name="A forest, and an old one",
        age="old",
        words=words("""
            forest woods camp campfire cave hunter ranger glade wilderness mountain valley trail meadow
            grove
        """),
        notices=lines("""
            A dead branch gave way somewhere off among the trees, and after that it was quieter than before.
            Dew fell from the point of a leaf: a drop, a long while, another drop.
            There was smoke in the smell of resin, and it was last night's.
            The birds {left|leave} off. When they {began|begin} again it was from higher up.
        """),
        does=lines("""
            {char} laid another branch on the fire, and the sparks {went|go} up and were lost.
            {char} squatted and measured a print in the earth with two fingers.
            {char} broke off a twig and began, slowly, to peel it.
        """),
        events=lines("""
            Something moved in the undergrowth. It did not run, and it did not come nearer.
            Deep among the trees a light was going along, at about the height of a hand. There seemed to be no one
                with it.
            The wind went round, and brought the smoke of a kitchen where there was no kitchen.
        """),
    ),
    Place(
        name="The city, the part of it they leave off the postcards",
        age="new",
        words=words("city street alley market station subway neon office shop plaza police detective downtown taxi"),
        notices=lines("""
            The sign on the corner blinked twice. There was one letter in it that never came on.
            Someone walked by below, and the steps {turned|turn} the corner and {thinned|thin} out.
            Through the wall a radio was playing an old song with the words worn off.
            A car went through standing water and drew the lights out long behind it.
        """),
        does=lines("""
            {char} went to the window and lifted the edge of the blind, no more than an inch.
            {char} turned up {her} collar, and turned it down again.
            {char} felt in a pocket, found a crumpled ticket, {read|reads} it, and put it back.
        """),
        events=lines("""
            The telephone rang once and stopped. There was no number.
            Across the way, the window that was always dark was lit.
            A {folded|folded} paper came in under the door.
        """),
    ),
    Place(
        name="A library, more or less",
        age="old",
        words=words("""
            library bookshop bookstore archive school classroom academy university librarian study shelves
            monastery
        """),
        notices=lines("""
            Far back on its shelf a book slid a little way, and did not fall.
            The dust came down through the slanting light as if there were no floor for it to reach.
            The open page lifted at one corner, and smoothed itself out again.
            It smelled of ink and the sweetness of old paper, like an afternoon from very long ago.
        """),
        does=lines("""
            {char} ran {her} knuckles along the spines and stopped at one.
            {char} marked the place, turned the book about, and pushed it across to you.
            {char} blew the dust from the table, and there were letters cut into it.
        """),
        events=lines("""
            At the far end of the reading room a lamp went on. Nobody was there.
            On the lending card, above your name, stood a name you {did|do} not know, and tomorrow's date.
            From the top of the ladder came the sound of a page being turned, and then another.
        """),
    ),
    Place(
        name="A great house, and every wall of it listens",
        age="old",
        words=words("""
            castle palace throne king queen prince princess knight manor court duke duchess emperor lord
            lady
        """),
        notices=lines("""
            All down the gallery the candles {dipped|dip}, one after the other, as they do when someone goes by.
            The air behind the hanging was colder than the air before it.
            Far off the hour was struck, half a beat late.
            The floor gave back the lights, and one seemed to walk upon thin ice.
        """),
        does=lines("""
            {char} sent the others away, and only when the door was shut let {her} shoulders fall.
            {char} turned the ring on {her} finger, three times, and let it be.
            {char} went to the window and stood with the light behind {him}, so that {her} face {could not|cannot}
                be read.
        """),
        events=lines("""
            In the passage metal touched metal, and was quickly stilled.
            A page {knelt|kneels} in the doorway, with a tray, and a cloth over the tray.
            In the garden, where there was no wind, the oldest of the trees had begun to move.
        """),
    ),
    Place(
        name="Aboard, with a great deal of nothing on every side",
        age="new",
        sky=False,
        words=words("""
            starship spaceship station space android laboratory lab ai galaxy planet cyber airlock orbit
            reactor hull
        """),
        notices=lines("""
            The ventilation changed its rhythm, like somebody sighing in the next room.
            Outside, something went in front of a star and out again.
            The wiring hummed in the walls. Listened to long enough, it was nearly a song.
            One figure on the display jumped, thought about it, and jumped back.
        """),
        does=lines("""
            {char} silenced the alarm; the red went on walking across {her} face without it.
            {char} wiped the screen with a cuff. Under the dust was a line that had never been sent.
            {char} put a hand to the wall until the trembling had passed.
        """),
        events=lines("""
            On the open channel someone was knocking: three short, one long. It came from the empty section.
            The course had altered by itself, in the seventh place after the point.
            The emergency power came on. The main power had not gone off.
        """),
    ),
    Place(
        name="A house like others, if you don't look too closely",
        age="new",
        words=words("""
            home kitchen apartment bedroom garden balcony neighbour neighbor sofa cottage village farmhouse
            flat porch
        """),
        notices=lines("""
            In the kitchen the tap let go one drop, and, after a long while, the next.
            The washing filled with wind on its line, as if someone were turning round inside it.
            The refrigerator hummed and left off, and the house was suddenly large.
            Next door the dog barked twice, and someone softly told it to stop.
        """),
        does=lines("""
            {char} moved {her} chair a little way toward yours, and it made a small sound on the floor.
            {char} found two cups that {did|do} not match, stood them side by side, and considered them.
            {char} gathered up what lay about on the table, so that you should have somewhere to put your hands.
        """),
        events=lines("""
            The bell rang. On the step was nobody, only a parcel with stamps from before the war.
            Furniture was being moved upstairs. Nobody had lived there since the spring.
            The clock on the wall had begun to go. It was exactly right.
        """),
    ),
    Place(
        name="",
        words=(),
        notices=lines("""
            For a little while it was so still that one could hear cloth move against cloth.
            The light had shifted by an inch, and lay now in the empty place between you.
            Something sounded a long way off, and no one went to see.
            There was a coolness in the air, the sort that comes before the deep part of the night.
            The wind dropped, at an odd moment, as if it too were waiting for the rest.
        """),
        does=lines("""
            {char} shifted {her} weight, and {her} shadow grew shorter with {him}.
            {char} turned back a cuff by one fold, and slowly turned it down again.
            {char} pressed two fingers to {her} brow. When {she} looked up, {she} had decided something.
            {char} took one step toward you, and stopped at just the right distance.
        """),
        events=lines("""
            There were footsteps, not far off. They {came|come} quite near, and {stopped|stop}.
            Somebody in the dark coughed, very softly.
            A leaf came down, turning, and settled exactly between the two of you.
        """),
    ),
)

SKIES: Final = (
    Place(
        name="rain",
        words=words("rain raining rainy storm thunder downpour drizzle eaves"),
        notices=lines("""
            The rain came on harder, thought better of it, and hung in threads from the edge of the roof.
            Rain on the roof is only noise to begin with. Listen long enough, and somebody is keeping time.
            A gust brought the rain in sidelong, and a patch of floor beneath the window turned dark.
            All at once the rain was a long way off, as if someone had shut a door on it for your sake.
            The water went down the old stains, where water had always gone, and so into the dark.
        """),
    ),
    Place(
        name="snow",
        words=words("snow snowing snowfall blizzard frost ice winter"),
        notices=lines("""
            The snow made no sound. It was only that the dark outside had begun to be white.
            A load of snow slid from the roof and met the ground like a word one has held back.
            Your breath and {her} breath {stood|stand} in the air between you for a moment, and then {went|go}.
        """),
    ),
    Place(
        name="night",
        words=words("night midnight evening moonlight tonight dark darkness"),
        notices=lines("""
            The night went down another step, and took the crickets with it.
            A dog barked in the depths of it somewhere, and the dark took that back too.
            There was moonlight through a gap in the cloud, thin, like a sheet that nobody has written on.
            At this hour even the shadows {looked|look} as though they {would|would} like to lie down.
        """),
    ),
    Place(
        name="morning",
        words=words("morning dawn sunrise daybreak breakfast"),
        notices=lines("""
            The light climbed by degrees. It had your hands first, and only then the rest.
            Somewhere a shutter was put back, and with that one creak the day came loose.
            There was a smell of ground that has just been turned.
        """),
    ),
    Place(
        name="dusk",
        words=words("dusk sunset twilight afternoon sundown"),
        notices=lines("""
            The last of the daylight came along the ground, as far as your shoes, and stayed there.
            The shadows were getting longer, and on the wall they {had|have} begun to look like people.
            Somebody called a child in to supper, twice. Then there was only the wind.
        """),
    ),
)
