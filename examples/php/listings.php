<?php

/**
 * Converts listings.csv, the export of an agency's own system, into request bodies for the API. This is the
 * part of the nightly sync to adapt. PHOTOS_URL is where the files named in `fotos` can be downloaded; by
 * default the service's samples.
 */

declare(strict_types=1);

require_once __DIR__ . '/api.php';

const OPERATIONS = ['venta' => 'sale', 'alquiler' => 'rent', 'temporario' => 'temporary'];

/**
 * The rows of a CSV in UTF-8, as spreadsheets write it. The first row has the names.
 *
 * @return list<array<string, string>>
 */
function readRows(string $path): array
{
    if (!preg_match('//u', (string) file_get_contents($path))) {
        throw new RuntimeException("$path is not UTF-8"); // Other encodings would arrive as garbage.
    }
    $file = fopen($path, 'r');
    if (fread($file, 3) !== "\xEF\xBB\xBF") {
        rewind($file);
    }
    $names = fgetcsv($file, null, ';', '"', '');
    $rows = [];
    while ($cells = fgetcsv($file, null, ';', '"', '')) {
        if ($cells !== [null]) {
            $cells = array_map(fn (?string $cell): string => trim($cell ?? ''), $cells);
            $rows[] = array_combine($names, array_slice(array_pad($cells, count($names), ''), 0, count($names)));
        }
    }

    return $rows;
}

/**
 * The request body for a row. null clears a field that an earlier row had set. Only numbers are checked here;
 * the API validates the rest.
 *
 * @param array<string, string> $row
 * @return array<string, mixed>
 * @throws RangeException for a cell that is not a number
 */
function payloadOf(array $row): array
{
    $text = fn (string $name): ?string => ($row[$name] ?? '') === '' ? null : $row[$name];
    $number = function (string $name) use ($text): int|float|null {
        $value = $text($name);
        if ($value !== null && !is_numeric($value)) {
            throw new RangeException("$name: $value is not a number");
        }

        return $value === null ? null : $value + 0;
    };
    $operation = OPERATIONS[$row['operacion'] ?? ''] ?? $text('operacion');
    $amount = $number('precio');
    $price = $amount === null ? ['on_request' => true] : ['amount' => $amount, 'currency' => $text('moneda')];
    if ($operation === 'temporary') {
        $price['period'] = 'night';
    }
    $location = ['city' => $text('ciudad'), 'province' => $text('provincia')];
    if ($text('latitud') !== null) { // Without coordinates the service looks the address up.
        $location += ['lat' => $number('latitud'), 'lng' => $number('longitud')];
    }
    $photosUrl = setting('PHOTOS_URL', rtrim(setting('SVC_BASE_URL', 'http://127.0.0.1:3000'), '/') . '/samples/');
    $files = preg_split('/\s+/', $row['fotos'] ?? '', -1, PREG_SPLIT_NO_EMPTY);

    return [
        'title' => $text('titulo'),
        'description' => $text('descripcion'),
        'operation' => $operation,
        'type' => $text('tipo'),
        'price' => $price,
        'address' => $text('direccion'),
        'location' => $location,
        'features' => [
            'rooms' => $number('ambientes'),
            'bedrooms' => $number('dormitorios'),
            'bathrooms' => $number('banos'),
            'covered_m2' => $number('m2_cubiertos'),
            'total_m2' => $number('m2_totales'),
        ],
        'photos' => array_map(fn (string $name): string => $photosUrl . $name, $files),
        'status' => ($row['publicar'] ?? '') === 'si' ? 'published' : 'draft',
        // Another flat of a building has the same street and number.
        'force_duplicate' => ($row['otra_unidad'] ?? '') === 'si',
    ];
}
