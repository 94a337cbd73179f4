/**
 * The terms of use, which every response of the API links to.
 */

/**
 * A small page without scripts.
 * @param source whose data the pins of listings are, as its licence wants it named; null for none
 */
export function termsPage(
  serviceName: string,
  baseUrl: string,
  source: Readonly<{ text: string; url: string }> | null,
): string {
  const pins =
    source === null
      ? ''
      : `\n<p>Places of addresses on the map: <a href="${source.url}">${source.text}</a>.</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Terms of use · ${serviceName}</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: #1c2733; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
</style>
</head>
<body>
<h1>Terms of use</h1>
<p>${serviceName} lets a real-estate agency read and manage its own property listings from its own systems.</p>
<h2>Data</h2>
<p>Listings, texts and photos belong to the agency that published them. They may be used only by that agency and those it
authorises, for the purpose they were published for. Copying them in bulk for other purposes is not allowed.</p>${pins}
<h2>Access</h2>
<p>Each agency answers for its API keys: keep them secret, revoke those you no longer need. Send a descriptive
<code>User-Agent</code> with name, version and contact. Automated collection by unidentified crawlers and AI agents is refused.</p>
<h2>Limits</h2>
<p>Requests are limited, as the responses themselves and the <a href="${baseUrl}/docs">documentation</a> tell. A response with status 429
says when to try again.</p>
<h2 id="contact">Contact and security</h2>
<p>Report a vulnerability, or anything else about this service, to its operator. Do not test against listings of others.</p>
</body>
</html>
`
}
