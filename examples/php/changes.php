<?php

/**
 * Reads the feed of changes (docs/api.md 14.5): all listings from the beginning, or only the changes after a
 * cursor.
 */

declare(strict_types=1);

require_once __DIR__ . '/api.php';

/**
 * `changes` has one change per listing: `type` is upserted or removed, perhaps for one that you never
 * had. `cursor` is where to continue; store it in the same transaction as the changes. `isComplete` says that
 * these are all listings: drop all others from your copy.
 *
 * @param string|null $from    the stored cursor, or null for the beginning; an invalid one starts over too
 * @param mixed       $options named arguments of call()
 * @return array{changes: list<array<string, mixed>>, cursor: string, isComplete: bool}
 */
function readChanges(?string $from, string $fields, mixed ...$options): array
{
    $changes = [];
    $cursor = $from;
    do {
        // Leaves out null values.
        $query = http_build_query(['limit' => 100, 'fields' => $fields, 'cursor' => $cursor]);
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
