<?php

/**
 * Reads the feed of changes (docs/api.md 14.5): from the beginning, all listings; from a cursor on, what has changed since.
 */

declare(strict_types=1);

require_once __DIR__ . '/api.php';

/**
 * `changes` says what has become of each listing: `type` is upserted or removed, the latter perhaps of one that you never heard of.
 * `cursor` is where to go on; store it together with what the changes made of your copy.
 * `isComplete` says that these are all listings: drop from your copy what is not among them.
 *
 * @param string|null $from    the stored cursor, null for the beginning; a cursor that is of no use any more leads there as well
 * @param mixed       $options those of call(), by name
 * @return array{changes: list<array<string, mixed>>, cursor: string, isComplete: bool}
 */
function readChanges(?string $from, string $fields, mixed ...$options): array
{
    $changes = [];
    $cursor = $from;
    do {
        $query = http_build_query(['limit' => 100, 'fields' => $fields, 'cursor' => $cursor]); // Leaves out what is null.
        try {
            $page = call('GET', "/api/v1/changes?$query", ...$options)['body'];
        } catch (ApiError $error) {
            // The service was restored from a backup, or the key is of another kind or agency.
            if ($from === null || ($error->error['parameter'] ?? '') !== 'cursor') {
                throw $error;
            }

            return readChanges(null, $fields, ...$options);
        }
        array_push($changes, ...$page['data']);
        $cursor = $page['next_cursor'];
    } while ($page['has_more']);

    return ['changes' => $changes, 'cursor' => $cursor, 'isComplete' => $from === null];
}
