"""Reads the feed of changes (docs/api.md 14.5): from the beginning, all listings; from a cursor on, what has changed since."""
from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from api import ApiError, call


class News(NamedTuple):
    # What has become of each listing: `type` is upserted or removed, the latter perhaps of one that you never heard of.
    changes: list[dict[str, Any]]
    # Where to go on. Store it together with what the changes made of your copy.
    cursor: str
    # Whether these are all listings: drop from your copy what is not among them.
    is_complete: bool


def read_changes(start: str | None, fields: str, **options: Any) -> News:
    """`start` is the stored cursor, None for the beginning; a cursor that is of no use any more leads there as well.

    `options` are those of `call`, and so is what it raises.
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
