/** First steps with a new key: a request to paste, and a notice once it has arrived. */
import { getKey, type NewKey } from '../../../../access/keys/keys.ts'
import { searchRequests } from '../../../../access/request-log/request-search.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { sampleLanguages, type SampleLanguage, samplesOf } from '../../../../platform/web/request-samples.ts'
import { copyButton } from '../../forms/forms.ts'
import { requestFilter } from '../requests/request-filters.ts'
import { agencyPages, type AgencyRequest, asData, jsonResponse, withTestPages } from '../../serving/page.ts'

/** Scripts of the page that shows `firstSteps`. */
export const firstStepScripts = ['first-call.js'] as const

/** Empty for a key that this API always refuses. */
export function firstSteps(request: AgencyRequest, made: NewKey): Html {
  const { t, base, agency } = request
  const texts = t.requests
  if (!made.scopes.some((scope) => scope.startsWith('properties:'))) return nothing
  const requests = `${base}${agency.path}/requests?key=${made.id}`
  const isSigned = made.signing_secret !== undefined
  return html`<section class="stack">
    <h2>${texts.firstSteps}</h2>
    <p>${texts.firstStepsText}</p>
    <div class="stack-s">
      ${isSigned ? snippet(request, 'curl', 'curl', signedCurl(request, made), true) : samples(request, made)}
    </div>
    <p class="small muted">${texts.inVariable}</p>
    <div
      class="notice notice-info"
      role="status"
      data-first-call="${base}${agency.path}/keys/${made.id}/first-call"
      data-link="${texts.seeRequest}"
    >
      <div>
        <p class="strong" data-text hidden>${texts.waiting} ${texts.waitingText}</p>
        <p><a href="${requests}" target="_blank" rel="noopener">${texts.seeRequests}</a></p>
      </div>
    </div>
    <ul class="stack-s">
      <li>
        <a href="${base}/docs/guides/${isSigned ? 'signing' : 'first-call'}"
          >${isSigned ? texts.signing : texts.guide}</a
        >
      </li>
      <li><a href="${base}/docs">${texts.reference}</a></li>
    </ul>
  </section>`
}

function samples(request: AgencyRequest, { key }: NewKey): Html {
  const url = `${request.deps.config.publicBaseUrl}/api/v1/me`
  const written = samplesOf({ method: 'GET', url, headers: {}, needsKey: true, key })
  const languages = Object.keys(sampleLanguages) as SampleLanguage[]
  return html`${languages.map((language, index) =>
    snippet(request, language, sampleLanguages[language], written[language], index === 0),
  )}`
}

/** One sample; only one is open at a time. */
function snippet(request: AgencyRequest, id: string, name: string, code: string, isOpen: boolean): Html {
  return html`<details class="disclosure" name="first-steps" ${isOpen && html` open`}>
    <summary>${name}</summary>
    <div class="action-body stack-s">
      <div class="row-end">${copyButton(request, `sample-${id}`)}</div>
      <pre class="code" id="sample-${id}" tabindex="0"><code>${code}</code></pre>
    </div>
  </details>`
}

/** A signed request that needs only tools that every shell has. */
function signedCurl({ deps }: AgencyRequest, made: NewKey): string {
  const { publicBaseUrl, basePath, serviceName } = deps.config
  return [
    `T=$(date +%s)`,
    `H=$(printf '' | openssl dgst -sha256 -r | cut -d' ' -f1)`,
    `S=$(printf '%s\\nGET\\n${basePath}/api/v1/me\\n%s' "$T" "$H" | openssl dgst -sha256 -hmac '${made.signing_secret ?? ''}' -r | cut -d' ' -f1)`,
    `curl -H "Authorization: Bearer ${made.key}" -H "X-${serviceName}-Timestamp: $T" -H "X-${serviceName}-Signature: v1=$S" "${publicBaseUrl}/api/v1/me"`,
  ].join('\n')
}

export const firstStepPages = withTestPages(
  asData(
    agencyPages('GET', '/keys/:key/first-call', 'agency', async (request) => {
      const { t, deps, agency, base, params } = request
      const { id } = await getKey(deps.db, agency.id, params['key'] ?? '', deps.clock)
      const ofKey = requestFilter(new URLSearchParams({ key: id }))
      const { requests } = await searchRequests(deps.db, agency.id, ofKey, 1)
      const [latest] = requests
      if (latest === undefined) return jsonResponse({ arrived: false })
      const { method, path, status, code } = latest
      const line = `${method} ${path} → ${status}${code === null ? '' : ` ${code}`}`
      const text = status < 400 ? t.requests.arrived(line) : t.requests.refused(line)
      const url = `${base}${agency.path}/requests/${latest.request_id}`
      return jsonResponse({ arrived: true, succeeded: status < 400, text, url })
    }),
  ),
)
