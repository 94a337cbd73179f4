<?php

/**
 * The listings on an agency's own website, served from a local copy: fast, and up even while the service is
 * down.
 *
 *   php -S 127.0.0.1:8080 website.php    then open http://127.0.0.1:8080/
 *
 * It needs a read-only key and the extension pdo_sqlite. At most once a minute, a visit updates the copy
 * through GET /changes. A listing's own page shows more than the copy holds: it is read on demand, and
 * revalidated with If-None-Match. The copy is the file WEBSITE_COPY; keep it out of the document root.
 */

declare(strict_types=1);

require_once __DIR__ . '/changes.php';

const CARD_FIELDS = 'status,title,operation,price,location,photos';
const PERIODS = ['month' => ' por mes', 'week' => ' por semana', 'night' => ' por noche'];
const SCHEMA = <<<'SQL'
    create table if not exists feed (one integer primary key, cursor text, checked_at real not null);
    insert or ignore into feed values (1, null, 0);
    create table if not exists cards (place integer primary key, id text unique not null, card text not null);
    create table if not exists details
        (id text primary key, etag text, listing text not null, checked_at real not null);
    SQL;

/** Runs a statement with its values. */
function run(PDO $db, string $sql, string|float|null ...$values): PDOStatement
{
    $statement = $db->prepare($sql);
    $statement->execute($values);

    return $statement;
}

/** Applies what is new. One visit at a time does this; copy and cursor change in one transaction. */
function keepFresh(PDO $db, float $freshSeconds): void
{
    $now = microtime(true);
    $claim = run($db, 'update feed set checked_at = ? where checked_at <= ?', $now, $now - $freshSeconds);
    if ($claim->rowCount() === 0) {
        return;
    }
    $cursor = run($db, 'select cursor from feed')->fetchColumn();
    try {
        // Visitors do not wait for retries.
        $news = readChanges($cursor, CARD_FIELDS, attempts: 1, timeoutSeconds: 5);
    } catch (ApiError $error) {
        error_log("The copy stays as it is: {$error->getMessage()}");

        return;
    }
    $db->beginTransaction();
    if ($news['isComplete']) {
        run($db, 'delete from cards');
    }
    foreach ($news['changes'] as ['id' => $id, 'property' => $property]) {
        run($db, 'delete from cards where id = ?', $id);
        // A key that can write also sees drafts.
        if (($property['status'] ?? '') === 'published') {
            run($db, 'insert into cards (id, card) values (?, ?)', $id, json_encode($property, JSON_THROW_ON_ERROR));
        }
    }
    run($db, 'delete from details where id not in (select id from cards)');
    run($db, 'update feed set cursor = ?', $news['cursor']);
    $db->commit();
}

/**
 * The full listing, revalidated at most once a minute; the last known version if the service is down; null if
 * it is not published.
 *
 * @return array<string, mixed>|null
 */
function readListing(PDO $db, string $id, float $freshSeconds): ?array
{
    $card = run($db, 'select card from cards where id = ?', $id)->fetchColumn();
    if ($card === false) {
        return null;
    }
    $known = run($db, 'select etag, listing, checked_at from details where id = ?', $id)->fetch(PDO::FETCH_ASSOC);
    $listing = json_decode($known['listing'] ?? $card, true);
    if ($known !== false && $known['checked_at'] > microtime(true) - $freshSeconds) {
        return $listing;
    }
    try {
        $answer = call('GET', "/api/v1/properties/$id", etag: $known['etag'] ?? null, attempts: 1, timeoutSeconds: 5);
        $listing = $answer['body']['data'] ?? $listing; // 304 has no body: the known version is current.
        $json = json_encode($listing, JSON_THROW_ON_ERROR);
        run($db, 'replace into details values (?, ?, ?, ?)', $id, $answer['etag'], $json, microtime(true));
    } catch (ApiError $error) {
        if ($error->status === 404) {
            return null;
        }
    }

    return $listing;
}

/** @param array<string, mixed> $price */
function priceOf(array $price): string
{
    if ($price['amount'] === null) {
        return 'Consultar precio';
    }
    $decimals = is_float($price['amount']) ? 2 : 0;

    $amount = number_format($price['amount'], $decimals, ',', '.');

    return "{$price['currency']} $amount" . (PERIODS[$price['period'] ?? ''] ?? '');
}

/** Texts are plain text, as somebody typed them: escape everything that goes into a page. */
function e(?string $value): string
{
    return htmlspecialchars($value ?? '', ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5);
}

$path = setting('WEBSITE_COPY', sys_get_temp_dir() . '/website.sqlite');
$freshSeconds = (float) setting('WEBSITE_FRESH_SECONDS', '60');
$db = new PDO("sqlite:$path", null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$db->exec(SCHEMA);
keepFresh($db, $freshSeconds);

$id = $_GET['id'] ?? null;
$listing = is_string($id) ? readListing($db, $id, $freshSeconds) : null;
$isThere = run($db, 'select cursor from feed')->fetchColumn() !== null;
// Latest change first.
$cards = array_map(
    fn (string $card): array => json_decode($card, true),
    $id === null ? run($db, 'select card from cards order by place desc')->fetchAll(PDO::FETCH_COLUMN) : [],
);
http_response_code(!$isThere ? 503 : ($id !== null && $listing === null ? 404 : 200));
header("Content-Security-Policy: default-src 'none'; img-src *; style-src 'unsafe-inline'");
?>
<!doctype html>
<html lang="es-AR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title><?= e($listing['title'] ?? 'Propiedades') ?></title>
<?php if (!$isThere) : ?>
<p>Volvemos en un momento.</p>
<?php elseif ($listing !== null) : ?>
<h1><?= e($listing['title']) ?></h1>
<p>
    <?= e(priceOf($listing['price'])) ?> ·
    <?= e($listing['address'] ?? '') ?>, <?= e($listing['location']['city']) ?>
</p>
    <?php foreach ($listing['photos'] as $photo) : ?>
<img src="<?= e($photo) ?>" alt="" width="800" loading="lazy">
    <?php endforeach ?>
<p style="white-space: pre-line"><?= e($listing['description'] ?? '') ?></p>
<p><a href="/">Todas las propiedades</a></p>
<?php elseif ($id !== null) : ?>
<p>Esta propiedad ya no está publicada. <a href="/">Ver todas</a></p>
<?php else : ?>
<h1>Propiedades</h1>
<ul>
    <?php foreach ($cards as $card) : ?>
<li>
  <a href="/?id=<?= e($card['id']) ?>">
    <?php $cover = str_replace('large.webp', 'small.webp', $card['photos'][0] ?? '') ?>
    <img src="<?= e($cover) ?>" alt="" width="320" loading="lazy">
    <?= e($card['title']) ?></a>
  <p><?= e(priceOf($card['price'])) ?> · <?= e($card['location']['city']) ?></p>
</li>
    <?php endforeach ?>
</ul>
<?php endif ?>
</html>
