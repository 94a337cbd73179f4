/** Sends a page's response: a document, data or a redirect, with its cookies. Serves the stylesheet and the scripts. */
import type { FastifyReply } from 'fastify'
import { cookieJar } from '../../framework/cookies.ts'
import { browserDays } from '../../../limits/sizes.ts'
import type { Config } from '../../../platform/config/config.ts'
import { openAssets } from '../../../platform/web/assets.ts'
import { htmlType } from '../../framework/send-cacheable.ts'
import { encodeFlash } from './flash.ts'
import { dashboardDocument } from '../dashboard-document.ts'
import type { PageData, PageRedirect, PageRequest, PageResponse } from './page.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { sharedStyle } from '../../../platform/web/design/design.ts'
import { mapBoxStyle } from '../../../platform/web/map/map.ts'

const cookieSeconds = { flash: 60, link: 3_600, language: 365 * 86_400, browser: browserDays * 86_400 }

type SendResponse = (reply: FastifyReply, request: PageRequest, response: PageResponse) => FastifyReply

export function responseSender(config: Config): SendResponse {
  const jar = cookieJar(config)
  return (reply, request, response) => {
    if ('to' in response) return redirect(reply, request, response)
    if ('data' in response) {
      const { filename } = response
      if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`)
      return send(reply, response)
    }
    if (request.flash !== null) reply.header('set-cookie', jar.line('flash', '', 0))
    const data = dashboardDocument(request, dashboardAssets, response)
    const { status, headers } = response
    return send(reply, { data, type: htmlType, status, headers })
  }

  function send(reply: FastifyReply, { data, type, status = 200, headers = {} }: PageData): FastifyReply {
    return reply.headers(headers).code(status).type(type).send(data)
  }

  function redirect(
    reply: FastifyReply,
    { base, device }: PageRequest,
    response: PageRedirect,
  ): FastifyReply {
    const { to, flash, session, language, link } = response
    const lines: string[] = []
    if (flash !== undefined) lines.push(jar.line('flash', encodeFlash(flash), cookieSeconds.flash))
    if (session !== undefined) {
      lines.push(jar.line('session', session ?? '', session === null ? 0 : null))
      lines.push(jar.line('guest', '', 0))
    }
    // Signing out keeps this cookie, so the next sign-in from here is not reported as one from a new browser.
    if (typeof session === 'string') lines.push(jar.line('browser', device.browser, cookieSeconds.browser))
    if (language !== undefined) lines.push(jar.line('language', language, cookieSeconds.language))
    if (link !== undefined) lines.push(jar.line('link', link ?? '', link === null ? 0 : cookieSeconds.link))
    for (const line of lines) reply.header('set-cookie', line)
    return reply.code(303).header('location', `${base}${to}`).send()
  }
}

/** The files of the stylesheet. `touch` comes last, because it overrides the others. */
const design = 'base components forms data shell listing settings map photos work touch'.split(' ')

const read = (name: string) => readFileSync(new URL(name, import.meta.url))
const client = readdirSync(new URL('../client', import.meta.url))

export const dashboardAssets = openAssets('/dashboard/assets', {
  'dashboard.css': Buffer.concat([
    sharedStyle('../../site/'),
    mapBoxStyle,
    ...design.map((name) => read(`../design/${name}.css`)),
  ]),
  ...Object.fromEntries(client.map((name) => [name, read(`../client/${name}`)])),
})
