"""Reads the feed of changes (docs/api.md 14.5): all listings from the beginning, or only the
changes after a cursor.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from api import ApiError, call


class News(NamedTuple):
    # One change per listing: `type` is upserted or removed, perhaps for one that you never had.
    changes: list[dict[str, Any]]
    # Where to continue. Store it in the same transaction as the changes.
    cursor: str
    # Whether these are all listings: drop all others from your copy.
    is_complete: bool


def read_changes(start: str | None, fields: str, **options: Any) -> News:
    """`start` is the stored cursor, or None for the beginning. A cursor that is no longer
    valid starts over too.

    `options` go to `call`. Raises what `call` raises.
    """
    changes: list[dict[str, Any]] = []
    cursor = start
    while True:
        query = {'limit': 100, 'fields': fields, **({} if cursor is None else {'cursor': cursor})}
        try:
            page = call('GET', f'/api/v1/changes?{urlencode(query)}', **options).body
        except ApiError as error:
            # The service was restored from a backup, or the key is of another kind or agency.
            if start is None or error.error.get('parameter') != 'cursor':
                raise
            return read_changes(None, fields, **options)
        changes += page['data']
        cursor = page['next_cursor']
        if not page['has_more']:
            return News(changes, cursor, start is None)
