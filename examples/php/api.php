<?php

/**
 * One request to the API, as a program should send it: with a timeout, signed if the key requires it,
 * and retried when that can help. The other programs use it. Run directly, it sends one request:
 *
 *   php api.php GET /api/v1/me
 *   php api.php PUT /api/v1/properties/external/CRM-1042 '{"title": "Casa con jardín"}'
 *
 * Its settings are environment variables:
 *
 *   SVC_API_KEY          the key
 *   SVC_SIGNING_SECRET   its signing secret, if it requires signatures
 *   SVC_BASE_URL         where the service is; http://127.0.0.1:3000 by default
 *   SVC_PATIENCE         the longest wait for an exhausted limit, in seconds; 3700 by default
 */

declare(strict_types=1);

require_once __DIR__ . '/sign.php';

// Name your program and a contact: unnamed clients may be taken for crawlers.
const USER_AGENT = 'AcmeRecipes/1.0 (+https://acme.example; dev@acme.example)';

/** An answer of 400 or above, or none. Decide by $error['code'] (docs/api.md 5). */
final class ApiError extends RuntimeException
{
    /**
     * @param int                  $status     0 if there was no answer
     * @param array<string, mixed> $error      as the API answered it
     * @param int|null             $retryAfter seconds to wait before a retry, if the service said so
     */
    public function __construct(public int $status, public array $error, public ?int $retryAfter = null)
    {
        $lines = ["$status {$error['code']}: {$error['message']}"];
        // The message describes the first of the errors.
        foreach (array_slice($error['errors'] ?? [], 1) as $field) {
            $lines[] = "  {$field['parameter']}: {$field['message']}";
        }
        parent::__construct(implode("\n", $lines));
    }

    /** Whether the same request may succeed later. */
    public function isTemporary(): bool
    {
        return $this->status >= 500 || in_array($this->status, [0, 408, 429], true)
            || $this->error['code'] === 'idempotent_request_in_progress';
    }
}

/**
 * Sends a request until it is answered. $target is path and query: /api/v1/properties?page=2.
 *
 * $body is sent as JSON. The Idempotency-Key is the same for all attempts, so that the effect happens once;
 * it is generated for a write if absent. $etag is that of your copy: while it is current, the answer is 304.
 *
 * @return array{status: int, etag: ?string, body: mixed}
 */
function call(
    string $method,
    string $target,
    mixed $body = null,
    ?string $idempotencyKey = null,
    ?string $etag = null,
    int $attempts = 6,
    int $timeoutSeconds = 60,
): array {
    $content = $body === null ? '' : json_encode($body, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    $headers = ['User-Agent' => USER_AGENT, 'Authorization' => 'Bearer ' . setting('SVC_API_KEY', '')];
    if ($body !== null) {
        $headers['Content-Type'] = 'application/json';
    }
    if ($method !== 'GET') {
        $headers['Idempotency-Key'] = $idempotencyKey ?? bin2hex(random_bytes(16));
    }
    if ($etag !== null) {
        $headers['If-None-Match'] = $etag;
    }
    for ($attempt = 1; ; $attempt++) {
        try {
            return send($method, $target, $content, $headers, $timeoutSeconds);
        } catch (ApiError $failure) {
            $takesTooLong = $failure->status === 429 && $failure->retryAfter > (int) setting('SVC_PATIENCE', '3700');
            if (!$failure->isTemporary() || $takesTooLong || $attempt === $attempts) {
                throw $failure;
            }
            // Jitter, so that programs that failed together do not retry together.
            $random = mt_rand() / mt_getrandmax();
            $wait = $failure->retryAfter === null ? $random * 2 ** ($attempt - 1) : $failure->retryAfter + $random;
            error_log(sprintf('%s %s: %s; again in %d s', $method, $target, $failure->getMessage(), ceil($wait)));
            usleep((int) ($wait * 1_000_000));
        }
    }
}

/**
 * One attempt, signed if there is a signing secret. It needs no extension.
 *
 * @param array<string, string> $headers
 * @return array{status: int, etag: ?string, body: mixed}
 */
function send(string $method, string $target, string $content, array $headers, int $timeoutSeconds): array
{
    $secret = setting('SVC_SIGNING_SECRET', '');
    if ($secret !== '') {
        $headers += signatureHeaders($secret, $method, $target, $content);
    }
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers),
        'content' => $content,
        'timeout' => $timeoutSeconds,
        'protocol_version' => 1.1,
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]);
    $stream = @fopen(rtrim(setting('SVC_BASE_URL', 'http://127.0.0.1:3000'), '/') . $target, 'r', false, $context);
    $text = $stream === false ? '' : (string) stream_get_contents($stream);
    $status = 0;
    $received = [];
    foreach ($stream === false ? [] : stream_get_meta_data($stream)['wrapper_data'] as $line) {
        if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $match)) {
            $status = (int) $match[1];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $received[strtolower($name)] = trim($value);
        }
    }
    $answer = json_decode($text, true);
    if ($status === 304 || ($status >= 200 && $status < 300 && $answer !== null)) {
        return ['status' => $status, 'etag' => $received['etag'] ?? null, 'body' => $answer];
    }
    if ($status < 400) {
        // The request may or may not have taken effect. The Idempotency-Key makes a retry safe.
        $message = error_get_last()['message'] ?? 'The answer broke off.';
        throw new ApiError(0, ['code' => 'no_answer', 'message' => $message]);
    }
    $retryAfter = $received['retry-after'] ?? '';
    throw new ApiError(
        $status,
        isset($answer['error']['code'])
            ? $answer['error']
            : ['code' => 'unknown', 'message' => 'The answer is not from the API.'], // A proxy in between.
        preg_match('/^\d+$/D', $retryAfter) ? (int) $retryAfter : null,
    );
}

function setting(string $name, string $default): string
{
    $value = getenv($name);

    return $value === false ? $default : $value;
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $sent = isset($argv[3]) ? json_decode($argv[3], false, 512, JSON_THROW_ON_ERROR) : null;
    try {
        $answer = call($argv[1] ?? 'GET', $argv[2] ?? '/api/v1/me', $sent);
        echo json_encode($answer['body'], JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
    } catch (ApiError $error) {
        fwrite(STDERR, $error->getMessage() . "\n");
        exit(1);
    }
}
