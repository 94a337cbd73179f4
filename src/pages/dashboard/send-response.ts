/** Sends a page's response: a document, data or a redirect, with its cookies. */
import type { FastifyReply } from 'fastify'
import { cookieJar } from '../../http/cookies.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Assets } from '../../platform/web/assets.ts'
import { htmlType } from '../framework/send.ts'
import { dashboardAssets } from './dashboard-assets.ts'
import { encodeFlash } from './flash.ts'
import { dashboardDocument } from './dashboard-document.ts'
import type { PageRedirect, PageResponse, Visit } from './visit.ts'

const cookieSeconds = { flash: 60, link: 3_600, language: 365 * 86_400 }

type ResponseSender = Readonly<{
  assets: Assets
  sendResponse: (reply: FastifyReply, visit: Visit, response: PageResponse) => FastifyReply
}>

export function responseSender(config: Config): ResponseSender {
  const jar = cookieJar(config)
  const assets = dashboardAssets()
  return {
    assets,
    sendResponse(reply, visit, response) {
      if ('to' in response) return redirect(reply, visit, response)
      if ('data' in response) {
        const { data, type, status, filename } = response
        if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`)
        return send(reply, visit, status, type, data)
      }
      if (visit.flash !== null) reply.header('set-cookie', jar.line('flash', '', 0))
      return send(reply, visit, response.status, htmlType, dashboardDocument(visit, assets, response))
    },
  }

  function send(
    reply: FastifyReply,
    visit: Visit,
    status: number | undefined,
    type: string,
    data: string | Buffer,
  ): FastifyReply {
    return reply
      .headers(visit.responseHeaders)
      .code(status ?? 200)
      .type(type)
      .send(data)
  }

  function redirect(
    reply: FastifyReply,
    { base }: Visit,
    { to, flash, session, language, link }: PageRedirect,
  ): FastifyReply {
    const lines: string[] = []
    if (flash !== undefined) lines.push(jar.line('flash', encodeFlash(flash), cookieSeconds.flash))
    if (session !== undefined) {
      lines.push(jar.line('session', session ?? '', session === null ? 0 : null))
      lines.push(jar.line('guest', '', 0))
    }
    if (language !== undefined) lines.push(jar.line('language', language, cookieSeconds.language))
    if (link !== undefined) lines.push(jar.line('link', link ?? '', link === null ? 0 : cookieSeconds.link))
    for (const line of lines) reply.header('set-cookie', line)
    return reply.code(303).header('location', `${base}${to}`).send()
  }
}
