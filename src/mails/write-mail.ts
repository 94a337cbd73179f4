/** Writes a mail as text and as HTML, in one of the two languages. Opening a mail fetches nothing. */
import { colour } from '../web/design.ts'
import { html, type Html } from '../web/html.ts'
import type { PageLanguage } from '../web/language.ts'
import type { Mail } from './mailer.ts'
import { english } from './phrases-en.ts'
import { type MailTexts, spanish } from './phrases-es.ts'

/** What a mail says. @param language as stored, such as `es-AR`; null: not chosen */
export function mailTexts(language: string | null): { language: PageLanguage; texts: MailTexts } {
  return language === 'en' ? { language, texts: english } : { language: 'es', texts: spanish }
}

/** A mail of a few paragraphs and a link. */
export function writeMail(
  mail: Pick<Mail, 'to' | 'subject' | 'messageId'>,
  language: PageLanguage,
  paragraphs: readonly string[],
  link: Readonly<{ text: string; url: string }>,
): Mail {
  const body = html`${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    <p>
      <a
        href="${link.url}"
        style="display:inline-block;padding:12px 20px;border-radius:8px;background:${colour('accent')};color:${colour('on-accent')};text-decoration:none;font-weight:600"
        >${link.text}</a
      >
    </p>
    <p style="font-size:13px;color:${colour('muted')}">${link.url}</p>`
  return framed(mail, language, [...paragraphs, link.url], body)
}

/** A mail with the frame around its HTML. @param paragraphs the same as text */
export function framed(
  mail: Pick<Mail, 'to' | 'subject' | 'messageId'>,
  language: PageLanguage,
  paragraphs: readonly string[],
  body: Html,
): Mail {
  const locale = language === 'en' ? 'en' : 'es-AR'
  const page = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${mail.subject}</title>
      </head>
      <body>
        <div
          style="max-width:34rem;margin:0 auto;padding:24px;font:16px/1.5 Figtree,system-ui,sans-serif;color:${colour('ink')}"
        >
          ${body}
        </div>
      </body>
    </html>`
  return { ...mail, text: `${paragraphs.join('\n\n')}\n`, html: page.markup, language: locale }
}
