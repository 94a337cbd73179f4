"""A feed for a portal: a file with every published listing on a line of its own (NDJSON), kept
current through GET /changes.

    python3 portal_feed.py feed.ndjson [--start-over]

Run it every few minutes, with a read-only key. The first line of the file holds the cursor, so
file and cursor change together. Listings that were taken down stay in the file as `removed`
for 30 days. Changes to the agency's profile are not in the feed of changes: run it with
--start-over from time to time.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime, timedelta, timezone
from typing import Any

from api import NO_ANSWER, ApiError
from changes import News, read_changes

FIELDS = (
    'external_id,status,url,title,description,operation,type,price,expenses,address,location,features,'
    'amenities,photos,reserved,agency'
)
KEEP_REMOVED = timedelta(days=30)

Feed = dict[str, dict[str, Any]]


def apply(feed: Feed, news: News) -> None:
    now = datetime.now(timezone.utc)
    seen = set()
    for change in news.changes:
        key = change['id']
        seen.add(key)
        # A key that can write also sees drafts.
        if change['type'] == 'upserted' and change['property']['status'] == 'published':
            feed[key] = {'id': key, 'listing': change['property']}
        elif 'listing' in feed.get(key, {}):
            feed[key] = {
                'id': key,
                'removed': change['reason'] or 'unpublished',
                'at': change['changed_at'],
            }
    oldest = to_iso(now - KEEP_REMOVED)
    for key, line in list(feed.items()):
        if news.is_complete and 'listing' in line and key not in seen:
            feed[key] = {'id': key, 'removed': 'deleted', 'at': to_iso(now)}
        elif line.get('at', oldest) < oldest:
            del feed[key]


def to_iso(moment: datetime) -> str:
    return moment.isoformat(timespec='milliseconds').replace('+00:00', 'Z')


def main(path: str = 'feed.ndjson', wish: str | None = None) -> int:
    lines: list[dict[str, Any]] = []
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            lines = [json.loads(line) for line in file]
    feed: Feed = {line['id']: line for line in lines[1:]}
    try:
        cursor = lines[0]['cursor'] if lines and wish != '--start-over' else None
        news = read_changes(cursor, FIELDS)
    except (ApiError, *NO_ANSWER) as error:
        print(error, file=sys.stderr)
        return 1

    apply(feed, news)
    count = sum('listing' in line for line in feed.values())
    print(f'{count} listings, {len(news.changes)} changes')
    if news.changes or not lines:
        head = {'cursor': news.cursor, 'written_at': to_iso(datetime.now(timezone.utc))}
        with open(f'{path}.new', 'w', encoding='utf-8') as file:
            for line in [head, *feed.values()]:
                file.write(json.dumps(line, ensure_ascii=False) + '\n')
            file.flush()
            os.fsync(file.fileno())
        # Readers see the old file or the new one, never half of it.
        os.replace(f'{path}.new', path)
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
