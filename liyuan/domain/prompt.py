"""From a scene to what is sent, part by part. What does not change between turns stays byte for byte the same in front.

Order: the fixed parts (instruction, character, persona, examples), the summary, the story, then whatever changes each
turn, and the reader's words last. Providers that keep a cache of prompts find the longest shared front this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from liyuan.domain.errors import LiyuanError
from liyuan.domain.history import Line
from liyuan.domain.macros import Scope, expand, scope_of
from liyuan.domain.phrases import PHRASES, Phrases, as_told
from liyuan.domain.scene import Scene
from liyuan.domain.tokens import PER_MESSAGE

Counter: TypeAlias = Callable[[str], int]
Role: TypeAlias = Literal["system", "user", "assistant"]

# When the story no longer fits, it begins anew this many turns later, so the front stays the same for as many turns.
STEP = 8


class PromptTooLarge(LiyuanError):
    type = "prompt-too-large"
    title = "The fixed parts do not fit"
    status_code = 422
    message = (
        "The fixed parts alone need {needed} tokens, and the window has room for {room}: {parts}. "
        "Shorten the longest of them, or raise the context window of this connection. Your words are kept."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A named piece of the prompt. `tokens` is counted, not guessed; `entry_id` names the message it comes from."""

    name: str
    role: Role
    text: str
    tokens: int
    entry_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One message as it is sent. `stable` marks the end of what will be the same next turn."""

    role: Role
    text: str
    stable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent: `parts` in order, the same as `messages`, and the parts of the story that fell out."""

    parts: tuple[Part, ...]
    messages: tuple[Spoken, ...]
    left_out: tuple[Part, ...] = ()

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)

    @property
    def fixed_tokens(self) -> int:
        """Tokens of everything but the story."""
        return sum(part.tokens for part in self.parts if part.entry_id is None)


def assemble(scene: Scene, count: Counter) -> Prompt:
    """Puts a scene in order and fits it to its window, oldest turns first to go.

    Raises PromptTooLarge when the fixed parts alone do not fit; it names them with their sizes.
    """
    words = PHRASES[scene.card.language]
    scope = _scope(scene)
    front = _counted(_front(scene, scope, words), count)
    end = _counted(_end(scene, scope, words), count)
    story = _story(scene, count)
    room = scene.window - scene.reserve - sum(part.tokens for part in front + end)
    newest = story[-1].tokens if story else 0
    if newest > room:
        raise _too_large(front + end + story[-1:], scene.window - scene.reserve)
    start = _first_that_fits(story, scene.history.lines, room)
    kept = story[start:]
    before, last = (kept[:-1], kept[-1:]) if _is_cue(scene, kept) else (kept, [])
    ordered = [*front, *before, *end, *last]
    return Prompt(parts=tuple(ordered), messages=_messages(front, before, end, last), left_out=tuple(story[:start]))


def _is_cue(scene: Scene, kept: Sequence[Part]) -> bool:
    """Whether the last message is what the model answers, or carries on, and so must stand last."""
    return bool(kept) and (scene.cue == "continue" or (scene.cue == "reply" and kept[-1].role == "user"))


def _scope(scene: Scene) -> Scope:
    base = scope_of(scene.card, scene.persona, seed=scene.seed, pick_seed=scene.seed, now=scene.now)
    history = scene.history
    return replace(
        base,
        model=scene.model,
        last_message=history.last(),
        last_user_message=history.last("user"),
        last_char_message=history.last("assistant"),
    )


def _front(scene: Scene, scope: Scope, words: Phrases) -> Iterable[tuple[str, Role, str]]:
    card = scene.card
    main = expand(words.instruction, scope)
    if card.system_prompt.strip():
        main = expand(card.system_prompt, replace(scope, original=main))
    yield "instruction", "system", main
    yield "character", "system", _titled(words.character, expand(card.description, scope), scope)
    yield "personality", "system", _titled(words.personality, expand(card.personality, scope), scope)
    yield "scenario", "system", _titled(words.scenario, expand(card.scenario, scope), scope)
    yield "persona", "system", _titled(words.persona, scope.persona or "", scope)
    examples = "\n\n".join(expand(example, scope) for example in card.example_messages)
    yield "examples", "system", _titled(words.examples, examples, scope)
    yield "summary", "system", _titled(words.summary, scene.history.summary, scope)


def _end(scene: Scene, scope: Scope, words: Phrases) -> Iterable[tuple[str, Role, str]]:
    for name, text in scene.notes:
        yield name, "system", text
    after = scene.card.post_history_instructions
    if after.strip() and scene.cue != "impersonate":
        yield "post-history", "system", expand(after, replace(scope, original=""))
    if scene.cue == "impersonate":
        yield "cue", "system", expand(words.impersonate, scope)


def _titled(title: str, text: str, scope: Scope) -> str:
    return f"{expand(title, scope)}\n{text.strip()}" if text.strip() else ""


def _counted(parts: Iterable[tuple[str, Role, str]], count: Counter) -> list[Part]:
    return [
        Part(name=name, role=role, text=text, tokens=count(text) + PER_MESSAGE) for name, role, text in parts if text
    ]


def _story(scene: Scene, count: Counter) -> list[Part]:
    told = ((line, as_told(line, scene.card.language)) for line in scene.history.lines)
    return [
        Part(name="story", role=line.role, text=text, tokens=count(text) + PER_MESSAGE, entry_id=line.entry_id)
        for line, text in told
    ]


def _first_that_fits(story: Sequence[Part], lines: Sequence[Line], room: int) -> int:
    """The index where the story begins: as early as fits, moved on to a turn that is a multiple of STEP."""
    start = len(story)
    while start > 0 and story[start - 1].tokens <= room:
        start -= 1
        room -= story[start].tokens
    if start == 0:
        return 0
    step = next((i for i in range(start, len(lines)) if _begins_step(lines, i)), None)
    return step if step is not None and step < len(story) - 1 else min(start, len(story) - 1)


def _begins_step(lines: Sequence[Line], index: int) -> bool:
    return lines[index].role == "user" and lines[index].turn % STEP == 0


def _messages(front: list[Part], before: list[Part], end: list[Part], last: list[Part]) -> tuple[Spoken, ...]:
    """Fixed parts become one system message, as do those at the end; the reader's words stand alone and last."""
    messages = [Spoken(role="system", text=_joined(front), stable=True)]
    messages += [Spoken(role=part.role, text=part.text) for part in before]
    if before:
        messages[-1] = replace(messages[-1], stable=True)
    if end:
        messages.append(Spoken(role="system", text=_joined(end)))
    messages += [Spoken(role=part.role, text=part.text) for part in last]
    return tuple(messages)


def _joined(parts: Iterable[Part]) -> str:
    return "\n\n".join(part.text for part in parts)


def _too_large(parts: Sequence[Part], room: int) -> PromptTooLarge:
    sizes = ", ".join(f"{part.name} {part.tokens}" for part in sorted(parts, key=lambda part: -part.tokens))
    return PromptTooLarge(needed=sum(part.tokens for part in parts), room=room, parts=sizes)
