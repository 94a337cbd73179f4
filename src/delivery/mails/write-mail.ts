/** Writes a mail as text and as HTML, in one of the two languages. Opening a mail fetches nothing. */
import { colour } from '../../platform/web/design/design.ts'
import { formats } from '../../platform/web/language/format.ts'
import { html, type Html, raw } from '../../platform/web/html.ts'
import { htmlDocument } from '../../platform/web/html-document.ts'
import { localeOf, type PageLanguage } from '../../platform/web/language/language.ts'
import type { Mail, MailDeps } from './mailer.ts'
import { phrases } from './phrases.ts'

export type MailLink = Readonly<{ text: string; url: string }>

/** The reason for a mail, and links to settings. */
type Foot = Readonly<{ text: string; links?: readonly MailLink[] }>

type MailHead = Pick<Mail, 'to' | 'subject' | 'messageId' | 'stopUrl' | 'replyTo'>

/** The mails of the service in one language. @param chosen as stored, such as `es-AR`; null if none was chosen */
export function mailsIn(config: MailDeps['config'], chosen: string | null) {
  const language: PageLanguage = chosen === 'en' ? 'en' : 'es'
  const { serviceName: service, publicBaseUrl } = config
  const frame = { language, service }
  return {
    ...frame,
    texts: phrases[language],
    format: formats[language],
    dashboardUrl: (path: string) => `${publicBaseUrl}/dashboard${path}`,
    messageId: (id: string) => `<${id}@${new URL(publicBaseUrl).hostname}>`,
    /** A mail of a few paragraphs and a link. */
    write: (head: MailHead, foot: Foot, paragraphs: readonly string[], link: MailLink): Mail =>
      framed(head, frame, foot, [...paragraphs, `${link.text}: ${link.url}`], withLink(paragraphs, link)),
    /** A mail with any contents. @param paragraphs the contents of `body` as text */
    frame: (head: MailHead, foot: Foot, paragraphs: readonly string[], body: Html): Mail =>
      framed(head, frame, foot, paragraphs, body),
  }
}

function withLink(paragraphs: readonly string[], link: MailLink): Html {
  return html`${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`)}
    <p style="margin:24px 0 16px">
      <a
        class="press"
        href="${link.url}"
        style="display:inline-block;padding:12px 20px;border-radius:8px;background:${colour('accent')};color:${colour('on-accent')};text-decoration:none;font-weight:600"
        >${link.text}</a
      >
    </p>
    <p class="soft" style="margin:0;font-size:13px;color:${colour('muted')};overflow-wrap:anywhere">
      ${link.url}
    </p>`
}

/** Dark colours for mail programs that read stylesheets; inline colours serve the others. */
const darkStyle = raw(
  `@media (prefers-color-scheme: dark) {
.ground { background: ${colour('canvas', 'dark')} !important; color: ${colour('ink', 'dark')} !important }
.sheet { background: ${colour('surface', 'dark')} !important; border-color: ${colour('line', 'dark')} !important }
.soft { color: ${colour('muted', 'dark')} !important }
.brand, .sheet a, .soft a { color: ${colour('accent', 'dark')} !important }
.sheet a.press { background: ${colour('accent', 'dark')} !important; color: ${colour('on-accent', 'dark')} !important }
}`,
)

function framed(
  head: MailHead,
  { language, service }: Readonly<{ language: PageLanguage; service: string }>,
  foot: Foot,
  paragraphs: readonly string[],
  body: Html,
): Mail {
  const locale = language === 'en' ? 'en' : localeOf[language]
  const links = foot.links ?? []
  const page = htmlDocument({
    lang: locale,
    title: head.subject,
    head: html`<meta name="supported-color-schemes" content="light dark" />
      <style>
        ${darkStyle}
      </style>`,
    body: html`<body
      class="ground"
      style="margin:0;padding:0;background:${colour('canvas')};color:${colour('ink')}"
    >
      <div
        class="ground"
        style="max-width:36rem;margin:0 auto;padding:24px 16px;font:16px/1.5 Figtree,system-ui,sans-serif;background:${colour('canvas')};color:${colour('ink')}"
      >
        <p class="brand" style="margin:0 0 16px;font-weight:700;color:${colour('accent')}">${service}</p>
        <div
          class="sheet"
          style="padding:24px;border:1px solid ${colour('line')};border-radius:12px;background:${colour('surface')};overflow-wrap:anywhere"
        >
          ${body}
        </div>
        <p class="soft" style="margin:16px 0 0;font-size:14px;color:${colour('muted')}">
          ${foot.text}${links.map(({ text, url }) => html`<br /><a href="${url}" style="color:${colour('accent')}">${text}</a>`)}
        </p>
      </div>
    </body>`,
  })
  const signature = ['-- ', foot.text, ...links.map(({ text, url }) => `${text}: ${url}`)].join('\n')
  return {
    ...head,
    text: `${[...paragraphs, signature].join('\n\n')}\n`,
    html: page.markup,
    language: locale,
  }
}
