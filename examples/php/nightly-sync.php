<?php

/**
 * Nightly sync: makes an agency's listings match the CSV from its own system.
 *
 *   php nightly-sync.php ../listings.csv [--disable-gone | --delete-gone]
 *
 * Sent rows are recorded next to the CSV, in listings.csv.state.json: only rows that changed cost writes,
 * and an interrupted run resumes where it stopped. Listings whose row is gone are reported, and disabled or
 * deleted only on request. A listing that somebody else disabled is not published again.
 *
 * With SVC_DRY_RUN=1 nothing changes: each row is checked by a dry run, without the photos and state of a
 * listing that exists.
 */

declare(strict_types=1);

require_once __DIR__ . '/api.php';
require_once __DIR__ . '/listings.php';

final class Sync
{
    /** @var array<string, int> */
    public array $counts =
        ['created' => 0, 'updated' => 0, 'unchanged' => 0, 'postponed' => 0, 'failed' => 0, 'gone' => 0];
    /**
     * `sent` has a hash of what was accepted, by external id; `off` the external ids that were not to be
     * published then. `salt` and `step` are for the Idempotency-Keys, see write().
     *
     * @var array<string, mixed>
     */
    private array $state;
    private string $path;

    public function __construct(string $path, string $agency)
    {
        $this->path = "$path.state.json";
        $read = is_file($this->path) ? json_decode((string) file_get_contents($this->path), true) : null;
        // Another agency has none of these listings.
        $this->state = ($read['agency'] ?? null) === $agency
            ? $read
            : ['agency' => $agency, 'salt' => bin2hex(random_bytes(4)), 'step' => 0, 'sent' => [], 'off' => []];
    }

    /** @param list<array<string, string>> $rows */
    public function run(array $rows, string $wish): void
    {
        $seen = [];
        $isFull = false;
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
                if ($isFull && !isset($this->state['sent'][$externalId])) {
                    $this->counts['postponed']++;
                    continue;
                }
                [$verdict, $notes, $isComplete] = $this->send($externalId, $payload);
                $this->counts[$verdict]++;
                echo implode("\n  ", ["$externalId $verdict", ...$notes]), "\n";
                // A failed photo may work tomorrow: without its hash, the row is sent again.
                if ($isComplete) {
                    $this->state['sent'][$externalId] = $hash;
                }
            } catch (RangeException | ApiError $error) {
                $limits = $error instanceof ApiError ? implode(' ', $error->error['limits'] ?? []) : '';
                $verdict = $limits === '' ? 'failed' : 'postponed';
                $this->counts[$verdict]++;
                echo "$externalId $verdict: {$error->getMessage()}\n";
                if ($error instanceof ApiError && wouldStopAll($error)) {
                    exit(1);
                }
                // Rows that were sent before may still change; further new ones would only use up writes.
                $isFull = $isFull || str_contains($limits, 'new_listings_');
            }
            $this->nextStep();
        }
        $gone = array_map('strval', array_keys(array_diff_key($this->state['sent'], $seen)));
        $isTooMuch = $seen === [] || count($gone) > max(3, count($this->state['sent']) / 5);
        $this->remove($gone, $isTooMuch, $wish);
    }

    /**
     * PUT creates the listing, or updates it. Photos and status of an existing one have operations of their
     * own.
     *
     * @param array<string, mixed> $payload
     * @return array{string, list<string>, bool} the verdict, notes, and whether everything was done
     */
    private function send(string $externalId, array $payload): array
    {
        $put = $this->write('PUT', '/external/' . rawurlencode($externalId), $payload);
        ['status' => $status, 'body' => $body] = $put;
        ['id' => $id, 'status' => $listingStatus] = $body['data'];
        $photos = $body['photos'] ?? [];
        $isPublished = $listingStatus === 'published';
        $shouldBe = $payload['status'] === 'published';
        // Sold or withdrawn by a person, for example: the row has called it available all the time.
        $isOffElsewhere = $listingStatus === 'disabled' && $shouldBe && !isset($this->state['off'][$externalId]);
        if ($status === 200 && !isDryRun()) {
            if ($isPublished && !$shouldBe) {
                $this->write('POST', "/$id/disable");
            }
            if ($payload['photos'] !== []) {
                // Known photos are not downloaded again.
                $photos = $this->write('PUT', "/$id/photos", ['urls' => $payload['photos']])['body']['photos'];
            }
            if ($shouldBe && !$isPublished && !$isOffElsewhere) {
                $this->write('POST', "/$id/enable");
            }
        }
        if ($shouldBe) {
            unset($this->state['off'][$externalId]);
        } else {
            $this->state['off'][$externalId] = true;
        }
        $notes = [];
        foreach ($photos as $photo) {
            if ($photo['error'] !== null) {
                $notes[] = "{$photo['url']}: {$photo['error']}";
            }
        }
        $isComplete = $notes === [];
        if ($isOffElsewhere) {
            $notes[] = 'was disabled elsewhere, and stays so';
        }
        foreach ($body['warnings'] as $warning) {
            if (!preg_match('/_(ignored|failed)$/', $warning['code'])) {
                $notes[] = $warning['message'];
            }
        }

        return [$status === 201 ? 'created' : 'updated', $notes, $isComplete];
    }

    /**
     * Handles listings whose row is gone. A file that lost many rows is more likely broken than right.
     *
     * @param list<string> $gone
     */
    private function remove(array $gone, bool $isTooMuch, string $wish): void
    {
        $this->counts['gone'] = count($gone);
        $action = ['--disable-gone' => 'disable', '--delete-gone' => 'delete'][$wish] ?? null;
        if ($action === null || $isTooMuch) {
            foreach ($gone as $externalId) {
                echo "$externalId gone\n";
            }
            if ($action !== null) {
                $this->counts['failed'] += count($gone);
                echo "Too many are gone at once: nothing was removed. Check the file.\n";
            }

            return;
        }
        foreach (array_chunk($gone, 50) as $part) {
            $items = array_map(fn (string $id): array => ['external_id' => $id, 'action' => $action], $part);
            foreach ($this->write('POST', '/batch', ['items' => $items])['body']['results'] as $result) {
                $externalId = $result['external_id'];
                if (in_array($result['status'], [200, 404], true)) {
                    unset($this->state['sent'][$externalId]);
                    if ($action === 'disable') {
                        $this->state['off'][$externalId] = true;
                    }
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
     * The Idempotency-Key stays the same until the row has been answered, even in the run after a crash, so
     * that nothing is done twice. Then it changes: a price that goes up and back down is two changes, and
     * must not get the response of the first.
     *
     * @return array{status: int, etag: ?string, body: mixed}
     */
    private function write(string $method, string $below, mixed $body = null): array
    {
        $hash = substr(hashOf([$method, $below, $body]), 0, 16);

        $idempotencyKey = "sync-{$this->state['salt']}-{$this->state['step']}-$hash";

        return call($method, "/api/v1/properties$below" . (isDryRun() ? '?dry_run=true' : ''), $body, $idempotencyKey);
    }

    private function nextStep(): void
    {
        if (isDryRun()) {
            return;
        }
        $this->state['step']++;
        file_put_contents("$this->path.new", json_encode($this->state, JSON_THROW_ON_ERROR | JSON_FORCE_OBJECT));
        rename("$this->path.new", $this->path);
    }
}

/** Whether every other row would fail too: no answer, a refused key, no writes left. */
function wouldStopAll(ApiError $error): bool
{
    $limits = implode(' ', $error->error['limits'] ?? []);

    return in_array($error->status, [0, 401, 403], true) || $error->status >= 500 || str_contains($limits, 'writes_');
}

function isDryRun(): bool
{
    return getenv('SVC_DRY_RUN') === '1';
}

function hashOf(mixed $value): string
{
    return hash('sha256', json_encode($value, JSON_THROW_ON_ERROR));
}

$path = $argv[1] ?? '../listings.csv';
$sync = new Sync($path, call('GET', '/api/v1/me')['body']['data']['agency']['id']);
$sync->run(readRows($path), $argv[2] ?? '');
echo implode(', ', array_map(fn ($count, $name) => "$count $name", $sync->counts, array_keys($sync->counts))), "\n";
exit($sync->counts['failed'] + $sync->counts['postponed'] === 0 ? 0 : 1);
