"""Any server that speaks the OpenAI protocol, asked for structured output as far as it has it."""

import asyncio
import json
import logging
import random
from collections.abc import Mapping
from typing import Any, Literal, NoReturn, get_args

from ragset.errors import CaseRefused, LLMUnavailable, ProviderRefused
from ragset.llm.limiter import Limiter
from ragset.llm.protocol import Completion, Message, Request
from ragset.llm.refusals import about, excerpt, retry_after
from ragset.llm.schema import schema_text, strict_schema
from ragset.settings import Environment, ModelSettings

logger = logging.getLogger(__name__)

Mode = Literal["json_schema", "json_object", "text"]
"""How a reply in JSON is asked for; each next one is what is left where a server lacks the one before."""

_RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529}
_LONGEST_PAUSE = 60.0
_PATIENCE = 4
"""How many refusals for coming too often count as much as one failure."""
_NO_KEY = "no-key"
"""What servers of one's own are given where none is set; the client insists on one."""


class OpenAIClient:
    """A model at an OpenAI-compatible endpoint. Belongs to one event loop; `aclose` it there."""

    def __init__(self, settings: ModelSettings, env: Environment, limiter: Limiter) -> None:
        from openai import AsyncOpenAI, DefaultAioHttpClient

        self._settings = settings
        self._limiter = limiter
        self._key = env.openai_api_key.get_secret_value() if env.openai_api_key else _NO_KEY
        self._http = AsyncOpenAI(
            api_key=self._key,
            base_url=env.openai_base_url or None,
            max_retries=0,
            timeout=settings.timeout,
            http_client=DefaultAioHttpClient(timeout=settings.timeout),
        )
        self.mode: Mode = "json_schema"
        """What the server was found to have; a caller that knows it from before may set it."""
        self._dropped: set[str] = set()
        """Parameters that the model refuses."""
        self._answered = False

    @property
    def model(self) -> str:
        """As named in the settings."""
        return self._settings.model

    @property
    def endpoint(self) -> str:
        """Its address, without credentials."""
        url = self._http.base_url
        return f"{url.scheme}://{url.netloc.decode().rpartition('@')[2]}{url.path}".rstrip("/")

    @property
    def identity(self) -> dict[str, Any]:
        """What of the settings a reply depends on."""
        return {
            "endpoint": self.endpoint,
            "model": self.model,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def complete(self, request: Request) -> Completion:
        """Answer, tried again on time-outs, 429 and 5xx up to `max_retries` times.

        Raises:
            ProviderRefused: the key, the model name or the address is wrong, or the quota used up.
            CaseRefused: this request was refused, and others were not.
            LLMUnavailable: no answer within the retries.
        """
        return await self._complete(request, self._settings.max_retries)

    async def try_once(self, request: Request) -> Completion:
        """As `complete`, with a single retry: for finding out whether the provider answers at all."""
        return await self._complete(request, min(1, self._settings.max_retries))

    async def _complete(self, request: Request, retries: int) -> Completion:
        from openai import APIConnectionError, APIStatusError

        tries = refusals = 0
        loop = asyncio.get_running_loop()
        while True:
            mode = self.mode
            async with self._limiter:
                sent_at = loop.time()
                try:
                    body = await self._post(request, mode)
                except APIStatusError as error:
                    pause = self._after(error, mode, sent_at)
                    fault = f"status {error.status_code}"
                except (APIConnectionError, TimeoutError, ConnectionError, json.JSONDecodeError) as error:
                    pause, fault = None, _fault(error, self._settings.timeout)
                else:
                    self._limiter.succeeded()
                    self._answered = True
                    return self._read(body)
            if pause == 0:  # the request was put otherwise: no retry
                continue
            # Being sent away for coming too often says that the provider is there: more patience with that.
            if fault == "status 429":
                refusals += 1
            else:
                tries += 1
            if tries > retries or refusals > _PATIENCE * retries:
                raise LLMUnavailable(
                    f"{self.model} at {self.endpoint} did not answer after {tries + refusals} tries ({fault}); if that is the wrong "
                    "address, set OPENAI_BASE_URL; else run the same command later: nothing that was answered is lost"
                )
            if pause is None:
                pause = random.uniform(0, min(_LONGEST_PAUSE, 0.5 * 2**tries))  # noqa: S311
                await asyncio.sleep(pause)
            logger.debug("%s: %s, try %d in %.1f s", self.model, fault, tries + 1, pause)

    async def _post(self, request: Request, mode: Mode) -> Any:
        import httpx2

        # A response as it came: reading it into the package's own models would cost as much again as the call.
        async with asyncio.timeout(self._settings.timeout):
            response = await self._http.post(
                "/chat/completions", cast_to=httpx2.Response, body=self._body(request, mode)
            )
        return json.loads(response.content)

    def _body(self, request: Request, mode: Mode) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "messages": _messages(request, mode)}
        limit = "max_completion_tokens" if "max_tokens" in self._dropped else "max_tokens"
        body[limit] = self._settings.max_tokens
        if self._settings.temperature is not None and "temperature" not in self._dropped:
            body["temperature"] = self._settings.temperature
        if mode == "json_schema":
            schema = {"name": request.reply.__name__, "schema": strict_schema(request.reply), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif mode == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _read(self, body: Any) -> Completion:
        try:
            choice = body["choices"][0]
            message = choice["message"]
            usage = body.get("usage") or {}
            details = usage.get("prompt_tokens_details") or {}
            return Completion(
                text=message.get("content") or message.get("refusal") or "",
                model=self.model,
                prompt_tokens=usage.get("prompt_tokens") or 0,
                cached_tokens=details.get("cached_tokens") or 0,
                completion_tokens=usage.get("completion_tokens") or 0,
                truncated=choice.get("finish_reason") == "length",
            )
        except (KeyError, IndexError, TypeError, AttributeError):
            raise ProviderRefused(
                f"{self.endpoint} answers, but not as the OpenAI protocol says; check OPENAI_BASE_URL"
            ) from None

    def _after(self, error: Any, mode: Mode, sent_at: float) -> float | None:
        """What to do about a refusal: 0 to ask again at once in another way, None to wait and try again.

        A 429 makes everybody wait, by the limiter; its pause is returned for the log alone.
        """
        status, words = error.status_code, about(error)
        if status == 429 and "insufficient_quota" in words:
            raise ProviderRefused(f"{self.endpoint}: the quota of this key is used up: {self._quote(error)}")
        if status == 429:
            pause = min(_LONGEST_PAUSE, retry_after(error.response.headers) or random.uniform(0.2, 1.0))  # noqa: S311
            self._limiter.refused(sent_at, pause)
            return pause
        if status in _RETRIED:
            wait = retry_after(error.response.headers)
            if wait:
                self._limiter.refused(sent_at, min(_LONGEST_PAUSE, wait))
                return min(_LONGEST_PAUSE, wait)
            return None
        if status in {400, 404, 422, 501} and self._put_otherwise(words, mode):
            return 0
        self._refuse(error, status, words)

    def _put_otherwise(self, words: str, mode: Mode) -> bool:
        """Whether there is another way of asking that the refusal calls for; then it is the way from now on."""
        for parameter in ("temperature", "max_tokens"):
            if parameter in words and parameter not in self._dropped:
                self._dropped.add(parameter)
                return True
        if mode != "text" and any(
            word in words
            for word in ("response_format", "json_schema", "json_object", "schema", "grammar", "structured")
        ):
            if self.mode == mode:
                modes: tuple[Mode, ...] = get_args(Mode)
                self.mode = modes[modes.index(mode) + 1]
                logger.info("%s: no %s here, asking by %s", self.endpoint, mode, self.mode)
            return True
        return False

    def _refuse(self, error: Any, status: int, words: str) -> NoReturn:
        said = self._quote(error)
        if status in {401, 403}:
            raise ProviderRefused(
                f"{self.endpoint} refuses the key (status {status}): set OPENAI_API_KEY to one that may use {self.model}"
            )
        if status == 404:
            raise ProviderRefused(
                f"{self.endpoint} knows no model {self.model!r} (status 404): name another with --model or --critic, or "
                f"set OPENAI_BASE_URL. It says: {said}"
            )
        too_long = any(
            word in words
            for word in ("context", "too long", "too large", "content_filter", "content management", "safety")
        )
        if status == 413 or too_long or self._answered:
            raise CaseRefused(f"status {status}: {said}")
        raise ProviderRefused(f"{self.endpoint} refuses {self.model} with status {status}. It says: {said}")

    def _quote(self, error: Any) -> str:
        return excerpt(error, self._key)


def _messages(request: Request, mode: Mode) -> list[Mapping[str, str]]:
    messages = list(request.messages)
    if mode != "json_schema":
        told = f"\n\nThe JSON object must fit this JSON schema:\n{schema_text(request.reply)}"
        first = messages[0]
        messages[0] = Message(role=first.role, content=first.content + told)
    return [{"role": message.role, "content": message.content} for message in messages]


def _fault(error: Exception, timeout: float) -> str:
    if isinstance(error, TimeoutError) or "imeout" in type(error).__name__:
        return f"no answer within {timeout:g} s"
    if isinstance(error, json.JSONDecodeError):
        return "an answer that is not JSON"
    return "no connection"
