<?php

/**
 * A feed for a portal: a file with every published listing on a line of its own (NDJSON), kept current
 * through GET /changes.
 *
 *   php portal-feed.php feed.ndjson [--start-over]
 *
 * Run it every few minutes, with a read-only key. The first line of the file holds the cursor, so file and
 * cursor change together. Listings that were taken down stay in the file as `removed` for 30 days. Changes to
 * the agency's profile are not in the feed of changes: run it with --start-over from time to time.
 */

declare(strict_types=1);

require_once __DIR__ . '/changes.php';

const FIELDS = 'external_id,status,url,title,description,operation,type,price,expenses,address,location,features,'
    . 'amenities,photos,reserved,agency';
const KEEP_REMOVED_SECONDS = 30 * 24 * 3600;
const JSON = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;

/**
 * With $isComplete, a listing that is not among the changes is gone.
 *
 * @param array<string, array<string, mixed>> $feed    lines by id
 * @param list<array<string, mixed>>          $changes
 * @return array<string, array<string, mixed>>
 */
function applyChanges(array $feed, array $changes, bool $isComplete): array
{
    foreach ($changes as ['id' => $id, 'reason' => $reason, 'changed_at' => $at, 'property' => $property]) {
        // A key that can write also sees drafts.
        if (($property['status'] ?? '') === 'published') {
            $feed[$id] = ['id' => $id, 'listing' => $property];
        } elseif (isset($feed[$id]['listing'])) {
            $feed[$id] = ['id' => $id, 'removed' => $reason ?? 'unpublished', 'at' => $at];
        }
    }
    $seen = array_column($changes, 'id', 'id');
    $oldest = isoDate(time() - KEEP_REMOVED_SECONDS);
    foreach ($feed as $id => $line) {
        if ($isComplete && isset($line['listing']) && !isset($seen[$id])) {
            $feed[$id] = ['id' => $line['id'], 'removed' => 'deleted', 'at' => isoDate(time())];
        } elseif (isset($line['removed']) && $line['at'] < $oldest) {
            unset($feed[$id]);
        }
    }

    return $feed;
}

function isoDate(int $time): string
{
    return gmdate('Y-m-d\TH:i:s.000\Z', $time);
}

$path = $argv[1] ?? 'feed.ndjson';
$decode = fn (string $line): array => json_decode($line, true, 512, JSON_THROW_ON_ERROR);
$lines = is_file($path) ? array_map($decode, file($path, FILE_SKIP_EMPTY_LINES)) : [];
$head = array_shift($lines);
$feed = array_column($lines, null, 'id');
$from = ($argv[2] ?? '') === '--start-over' ? null : $head['cursor'] ?? null;
['changes' => $changes, 'cursor' => $cursor, 'isComplete' => $isComplete] = readChanges($from, FIELDS);
$feed = applyChanges($feed, $changes, $isComplete);
printf("%d listings, %d changes\n", count(array_column($feed, 'listing')), count($changes));
if ($head === null || $changes !== []) {
    $written = [['cursor' => $cursor, 'written_at' => isoDate(time())], ...array_values($feed)];
    $text = implode('', array_map(fn (array $line): string => json_encode($line, JSON) . "\n", $written));
    // Readers see the old file or the new one, never half of it.
    if (file_put_contents("$path.new", $text) !== strlen($text)) {
        throw new RuntimeException("$path.new cannot be written");
    }
    rename("$path.new", $path);
}
