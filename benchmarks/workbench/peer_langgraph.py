"""Runs in LangGraph's own environment: a chat of `turns` turns with its SQLite checkpointer, on a file. Prints JSON.

The graph is the one of its own tutorials: the messages, one node that replies. The model takes no time.
"""

import json
import statistics
import sys
import time
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph

MEASURED = 15


def main(folder: str, turns: int, said: str, reply: str) -> None:
    graph = StateGraph(MessagesState)
    graph.add_node("reply", lambda state: {"messages": [AIMessage(reply)]})
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    story = {"configurable": {"thread_id": "story"}}
    file = Path(folder) / "langgraph.sqlite3"
    with SqliteSaver.from_conn_string(str(file)) as saver:
        chat = graph.compile(checkpointer=saver)
        seconds = []
        for _ in range(turns + MEASURED):
            began = time.perf_counter()
            chat.invoke({"messages": [HumanMessage(said)]}, story)
            seconds.append(time.perf_counter() - began)
        opened = []
        for _ in range(MEASURED):
            began = time.perf_counter()
            chat.get_state(story)
            opened.append(time.perf_counter() - began)
    size = sum(path.stat().st_size for path in Path(folder).glob("langgraph.sqlite3*"))
    print(
        json.dumps(
            {
                "first": statistics.median(seconds[:MEASURED]),
                "turn": statistics.median(seconds[-MEASURED:]),
                "open": statistics.median(opened),
                "bytes": size,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
