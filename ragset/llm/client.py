"""Any server that speaks the OpenAI protocol, asked for structured output as far as it supports it."""

import asyncio
import logging
import random
from contextlib import nullcontext
from typing import Any, NamedTuple

from ragset.documents.http_status import is_transient, retry_after
from ragset.errors import CaseRefused, LLMUnavailable, ProviderRefused
from ragset.llm.endpoint import endpoint, model_identity, suggestion
from ragset.llm.http_client import HTTPClient, StatusError
from ragset.llm.limiter import Limiter, SharedLimit
from ragset.llm.protocol import Completion, Request
from ragset.llm.request_format import READY, RequestFormat
from ragset.llm.responses import excerpt, of_case, of_funds, quote, read_answer, words_of
from ragset.llm.tracing import model_call
from ragset.settings import Environment, ModelSettings

logger = logging.getLogger(__name__)

_LONGEST_BACKOFF = 30.0
_LONGEST_WAIT = 120.0  # seconds; a provider that asks for a longer pause ends the run, which can be continued then
_RATE_LIMITS_A_TRY = 4  # how many 429s count as much as one failure: they say that the provider is there
NO_KEY = "no-key"  # sent to local servers where no key is set: some insist on one, and look at none


class _RetryableError(NamedTuple):
    fault: str
    wait: float | None = None  # seconds, as the server said
    rate_limited: bool = False
    reformatted: bool = False  # the next try puts the request another way


_Failure = _RetryableError | CaseRefused


class OpenAIClient:
    """A model at an OpenAI-compatible endpoint. Belongs to one event loop; `aclose` it there."""

    def __init__(
        self,
        settings: ModelSettings,
        env: Environment,
        limiter: Limiter | None = None,
        shared_limit: SharedLimit = nullcontext,
    ) -> None:
        """Raise InputError without a valid key or address. Each request, a retry too, enters `shared_limit`."""
        found = endpoint(env, f"model {settings.model}")
        self._settings = settings
        self._limiter = limiter or Limiter(settings.max_concurrency)
        self._shared_limit = shared_limit
        self._key = found.key or NO_KEY
        self._http = HTTPClient(found, self._key, settings.timeout)
        self.model = settings.model
        self.endpoint = found.server  # its address, without credentials
        self.identity: dict[str, Any] = model_identity(settings, found.server)
        self.form = RequestFormat()  # how the server takes requests, as far as is known
        self._answered_at = float("-inf")  # when a call was last answered, by the clock of the event loop
        self._warned = False
        self._checking = asyncio.Lock()
        self._given: set[str] = set()  # replies, by name, that came in the present form

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def complete(self, request: Request) -> Completion:
        """The answer, after up to `max_retries` further tries on time-outs, 429 and 5xx.

        Raises:
            ProviderRefused: the key, the model name or the address is wrong, or the quota used up.
            CaseRefused: this request was refused, and others are answered.
            LLMUnavailable: no answer within the retries.
        """
        return await self._complete(request, self._settings.max_retries)

    async def check(self) -> None:
        """Raise ProviderRefused or LLMUnavailable if the model does not answer a small request within two tries."""
        await self._complete(READY, min(1, self._settings.max_retries))

    async def _complete(self, request: Request, retries: int) -> Completion:
        failures = rate_limits = 0
        loop = asyncio.get_running_loop()
        failed_at = float("inf")
        while True:
            form, pause = self.form, 0.0
            async with self._limiter:
                async with self._shared_limit():
                    sent_at = loop.time()
                    answer = await self._post(request, form)
                    seconds = round(loop.time() - sent_at, 4)
                outcome = self._weigh(answer, request, form)
                if isinstance(outcome, Completion):
                    self._limiter.succeeded()
                    self._answered_at, self._warned = loop.time(), False
                    return outcome.model_copy(update={"seconds": seconds})
                if isinstance(outcome, CaseRefused):
                    break
                if outcome.reformatted:  # no retry: the form changes each time, and forms run out
                    continue
                rate_limits, failures = rate_limits + outcome.rate_limited, failures + (not outcome.rate_limited)
                tries, failed_at = failures + rate_limits, min(failed_at, loop.time())
                if failures > retries or rate_limits > _RATE_LIMITS_A_TRY * retries:
                    raise LLMUnavailable(
                        f"{self.model} at {self.endpoint} did not answer in {tries} tries ({outcome.fault}); if the address "
                        "is wrong, set OPENAI_BASE_URL; else run the same command later: nothing that was answered is lost",
                        alone=self._answered_at > min(failed_at, sent_at),
                    )
                pause = outcome.wait or random.uniform(0.5, 1) * min(_LONGEST_BACKOFF, 0.25 * 2**tries)  # noqa: S311
                if failures > 1 and self._answered_at < failed_at and not self._warned:
                    self._warned = True
                    logger.warning("no answer from %s (%s): trying again", self.endpoint, outcome.fault)
                if outcome.rate_limited or outcome.wait:
                    self._limiter.refused(sent_at, pause)
                    pause = 0.0  # the limiter holds all calls back
            await asyncio.sleep(pause)
        await self._check_others(outcome, request, sent_at)
        raise outcome

    async def _check_others(self, refused: CaseRefused, request: Request, sent_at: float) -> None:
        """Raise if other requests are refused too: a provider that refuses all of them would empty the corpus."""
        if request is READY:
            raise ProviderRefused(
                f"{self.endpoint} refuses {self.model} even a small request; check --model, --critic and "
                f"OPENAI_BASE_URL. It says: {refused}"
            )
        async with self._checking:
            if self._answered_at < sent_at:
                await self.check()

    async def _post(self, request: Request, form: RequestFormat) -> bytes | Exception:
        """The body of a response with status 200, or the error; raised, it would put quoted keys into tracebacks."""
        answer: bytes | Exception
        with model_call(request, self._settings, self.endpoint) as call:
            try:
                answer = await self._http.post("/chat/completions", form.body(request, self._settings))
            except (StatusError, TimeoutError, ConnectionError) as error:
                answer = error
            if call:
                call(_told(answer, self.model))
        return answer

    def _weigh(self, answer: bytes | Exception, request: Request, form: RequestFormat) -> Completion | _Failure:
        """What came back; raises what concerns more than this request and no other try can mend."""
        if isinstance(answer, StatusError):
            return self._read_refusal(answer, request, form)
        if isinstance(answer, TimeoutError):
            return _RetryableError(f"no answer within {self._settings.timeout:g} s")
        if isinstance(answer, Exception):
            return _RetryableError("no connection")
        try:
            completion = read_answer(answer, self.model)
        except ValueError as error:
            fault = excerpt(str(error), self._key)
        else:
            if form == self.form:
                self._given.add(request.reply.__name__)
            return completion
        if self._answered_at > float("-inf"):
            return _RetryableError(f"an answer that is no completion ({fault})")
        told = f"{self.endpoint} answers, but not as the OpenAI protocol says ({fault}); check OPENAI_BASE_URL"
        raise ProviderRefused(told + suggestion(self.endpoint))

    def _read_refusal(self, error: StatusError, request: Request, form: RequestFormat) -> _Failure:
        status, words, said = error.status_code, words_of(error), quote(error, self._key)
        server, mend = self.endpoint, suggestion(self.endpoint)
        if of_funds(status, words):
            raise ProviderRefused(
                f"{server}: the quota of this key is used up; add to it, or set OPENAI_API_KEY to another. It says: {said}"
            )
        if of_case(status, words) and status not in {401, 404}:
            return CaseRefused(f"status {status}: {said}")
        if is_transient(status):
            wait = retry_after(error.headers)
            if wait and wait > _LONGEST_WAIT:
                raise LLMUnavailable(
                    f"{self.model} at {server} asks to be left alone for {wait:.0f} s (status {status}): run the same "
                    "command then; nothing that was answered is lost"
                )
            return _RetryableError(f"status {status}", wait, rate_limited=status == 429)
        # Once replies of this kind have come, a refusal that speaks of schemas quotes the case.
        reformable = status in {400, 404, 422, 501} and request.reply.__name__ not in self._given
        if reformable and (other := form.after_refusal(words)):
            if self.form == form:  # else a call beside this one has found it out already
                logger.info("%s refuses the form %s, asking by %s", server, form, other)
                self.form = other
                self._given.clear()
            return _RetryableError(f"status {status}", reformatted=True)
        if status in {401, 403}:
            told = f"{server} refuses the key (status {status}): set OPENAI_API_KEY to one that may use {self.model}"
            raise ProviderRefused(told)
        if status == 404:
            raise ProviderRefused(
                f"{server} knows no model {self.model!r} (status 404): name another with --model or --critic, or set "
                f"OPENAI_BASE_URL{mend}. It says: {said}"
            )
        return CaseRefused(f"status {status}: {said}")


def _told(answer: bytes | Exception, model: str) -> Completion | str:
    """What a trace is told: the completion, the status, or the type of the error."""
    if isinstance(answer, StatusError):
        return str(answer.status_code)
    if isinstance(answer, Exception):
        return type(answer).__name__
    try:
        return read_answer(answer, model)
    except ValueError:
        return "malformed"
