import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { readBuiltStyles, readBuiltTags } from '#server/http/built-tags.ts'
import { findLinkOrigin } from '#server/http/link-origin.ts'
import { findSharedByToken } from '../sharing/shared-dashboard.ts'
import { sharedPageStyles } from './page.css.ts'
import { renderNotFound, renderPage, type Theme } from './page.ts'
import { getPageTiles, type PageDeps } from './page-tiles.ts'

export const SharedPageQuery = Type.Object({
  theme: Type.Optional(
    Type.String({ description: "The page's theme: `light` or `dark`. Default: the browser's." }),
  ),
  noHeader: Type.Optional(
    Type.String({ description: 'The page shows only its tiles, without header and footer.' }),
  ),
})
type SharedPageQuery = Static<typeof SharedPageQuery>

/** Other sites can frame an `embedded` page, but not a `shared` one. */
type PageKind = 'shared' | 'embedded'

const toPolicy = (style: string, kind: PageKind): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${kind === 'embedded' ? '*' : "'none'"}`,
  ].join('; ')

/** Sends the page of a token, or the not-found page. */
export function createPageSender(deps: PageDeps, url: string | undefined) {
  const scripts = readBuiltTags('shared.html')
  const fonts = readBuiltStyles('shared.html')

  return async (request: FastifyRequest, reply: FastifyReply, token: string, kind: PageKind) => {
    const { theme: requested, noHeader } = request.query as SharedPageQuery
    const theme: Theme = requested === 'light' || requested === 'dark' ? requested : undefined
    const dashboard = await findSharedByToken(deps.db, token)
    if (!dashboard) {
      const style = sharedPageStyles([])
      const page = renderNotFound(style, theme, fonts)
      return send(reply.code(404), { page, style, kind })
    }
    const tiles = await getPageTiles(deps, dashboard)
    const { toMarkdown } = await import('./markdown.ts')
    const style = sharedPageStyles(tiles)
    const page = {
      name: dashboard.name || 'Dashboard',
      description: dashboard.description,
      origin: findLinkOrigin(request, url),
      link: `/shared/${token}`,
      hasHeader: noHeader === undefined,
      tiles,
      theme,
      scripts,
      toMarkdown,
    }
    return send(reply, { page: await renderPage(page, style), style, kind })
  }
}

interface StyledPage {
  readonly page: string
  readonly style: string
  readonly kind: PageKind
}

async function send(reply: FastifyReply, { page, style, kind }: StyledPage): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': toPolicy(style, kind),
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer', // the URL grants access
    'x-robots-tag': 'noindex',
    vary: 'accept-encoding',
  })
  if (kind === 'embedded') reply.removeHeader('x-frame-options')
  else reply.header('x-frame-options', 'DENY')
  if (!/\bgzip\b/.test(String(reply.request.headers['accept-encoding'] ?? '')))
    return reply.send(page)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(page))
}
