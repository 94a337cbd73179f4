/**
 * The terms of use, which every response of the API links to (spec 'What the service does' 6).
 */
import { attributions } from '../geocoding/services.ts'
import { html } from './html.ts'
import type { PageLanguage } from '../web/language.ts'
import { phrases } from './language.ts'
import { layout } from './layout.ts'
import { pathIn, type Site } from './site.ts'

export function termsPage(site: Site, language: PageLanguage): string {
  const words = phrases(language)
  return layout(site, language, {
    title: `${words.terms} · ${site.deps.config.serviceName}`,
    description: `${words.terms} · ${site.deps.config.serviceName}`,
    path: '/terms',
    brand: null,
    body: html`<article class="prose wide">
      <h1>${words.terms}</h1>
      !${language === 'es' ? spanish(site) : english(site)}
    </article> `,
  })
}

/** The operator's address, as a link. */
function contact({ deps }: Site, label: string): string {
  const { securityContact } = deps.config
  return securityContact === null ? label : html`<a href="${securityContact}">${label}</a>`
}

/** Whose data the pins of listings are, as its licence wants it named. */
function pins({ deps }: Site, label: string): string {
  const source = attributions[deps.config.geocoder]
  return source === null ? '' : html`<p>${label}: <a href="${source.url}">${source.text}</a>.</p>`
}

function spanish(site: Site): string {
  const { serviceName } = site.deps.config
  return html`<p>
      ${serviceName} permite que una inmobiliaria consulte y administre sus propias publicaciones desde sus
      propios sistemas, y las muestra en páginas públicas.
    </p>
    <h2>Datos</h2>
    <p>
      Las publicaciones, los textos y las fotos son de la inmobiliaria que los publicó. Solo pueden usarlos
      ella y quienes ella autorice, para el fin con que se publicaron. No está permitido copiarlos en forma
      masiva con otros fines.
    </p>
    <p>
      Cada inmobiliaria responde por lo que publica. Los precios y la disponibilidad pueden cambiar:
      confirmalos con ella.
    </p>
    !${pins(site, 'Ubicación de las direcciones en el mapa')}
    <h2>Acceso</h2>
    <p>
      Cada inmobiliaria responde por sus claves de API: guardalas en secreto y revocá las que ya no uses.
      Enviá un <code>User-Agent</code> que diga nombre, versión y contacto. La recolección automática por
      rastreadores sin identificar y por agentes de IA no se admite.
    </p>
    <h2>Límites</h2>
    <p>
      Los pedidos están limitados, como lo indican las propias respuestas y la
      <a href="${pathIn(site, 'es', '/docs')}">documentación</a>. Una respuesta con estado 429 dice cuándo
      volver a probar.
    </p>
    <h2 id="contact">Contacto y seguridad</h2>
    <p>
      Ante una vulnerabilidad, o cualquier otro asunto de este servicio, escribí a
      !${contact(site, 'quien lo opera')}. No hagas pruebas sobre publicaciones ajenas.
    </p> `
}

function english(site: Site): string {
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
      Each agency answers for what it publishes. Prices and availability may change: confirm them with the
      agency.
    </p>
    !${pins(site, 'Places of addresses on the map')}
    <h2>Access</h2>
    <p>
      Each agency answers for its API keys: keep them secret, revoke those you no longer need. Send a
      descriptive <code>User-Agent</code> with name, version and contact. Automated collection by unidentified
      crawlers and AI agents is refused.
    </p>
    <h2>Limits</h2>
    <p>
      Requests are limited, as the responses themselves and the
      <a href="${pathIn(site, 'es', '/docs')}">documentation</a> tell. A response with status 429 says when to
      try again.
    </p>
    <h2 id="contact">Contact and security</h2>
    <p>
      Report a vulnerability, or anything else about this service, to !${contact(site, 'its operator')}. Do
      not test against listings of others.
    </p> `
}
