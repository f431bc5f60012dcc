"""Figures about this process for Prometheus: counts and times, never what was said or by whom."""

from __future__ import annotations

import time
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liyuan.stage import Performance, Stage
from liyuan.store.runs import State
from liyuan.web.errors import route_of

SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)


class Figures:
    """The figures of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "liyuan_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "liyuan_request_seconds",
            "Time until the answer began.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.streams = Gauge("liyuan_streams_open", "Event streams being heard now.", registry=self.registry)
        self.faults = Counter("liyuan_faults", "Errors nobody foresaw.", registry=self.registry)
        self.turns = Counter("liyuan_turns", "Performances that are over.", ("act", "outcome"), registry=self.registry)
        self.first_token = Histogram(
            "liyuan_first_token_seconds",
            "From the beginning of a performance to the first word of the model.",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.playing = Gauge("liyuan_performances_playing", "Performances being played now.", registry=self.registry)

        self.runs = Gauge("liyuan_runs", "Runs after a turn, by how far they are.", ("state",), registry=self.registry)

    def count(self, runs: Mapping[State, int]) -> None:
        """Takes in how many runs there are; they belong to the database, not to this process."""
        for state, number in runs.items():
            self.runs.labels(state).set(number)

    def watch(self, stage: Stage) -> None:
        """Counts from here on what is played on this stage."""
        stage.witnesses.append(self._note)
        self.playing.set_function(lambda: stage.streams)

    def _note(self, performance: Performance) -> None:
        self.turns.labels(performance.performing.act, performance.outcome).inc()
        if performance.first_after is not None:
            self.first_token.observe(performance.first_after)


class Watch:
    """Counts and times every request, under the pattern of its route."""

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self.app = app
        self.figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        is_stream = False

        async def watch(message: Message) -> None:
            nonlocal is_stream
            if message["type"] == "http.response.start":
                is_stream = any(
                    name == b"content-type" and value.startswith(b"text/event-stream")
                    for name, value in message["headers"]
                )
                self.figures.streams.inc(is_stream)
                self._note(scope, message["status"], time.perf_counter() - began)
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            self.figures.streams.dec(is_stream)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        self.figures.requests.labels(scope["method"], route, status).inc()
        self.figures.seconds.labels(route).observe(seconds)
        if status == 500:
            self.figures.faults.inc()
