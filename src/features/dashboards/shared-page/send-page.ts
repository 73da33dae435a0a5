import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import type { Results } from '#server/features/results/results.ts'
import { requestOrigin } from '#server/http/page.ts'
import { findSharedByToken } from '../sharing/shared-dashboard.ts'
import { stylesheet } from './page.css.ts'
import { renderNotFound, renderPage, type Theme } from './page.ts'
import { getPageTiles } from './page-tiles.ts'
import { readScripts } from './scripts.ts'
import type { SvgCache } from './svg-cache.ts'

export const SharedPageQuery = Type.Object({
  theme: Type.Optional(
    Type.String({ description: "Of the page: `light` or `dark`; otherwise the reader's choice." }),
  ),
  noHeader: Type.Optional(
    Type.String({ description: 'Of the page: only its tiles, without name and links.' }),
  ),
})
type SharedPageQuery = Static<typeof SharedPageQuery>

/** `embedded` is for frames of other sites; `shared` must not be framed at all. */
type PageKind = 'shared' | 'embedded'

const policyOf = (style: string, door: PageKind): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${door === 'embedded' ? '*' : "'none'"}`,
  ].join('; ')

/** Sends the page behind a token, or the one page for all tokens that lead nowhere. */
export function createPageSender(db: Db, results: Results, drawings: SvgCache) {
  const scripts = readScripts()

  return async (request: FastifyRequest, reply: FastifyReply, token: string, door: PageKind) => {
    const { theme: asked, noHeader } = request.query as SharedPageQuery
    const theme: Theme = asked === 'light' || asked === 'dark' ? asked : undefined
    const dashboard = await findSharedByToken(db, token)
    if (!dashboard) {
      const style = stylesheet([])
      return send(request, reply.code(404), renderNotFound(style, theme), style, door)
    }
    const tiles = await getPageTiles(db, results, drawings, dashboard)
    const { toMarkdown } = await import('./markdown.ts')
    const style = stylesheet(tiles)
    const page = {
      name: dashboard.name || 'Dashboard',
      description: dashboard.description,
      origin: requestOrigin(request),
      link: `/shared/${token}`,
      hasHeader: noHeader === undefined,
      ...{ tiles, theme, scripts, toMarkdown },
    }
    return send(request, reply, renderPage(page, style), style, door)
  }
}

async function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: string,
  style: string,
  door: PageKind,
): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': policyOf(style, door),
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer', // the address is the right to read
    'x-robots-tag': 'noindex',
    vary: 'accept-encoding',
  })
  if (door === 'embedded') reply.removeHeader('x-frame-options')
  else reply.header('x-frame-options', 'DENY')
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return reply.send(page)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(page))
}
