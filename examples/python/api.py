"""One request to the API, as a program should send it: with a timeout, signed if the key
requires it, and retried when that can help.

The other programs use it. Run directly, it sends one request:

    python3 api.py GET /api/v1/me
    python3 api.py PUT /api/v1/properties/external/CRM-1042 '{"title": "Casa con jardín"}'

Its settings are environment variables:

    SVC_API_KEY          the key
    SVC_SIGNING_SECRET   its signing secret, if it requires signatures
    SVC_BASE_URL         where the service is; http://127.0.0.1:3000 by default
    SVC_PATIENCE         the longest wait for an exhausted limit, in seconds; 3700 by default
"""

from __future__ import annotations

import http.client
import json
import math
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from email.message import Message
from typing import Any, NamedTuple

from sign import signature_headers

# Name your program and a contact: unnamed clients may be taken for crawlers.
USER_AGENT = 'AcmeRecipes/1.0 (+https://acme.example; dev@acme.example)'
KEY = os.environ.get('SVC_API_KEY', '')
SECRET = os.environ.get('SVC_SIGNING_SECRET', '')
BASE_URL = os.environ.get('SVC_BASE_URL', 'http://127.0.0.1:3000').rstrip('/')
PATIENCE_SECONDS = float(os.environ.get('SVC_PATIENCE', '3700'))
# Raised by `call` if no attempt was answered.
NO_ANSWER = (OSError, http.client.HTTPException, json.JSONDecodeError)


class Answer(NamedTuple):
    status: int
    etag: str | None
    body: Any


class ApiError(Exception):
    """An answer of 400 or above. Decide by `code`; what else is in `error` depends on it
    (docs/api.md 5).
    """

    def __init__(self, status: int, headers: Message, content: bytes) -> None:
        self.status = status
        try:
            self.error: dict[str, Any] = json.loads(content)['error']
            self.code: str = self.error['code']
        except (ValueError, KeyError, TypeError):  # A proxy in between.
            self.error = {'code': 'unknown', 'message': 'The answer is not from the API.'}
            self.code = 'unknown'
        # The message describes the first of the errors.
        others = [
            f'  {one["parameter"]}: {one["message"]}' for one in self.error.get('errors', [])[1:]
        ]
        super().__init__('\n'.join([f'{status} {self.code}: {self.error["message"]}', *others]))
        # Seconds to wait before a retry, if the service said so.
        header = headers.get('Retry-After') or ''
        self.retry_after = int(header) if header.isdecimal() else None

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return (
            self.status >= 500
            or self.status in (408, 429)
            or self.code == 'idempotent_request_in_progress'
        )


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and no other host may see the key."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(NoRedirects)


def call(
    method: str,
    target: str,
    body: Any = None,
    *,
    idempotency_key: str | None = None,
    etag: str | None = None,
    attempts: int = 6,
    timeout_seconds: float = 60,
) -> Answer:
    """Sends a request until it is answered. `target` is path and query:
    `/api/v1/properties?page=2`.

    `body` is sent as JSON. The Idempotency-Key is the same for all attempts, so that the
    effect happens once; it is generated for a write if absent. `etag` is that of your copy:
    while it is current, the answer is 304.

    Raises ApiError for an error, or one of NO_ANSWER if no attempt was answered.
    """
    content = None if body is None else json.dumps(body).encode()
    headers = {'User-Agent': USER_AGENT, 'Authorization': f'Bearer {KEY}'}
    if content is not None:
        headers['Content-Type'] = 'application/json'
    if method != 'GET':
        headers['Idempotency-Key'] = idempotency_key or str(uuid.uuid4())
    if etag is not None:
        headers['If-None-Match'] = etag

    for attempt in range(1, attempts + 1):
        failure: Exception
        try:
            return _send(method, target, content, headers, timeout_seconds)
        except ApiError as error:
            takes_too_long = error.status == 429 and (error.retry_after or 0) > PATIENCE_SECONDS
            if takes_too_long or not error.is_temporary:
                raise
            failure = error
        except NO_ANSWER as error:
            # No answer: the request may or may not have taken effect. The Idempotency-Key
            # makes a retry safe.
            failure = error
        if attempt == attempts:
            raise failure
        retry_after = getattr(failure, 'retry_after', None)
        # Jitter, so that programs that failed together do not retry together.
        wait = random.random() * (2 ** (attempt - 1) if retry_after is None else 1)
        wait += retry_after or 0
        print(f'{method} {target}: {failure}; again in {math.ceil(wait)} s', file=sys.stderr)
        time.sleep(wait)
    raise ValueError('attempts must be at least 1')


def _send(
    method: str,
    target: str,
    content: bytes | None,
    headers: dict[str, str],
    timeout_seconds: float,
) -> Answer:
    signature = signature_headers(SECRET, method, target, content or b'') if SECRET else {}
    request = urllib.request.Request(
        BASE_URL + target, content, {**headers, **signature}, method=method
    )
    try:
        with _opener.open(request, timeout=timeout_seconds) as response:
            return Answer(
                response.status, response.headers.get('ETag'), json.loads(response.read())
            )
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 304:
                return Answer(304, etag=error.headers.get('ETag'), body=None)
            raise ApiError(error.code, error.headers, error.read()) from None


def main(method: str = 'GET', target: str = '/api/v1/me', text: str = 'null') -> int:
    try:
        answer = call(method, target, json.loads(text))
    except (ApiError, *NO_ANSWER) as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(answer.body, indent=2, ensure_ascii=False))
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
