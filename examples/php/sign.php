<?php

/**
 * Signs requests, for a key that requires it (docs/api.md 3). api.php shows how to send them.
 */

declare(strict_types=1);

/**
 * The headers of one attempt. A signature is valid once: to retry a request, sign it again.
 *
 * $target is path and query exactly as they are sent; $body is the text exactly as it is sent.
 *
 * @return array<string, string>
 */
function signatureHeaders(string $secret, string $method, string $target, string $body = ''): array
{
    // In milliseconds, so that two equal requests within a second differ.
    $timestamp = (string) (int) (microtime(true) * 1000);
    $text = implode("\n", [$timestamp, $method, $target, hash('sha256', $body)]);

    return ['X-Svc-Timestamp' => $timestamp, 'X-Svc-Signature' => 'v1=' . hash_hmac('sha256', $text, $secret)];
}
