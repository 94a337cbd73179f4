"""The listings on an agency's own website, served from a local copy: fast, and up even while
the service is down.

    PORT=8080 python3 website.py    then open http://127.0.0.1:8080/

Any WSGI server can run `application`. It needs a read-only key. At most once a minute, a visit
updates the copy through GET /changes. A listing's own page shows more than the copy holds: it
is read on demand, and revalidated with If-None-Match. The copy is the file WEBSITE_COPY,
website.sqlite by default.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from html import escape
from typing import Any
from urllib.parse import parse_qs
from wsgiref.simple_server import make_server

from api import NO_ANSWER, ApiError, call
from changes import read_changes

CARD_FIELDS = 'status,title,operation,price,location,photos'
PATH = os.environ.get('WEBSITE_COPY', 'website.sqlite')
FRESH_SECONDS = float(os.environ.get('WEBSITE_FRESH_SECONDS', '60'))
PERIODS = {'month': ' por mes', 'week': ' por semana', 'night': ' por noche'}

SCHEMA = """
create table if not exists feed (one integer primary key, cursor text, checked_at real not null);
insert or ignore into feed values (1, null, 0);
create table if not exists cards
    (place integer primary key, id text unique not null, card text not null);
create table if not exists details
    (id text primary key, etag text, listing text not null, checked_at real not null);
"""


Listing = dict[str, Any]


def keep_fresh(db: sqlite3.Connection) -> None:
    """Applies what is new. One visit at a time does this; copy and cursor change in one
    transaction.
    """
    now = time.time()
    with db:
        claim = db.execute(
            'update feed set checked_at = ? where checked_at <= ?', (now, now - FRESH_SECONDS)
        )
    if claim.rowcount == 0:
        return
    (cursor,) = db.execute('select cursor from feed').fetchone()
    try:
        # Visitors do not wait for retries.
        changes, cursor, is_complete = read_changes(
            cursor, CARD_FIELDS, attempts=1, timeout_seconds=5
        )
    except (ApiError, *NO_ANSWER) as error:
        print(f'The copy stays as it is: {error}', file=sys.stderr)
        return
    with db:
        if is_complete:
            db.execute('delete from cards')
        for change in changes:
            db.execute('delete from cards where id = ?', (change['id'],))
            # A key that can write also sees drafts.
            if change['type'] == 'upserted' and change['property']['status'] == 'published':
                db.execute(
                    'insert into cards (id, card) values (?, ?)',
                    (change['id'], json.dumps(change['property'])),
                )
        db.execute('delete from details where id not in (select id from cards)')
        db.execute('update feed set cursor = ?', (cursor,))


def read(db: sqlite3.Connection, listing_id: str) -> Listing | None:
    """The full listing, revalidated at most once a minute; the last known version if the
    service is down; None if it is not published.
    """
    card = db.execute('select card from cards where id = ?', (listing_id,)).fetchone()
    if card is None:
        return None
    known = db.execute(
        'select etag, listing, checked_at from details where id = ?', (listing_id,)
    ).fetchone()
    etag, listing, checked_at = known or (None, card[0], 0)
    if checked_at > time.time() - FRESH_SECONDS:
        return json.loads(listing)
    try:
        answer = call(
            'GET', f'/api/v1/properties/{listing_id}', etag=etag, attempts=1, timeout_seconds=5
        )
        if answer.status == 200:  # 304 has no body: the known version is current.
            listing = json.dumps(answer.body['data'])
        with db:
            db.execute(
                'replace into details values (?, ?, ?, ?)',
                (listing_id, answer.etag, listing, time.time()),
            )
    except (ApiError, *NO_ANSWER) as error:
        if isinstance(error, ApiError) and error.status == 404:
            return None
    return json.loads(listing)


def price_of(price: dict[str, Any]) -> str:
    if price['amount'] is None:
        return 'Consultar precio'
    amount = f'{price["amount"]:,}'.translate(str.maketrans(',.', '.,'))
    return f'{price["currency"]} {amount}{PERIODS.get(price.get("period") or "", "")}'


def text(value: Any) -> str:
    """Texts are plain text, as somebody typed them: escape everything that goes into a page."""
    return escape(str(value or ''))


def card_html(card: Listing) -> str:
    cover = card['photos'][0].replace('large.webp', 'small.webp')
    return f"""<li>
  <a href="/?id={text(card['id'])}">
    <img src="{text(cover)}" alt="" width="320" loading="lazy">
    {text(card['title'])}</a>
  <p>{text(price_of(card['price']))} · {text(card['location']['city'])}</p>
</li>"""


def listing_html(listing: Listing) -> str:
    photos = '\n'.join(
        f'<img src="{text(photo)}" alt="" width="800" loading="lazy">'
        for photo in listing['photos']
    )
    return f"""<h1>{text(listing['title'])}</h1>
<p>{text(price_of(listing['price']))} · {text(listing.get('address'))},
{text(listing['location']['city'])}</p>
{photos}
<p style="white-space: pre-line">{text(listing.get('description'))}</p>
<p><a href="/">Todas las propiedades</a></p>"""


def page_of(db: sqlite3.Connection, listing_id: str | None) -> tuple[str, str, str]:
    """Status, title, body."""
    if listing_id is None:
        if db.execute('select cursor is null from feed').fetchone()[0]:
            return '503 Service Unavailable', 'Volvemos en un momento', ''
        # Latest change first.
        cards = [
            json.loads(card)
            for (card,) in db.execute('select card from cards order by place desc')
        ]
        return (
            '200 OK',
            'Propiedades',
            '\n'.join(['<h1>Propiedades</h1>', '<ul>', *map(card_html, cards), '</ul>']),
        )
    listing = read(db, listing_id)
    if listing is None:
        return (
            '404 Not Found',
            'No encontrada',
            '<p>Esta propiedad ya no está publicada. <a href="/">Ver todas</a></p>',
        )
    return '200 OK', listing['title'], listing_html(listing)


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    query = parse_qs(environ.get('QUERY_STRING', ''))
    with closing(sqlite3.connect(PATH)) as db:
        db.executescript(SCHEMA)
        keep_fresh(db)
        status, title, body = page_of(db, query.get('id', [None])[0])
    start_response(
        status,
        [
            ('Content-Type', 'text/html; charset=utf-8'),
            (
                'Content-Security-Policy',
                "default-src 'none'; img-src *; style-src 'unsafe-inline'",
            ),
        ],
    )
    return [
        f"""<!doctype html>
<html lang="es-AR">
<meta name="viewport" content="width=device-width">
<title>{text(title)}</title>
{body}
</html>
""".encode()
    ]


if __name__ == '__main__':
    with make_server('127.0.0.1', int(os.environ.get('PORT', '8080')), application) as server:
        print('The website is open.', flush=True)
        server.serve_forever()
