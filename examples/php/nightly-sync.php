<?php

/**
 * Nightly sync: makes an agency's listings what the CSV of its own system says.
 *
 *   php nightly-sync.php ../listings.csv [--disable-gone | --delete-gone]
 *
 * What was sent is remembered beside the CSV, in listings.csv.state.json. Only rows that changed cost writes, and a run that stopped
 * goes on where it was. Listings whose row is gone are named; they are disabled or deleted only when asked.
 */

declare(strict_types=1);

require_once __DIR__ . '/api.php';
require_once __DIR__ . '/listings.php';

final class Sync
{
    /** @var array<string, int> */
    public array $counts = ['created' => 0, 'updated' => 0, 'unchanged' => 0, 'failed' => 0, 'gone' => 0];
    /** @var array<string, mixed> `sent` has a hash of what was accepted, by external id; on `salt` and `step`, see write() */
    private array $state;
    private string $path;

    public function __construct(string $path, string $agency)
    {
        $this->path = "$path.state.json";
        $read = is_file($this->path) ? json_decode((string) file_get_contents($this->path), true) : null;
        // Of another agency, nothing of this file is there.
        $this->state = ($read['agency'] ?? null) === $agency
            ? $read
            : ['agency' => $agency, 'salt' => bin2hex(random_bytes(4)), 'step' => 0, 'sent' => []];
    }

    /** @param list<array<string, string>> $rows */
    public function run(array $rows, string $wish): void
    {
        $seen = [];
        foreach ($rows as $row) {
            $externalId = $row['codigo'] ?? '';
            try {
                if ($externalId === '' || isset($seen[$externalId])) {
                    throw new RangeException('codigo is empty, or was used above');
                }
                $seen[$externalId] = true;
                $payload = payloadOf($row);
                $hash = hashOf($payload);
                if (($this->state['sent'][$externalId] ?? null) === $hash) {
                    $this->counts['unchanged']++;
                    continue;
                }
                [$verdict, $notes, $isComplete] = $this->send($externalId, $payload);
                $this->counts[$verdict]++;
                echo implode("\n  ", ["$externalId $verdict", ...$notes]), "\n";
                if ($isComplete) { // A photo that failed may be there tomorrow: without its hash, the row is sent again.
                    $this->state['sent'][$externalId] = $hash;
                }
            } catch (RangeException | ApiError $error) {
                $this->counts['failed']++;
                echo "$externalId failed: {$error->getMessage()}\n";
                if ($error instanceof ApiError && wouldStopAll($error)) {
                    exit(1);
                }
            }
            $this->nextStep();
        }
        $this->remove(array_map('strval', array_keys(array_diff_key($this->state['sent'], $seen))), $wish);
    }

    /**
     * PUT creates the listing, or changes the fields that differ; photos and status of one that exists have operations of their own.
     *
     * @param array<string, mixed> $payload
     * @return array{string, list<string>, bool} the verdict, notes on it, and whether nothing is left to do
     */
    private function send(string $externalId, array $payload): array
    {
        ['status' => $status, 'body' => $body] = $this->write('PUT', '/external/' . rawurlencode($externalId), $payload);
        ['id' => $id, 'status' => $listingStatus] = $body['data'];
        $photos = $body['photos'] ?? [];
        if ($status === 200) {
            $isPublished = $listingStatus === 'published';
            $shouldBe = $payload['status'] === 'published';
            if ($isPublished && !$shouldBe) {
                $this->write('POST', "/$id/disable");
            }
            if ($payload['photos'] !== []) {
                // Photos that are there already are not downloaded again.
                $photos = $this->write('PUT', "/$id/photos", ['urls' => $payload['photos']])['body']['photos'];
            }
            if ($shouldBe && !$isPublished) {
                $this->write('POST', "/$id/enable");
            }
        }
        $notes = [];
        foreach ($photos as $photo) {
            if ($photo['error'] !== null) {
                $notes[] = "{$photo['url']}: {$photo['error']}";
            }
        }
        $isComplete = $notes === [];
        foreach ($body['warnings'] as $warning) {
            if (!preg_match('/_(ignored|failed)$/', $warning['code'])) {
                $notes[] = $warning['message'];
            }
        }

        return [$status === 201 ? 'created' : 'updated', $notes, $isComplete];
    }

    /**
     * What the CSV does not have any more. A file that lost a large part is more likely broken than right.
     *
     * @param list<string> $gone
     */
    private function remove(array $gone, string $wish): void
    {
        $this->counts['gone'] = count($gone);
        $action = ['--disable-gone' => 'disable', '--delete-gone' => 'delete'][$wish] ?? null;
        $isTooMuch = count($gone) > max(3, count($this->state['sent']) / 5);
        if ($action === null || $isTooMuch) {
            foreach ($gone as $externalId) {
                echo "$externalId gone", $isTooMuch ? ': too many at once, nothing was removed' : '', "\n";
            }

            return;
        }
        foreach (array_chunk($gone, 50) as $part) {
            $items = array_map(fn (string $id): array => ['external_id' => $id, 'action' => $action], $part);
            foreach ($this->write('POST', '/batch', ['items' => $items])['body']['results'] as $result) {
                $externalId = $result['external_id'];
                if (in_array($result['status'], [200, 404], true)) {
                    unset($this->state['sent'][$externalId]);
                    echo "$externalId {$action}d\n";
                } else {
                    $this->counts['failed']++;
                    echo "$externalId not {$action}d: {$result['error']['message']}\n";
                }
            }
            $this->nextStep();
        }
    }

    /**
     * The Idempotency-Key is the same until the row has been answered, also in the run after one that was killed: whatever took effect
     * is answered again, not done again. After that it differs, so that a price which goes up and back down is two changes.
     *
     * @return array{status: int, etag: ?string, body: mixed}
     */
    private function write(string $method, string $below, mixed $body = null): array
    {
        $hash = substr(hashOf([$method, $below, $body]), 0, 16);

        return call($method, "/api/v1/properties$below", $body, "sync-{$this->state['salt']}-{$this->state['step']}-$hash");
    }

    private function nextStep(): void
    {
        $this->state['step']++;
        file_put_contents("$this->path.new", json_encode($this->state, JSON_THROW_ON_ERROR | JSON_FORCE_OBJECT));
        rename("$this->path.new", $this->path);
    }
}

/** Whether all other rows would fail as well: no answer, a key that is no good, no writes left. */
function wouldStopAll(ApiError $error): bool
{
    $ofWrites = array_filter($error->error['limits'] ?? [], fn (string $name): bool => str_starts_with($name, 'writes_'));

    return in_array($error->status, [0, 401, 403], true) || $error->status >= 500 || $ofWrites !== [];
}

function hashOf(mixed $value): string
{
    return hash('sha256', json_encode($value, JSON_THROW_ON_ERROR));
}

$path = $argv[1] ?? '../listings.csv';
$sync = new Sync($path, call('GET', '/api/v1/me')['body']['data']['agency']['id']);
$sync->run(readRows($path), $argv[2] ?? '');
echo implode(', ', array_map(fn ($count, $name) => "$count $name", $sync->counts, array_keys($sync->counts))), "\n";
exit($sync->counts['failed'] === 0 ? 0 : 1);
