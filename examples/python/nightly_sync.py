"""Nightly sync: makes an agency's listings match the CSV from its own system.

    python3 nightly_sync.py ../listings.csv [--disable-gone | --delete-gone]

Sent rows are recorded next to the CSV, in listings.csv.state.json: only rows that changed
cost writes, and an interrupted run resumes where it stopped. Listings whose row is gone are
reported, and disabled or deleted only on request. A listing that somebody else disabled is not
published again.

With SVC_DRY_RUN=1 nothing changes: each row is checked by a dry run, without the photos and state
of a listing that exists.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import uuid
from collections import Counter
from typing import Any
from urllib.parse import quote

from api import NO_ANSWER, Answer, ApiError, call
from listings import payload_of, read_rows

IS_DRY_RUN = os.environ.get('SVC_DRY_RUN') == '1'


class Sync:
    def __init__(self, path: str, agency: str) -> None:
        self.path = f'{path}.state.json'
        # `sent` has a hash of what was accepted, by external id; `off` the external ids that were
        # not to be published then. `salt` and `step` are for the Idempotency-Keys, see `write`.
        self.state: dict[str, Any] = {
            'agency': agency,
            'salt': uuid.uuid4().hex[:8],
            'step': 0,
            'sent': {},
            'off': {},
        }
        self.counts = Counter(created=0, updated=0, unchanged=0, postponed=0, failed=0, gone=0)
        if os.path.exists(self.path):
            with open(self.path, encoding='utf-8') as file:
                state = json.load(file)
            if state['agency'] == agency:  # Another agency has none of these listings.
                self.state = state

    def next_step(self) -> None:
        if IS_DRY_RUN:
            return
        self.state['step'] += 1
        with open(f'{self.path}.new', 'w', encoding='utf-8') as file:
            json.dump(self.state, file)
        os.replace(f'{self.path}.new', self.path)

    def write(self, method: str, below: str, body: Any = None) -> Answer:
        """The Idempotency-Key stays the same until the row has been answered, even in the run
        after a crash, so that nothing is done twice. Then it changes: a price that goes up and
        back down is two changes, and must not get the response of the first.
        """
        key = (
            f'sync-{self.state["salt"]}-{self.state["step"]}-{hash_of([method, below, body])[:16]}'
        )
        query = '?dry_run=true' if IS_DRY_RUN else ''
        return call(method, f'/api/v1/properties{below}{query}', body, idempotency_key=key)

    def run(self, rows: list[dict[str, str]], wish: str | None) -> None:
        sent = self.state['sent']
        seen: set[str] = set()
        is_full = False
        for row in rows:
            external_id = row.get('codigo', '')
            try:
                if external_id == '' or external_id in seen:
                    raise ValueError('codigo is empty, or was used above')
                seen.add(external_id)
                payload = payload_of(row)
                fingerprint = hash_of(payload)
                if sent.get(external_id) == fingerprint:
                    self.counts['unchanged'] += 1
                    continue
                if is_full and external_id not in sent:
                    self.counts['postponed'] += 1
                    continue
                verdict, notes, is_complete = self.send(external_id, payload)
                self.counts[verdict] += 1
                print(f'{external_id} {verdict}', *notes, sep='\n  ')
                # A failed photo may work tomorrow: without its hash, the row is sent again.
                if is_complete:
                    sent[external_id] = fingerprint
            except (ValueError, ApiError) as error:
                limits = error.error.get('limits', []) if isinstance(error, ApiError) else []
                verdict = 'postponed' if limits else 'failed'
                self.counts[verdict] += 1
                print(f'{external_id} {verdict}: {error}')
                if would_stop_all(error):
                    sys.exit(1)
                # Rows that were sent before may still change; further new ones would only use
                # up writes.
                if any(name.startswith('new_listings_') for name in limits):
                    is_full = True
            self.next_step()
        gone = [external_id for external_id in sent if external_id not in seen]
        self.remove(gone, not seen or len(gone) > max(3, len(sent) / 5), wish)

    def send(self, external_id: str, payload: dict[str, Any]) -> tuple[str, list[str], bool]:
        """PUT creates the listing, or updates it. Photos and status of an existing one have
        operations of their own. Returns the verdict, notes, and whether everything was done.
        """
        status, _, body = self.write('PUT', f'/external/{quote(external_id, safe="")}', payload)
        listing, photos = body['data'], body.get('photos', [])
        is_published = listing['status'] == 'published'
        should_be = payload['status'] == 'published'
        # Sold or withdrawn by a person, for example: the row has called it available all the time.
        is_off_elsewhere = (
            listing['status'] == 'disabled'
            and should_be
            and external_id not in self.state['off']
        )
        if status == 200 and not IS_DRY_RUN:
            if is_published and not should_be:
                self.write('POST', f'/{listing["id"]}/disable')
            if payload['photos']:
                # Known photos are not downloaded again.
                photos = self.write(
                    'PUT', f'/{listing["id"]}/photos', {'urls': payload['photos']}
                ).body['photos']
            if should_be and not is_published and not is_off_elsewhere:
                self.write('POST', f'/{listing["id"]}/enable')
        if should_be:
            self.state['off'].pop(external_id, None)
        else:
            self.state['off'][external_id] = True
        failed = [
            f'{photo["url"]}: {photo["error"]}' for photo in photos if photo['error'] is not None
        ]
        notes = ['was disabled elsewhere, and stays so'] if is_off_elsewhere else []
        notes += [
            warning['message']
            for warning in body['warnings']
            if not warning['code'].endswith(('_ignored', '_failed'))
        ]
        return 'created' if status == 201 else 'updated', failed + notes, not failed

    def remove(self, gone: list[str], is_too_much: bool, wish: str | None) -> None:
        """Handles listings whose row is gone. A file that lost many rows is more likely broken
        than right.
        """
        self.counts['gone'] = len(gone)
        action = {'--disable-gone': 'disable', '--delete-gone': 'delete'}.get(wish or '')
        if action is None or is_too_much:
            for external_id in gone:
                print(f'{external_id} gone')
            if action is not None:
                self.counts['failed'] += len(gone)
                print('Too many are gone at once: nothing was removed. Check the file.')
            return
        for start in range(0, len(gone), 50):
            items = [
                {'external_id': external_id, 'action': action}
                for external_id in gone[start : start + 50]
            ]
            for result in self.write('POST', '/batch', {'items': items}).body['results']:
                external_id = result['external_id']
                if result['status'] in (200, 404):
                    del self.state['sent'][external_id]
                    if action == 'disable':
                        self.state['off'][external_id] = True
                    print(f'{external_id} {action}d')
                else:
                    self.counts['failed'] += 1
                    print(f'{external_id} not {action}d: {result["error"]["message"]}')
            self.next_step()


def would_stop_all(error: Exception) -> bool:
    """Whether every other row would fail too: no service, a refused key, no writes left."""
    if not isinstance(error, ApiError):
        return isinstance(error, NO_ANSWER)
    limits = error.error.get('limits', [])
    return (
        error.status in (401, 403)
        or error.status >= 500
        or any(name.startswith('writes_') for name in limits)
    )


def hash_of(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def main(path: str = '../listings.csv', wish: str | None = None) -> int:
    try:
        sync = Sync(path, call('GET', '/api/v1/me').body['data']['agency']['id'])
        sync.run(read_rows(path), wish)
    except (ApiError, *NO_ANSWER) as error:
        print(error, file=sys.stderr)
        return 1
    print(', '.join(f'{count} {name}' for name, count in sync.counts.items()))
    return 0 if sync.counts['failed'] + sync.counts['postponed'] == 0 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
