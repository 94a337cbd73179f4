"""Converts listings.csv, the export of an agency's own system, into request bodies for the API.

This is the part of the nightly sync to adapt. PHOTOS_URL is where the files named in `fotos`
can be downloaded; by default the service's samples.
"""

from __future__ import annotations

import csv
import math
import os
from typing import Any

from api import BASE_URL

PHOTOS_URL = os.environ.get('PHOTOS_URL', f'{BASE_URL}/samples/')
OPERATIONS = {'venta': 'sale', 'alquiler': 'rent', 'temporario': 'temporary'}


def read_rows(path: str) -> list[dict[str, str]]:
    """The rows of a CSV in UTF-8, as spreadsheets write it. The first row has the names."""
    with open(path, encoding='utf-8-sig', newline='') as file:
        reader = csv.DictReader(file, delimiter=';', restval='', strict=True)
        return [{name: cell.strip() for name, cell in row.items() if name} for row in reader]


def payload_of(row: dict[str, str]) -> dict[str, Any]:
    """The request body for a row. None clears a field that an earlier row had set. Only
    numbers are checked here; the API validates the rest. Raises ValueError for a cell that is
    not a number.
    """

    def text(name: str) -> str | None:
        return row.get(name) or None

    def number(name: str) -> float | None:
        value = text(name)
        try:
            parsed = None if value is None else float(value)
        except ValueError:
            parsed = math.nan
        if parsed is not None and not math.isfinite(parsed):
            raise ValueError(f'{name}: {value} is not a number')
        return int(parsed) if parsed is not None and parsed.is_integer() else parsed

    operation = OPERATIONS.get(row.get('operacion', ''), text('operacion'))
    amount = number('precio')
    price: dict[str, Any] = (
        {'on_request': True} if amount is None else {'amount': amount, 'currency': text('moneda')}
    )
    if operation == 'temporary':
        price['period'] = 'night'
    location: dict[str, Any] = {'city': text('ciudad'), 'province': text('provincia')}
    if text('latitud') is not None:  # Without coordinates the service looks the address up.
        location.update(lat=number('latitud'), lng=number('longitud'))
    return {
        'title': text('titulo'),
        'description': text('descripcion'),
        'operation': operation,
        'type': text('tipo'),
        'price': price,
        'address': text('direccion'),
        'location': location,
        'features': {
            'rooms': number('ambientes'),
            'bedrooms': number('dormitorios'),
            'bathrooms': number('banos'),
            'covered_m2': number('m2_cubiertos'),
            'total_m2': number('m2_totales'),
        },
        'photos': [PHOTOS_URL + name for name in row.get('fotos', '').split()],
        'status': 'published' if row.get('publicar') == 'si' else 'draft',
        # Another flat of a building has the same street and number.
        'force_duplicate': row.get('otra_unidad') == 'si',
    }
