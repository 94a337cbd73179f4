"""Signs requests, for a key that requires it (docs/api.md 3). api.py shows how to send them."""

from __future__ import annotations

import hashlib
import hmac
import time


def signature_headers(secret: str, method: str, target: str, body: bytes = b'') -> dict[str, str]:
    """The headers of one attempt. A signature is valid once: to retry a request, sign it
    again.

    `target` is path and query exactly as they are sent; `body` is the bytes exactly as they
    are sent.
    """
    # In milliseconds, so that two equal requests within a second differ.
    timestamp = str(time.time_ns() // 1_000_000)
    body_hash = hashlib.sha256(body).hexdigest()
    text = '\n'.join([timestamp, method, target, body_hash])
    signature = hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
    return {'X-Svc-Timestamp': timestamp, 'X-Svc-Signature': f'v1={signature}'}
