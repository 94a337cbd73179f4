/** The terms of use, to which every response of the API links (api.md 1.2). */
import { attributions } from '../../../listings/geocoding/open-geocoder.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { siteDocument } from '../frame/site-document.ts'
import { servicePreview } from '../listing/preview.ts'
import type { PublicPage } from '../frame/public-page.ts'
import type { Edition, Site } from '../frame/site.ts'

const path = '/terms'

export const termsPage: PublicPage = {
  method: 'GET',
  path,
  handle: async ({ edition }) => ({ page: termsView(edition) }),
}

function termsView(edition: Edition): Html {
  const { site, language, words } = edition
  return siteDocument(edition, {
    title: `${words.terms} · ${site.deps.config.serviceName}`,
    description: `${words.terms} · ${site.deps.config.serviceName}`,
    path,
    image: servicePreview(site),
    body: html`<article class="prose wide">
      <h1>${words.terms}</h1>
      ${language === 'es' ? spanish(site) : english(site)}
    </article> `,
  })
}

/** The operator's contact, as a link. */
function contact({ deps }: Site, label: string): Html | string {
  const { securityContact } = deps.config
  return securityContact === null ? label : html`<a href="${securityContact}">${label}</a>`
}

/** Credits the source of the pins, as its licence requires. */
function pins({ deps }: Site, label: string): Html | null {
  const source = attributions[deps.config.geocoder]
  return source === null ? null : html`<p>${label}: <a href="${source.url}">${source.text}</a>.</p>`
}

function spanish(site: Site): Html {
  const { serviceName } = site.deps.config
  return html`<p>
      Con ${serviceName}, cada inmobiliaria consulta y administra sus propiedades desde sus propios sistemas,
      y las muestra en páginas públicas.
    </p>
    <h2>Datos</h2>
    <p>
      Las propiedades publicadas, sus textos y sus fotos pertenecen a la inmobiliaria que los publicó. Solo
      pueden usarlos esa inmobiliaria y quienes ella autorice, para el fin con que se publicaron. No está
      permitido copiarlos en forma masiva con otros fines.
    </p>
    <p>
      Cada inmobiliaria es responsable de lo que publica. Los precios y la disponibilidad pueden cambiar:
      confirmalos con la inmobiliaria.
    </p>
    ${pins(site, 'Ubicación de las direcciones en el mapa')}
    <h2>Acceso</h2>
    <p>
      Cada inmobiliaria es responsable de sus claves de API: guardalas en secreto y revocá las que ya no uses.
      Enviá un <code>User-Agent</code> con nombre, versión y contacto. No se admite la recolección automática
      por rastreadores sin identificar ni por agentes de IA.
    </p>
    <h2>Límites</h2>
    <p>
      Hay límites de uso. Los indican las respuestas y la
      <a href="${site.basePath}/docs">documentación</a>. Una respuesta con código 429 dice cuándo volver a
      probar.
    </p>
    <h2 id="contact">Contacto y seguridad</h2>
    <p>
      Para informar una vulnerabilidad, o por cualquier otro asunto del servicio, escribile
      ${contact(site, 'al operador')}. No hagas pruebas con propiedades ajenas.
    </p> `
}

function english(site: Site): Html {
  const { serviceName } = site.deps.config
  return html`<p>
      ${serviceName} lets a real-estate agency read and manage its own property listings from its own systems,
      and shows them on public pages.
    </p>
    <h2>Data</h2>
    <p>
      Listings, texts and photos belong to the agency that published them. They may be used only by that
      agency and those it authorises, for the purpose they were published for. Copying them in bulk for other
      purposes is not allowed.
    </p>
    <p>
      Each agency is responsible for what it publishes. Prices and availability may change: confirm them with
      the agency.
    </p>
    ${pins(site, 'Addresses placed on the map by')}
    <h2>Access</h2>
    <p>
      Each agency is responsible for its API keys: keep them secret and revoke those you no longer need. Send
      a
      <code>User-Agent</code> with name, version and contact. Automated collection by unidentified crawlers
      and AI agents is not allowed.
    </p>
    <h2>Limits</h2>
    <p>
      Requests are limited. Responses and the
      <a href="${site.basePath}/docs">documentation</a> state the limits. A response with status 429 says when
      to try again.
    </p>
    <h2 id="contact">Contact and security</h2>
    <p>
      Report a vulnerability, or anything else about this service, to ${contact(site, 'its operator')}. Do not
      test on other agencies’ listings.
    </p> `
}
