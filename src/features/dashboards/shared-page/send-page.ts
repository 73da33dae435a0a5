import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { readBuiltStyles, readBuiltTags } from '#server/http/built-tags.ts'
import { findLinkOrigin } from '#server/http/link-origin.ts'
import { DashboardReadQuery } from '../dashboards/schema.ts'
import { toSectionChoices } from '../dashboards/tile-results.ts'
import { openFrame, openLink, opensAlone } from '../links/open-link.ts'
import { type Notice, ownWindow, toNotice } from './notices.ts'
import { sharedPageStyles } from './page.css.ts'
import { renderNotice, renderPage, type Theme } from './page.ts'
import { getPageTiles, type PageDeps, type PageTile } from './page-tiles.ts'

export const SharedPageQuery = Type.Object({
  theme: Type.Optional(
    Type.String({ description: "The page's theme: `light` or `dark`. Default: the browser's." }),
  ),
  sections_override: DashboardReadQuery.properties.sections_override,
  noHeader: Type.Optional(
    Type.String({ description: 'The page shows only its tiles, without header and footer.' }),
  ),
})
type SharedPageQuery = Static<typeof SharedPageQuery>

/** Other sites can frame an `embedded` page, but not a `shared` one. */
type PageKind = 'shared' | 'embedded'

/** `frames`: the origins of the pages that may frame it; null: all. */
const toPolicy = (style: string, kind: PageKind, frames: readonly string[] | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${kind === 'shared' ? "'self'" : "'none'"}`,
    `frame-ancestors ${kind === 'shared' ? "'none'" : (frames?.join(' ') ?? '*') || "'none'"}`,
  ].join('; ')

/** Sends the page of a link, or one that says why it does not open. */
export function createPageSender(deps: PageDeps, url: string | undefined) {
  const scripts = readBuiltTags('shared.html')
  const fonts = readBuiltStyles('shared.html')

  function sendNotice(reply: FastifyReply, notice: Notice, kind: PageKind, frames = NO_FRAMES) {
    const style = sharedPageStyles([])
    const page = renderNotice(notice, { style, theme: toTheme(reply.request), fonts })
    return send(reply.code(notice.status), { page, style, kind, frames })
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    kind: PageKind,
  ) {
    const query = request.query as SharedPageQuery
    const sections = toSectionChoices(query.sections_override)
    const path = `/shared/${token}`
    const found =
      kind === 'shared'
        ? await openLink(deps.db, request, reply, token)
        : await openFrame(deps.db, request, reply, token)
    if ('closed' in found) return sendNotice(reply, toNotice(found, token), kind)
    const { link, dashboard } = found
    const frames = link.embed_origins && JSON.parse(link.embed_origins)
    if (kind === 'embedded' && opensAlone(link)) {
      return sendNotice(reply, ownWindow(path), kind, frames)
    }
    const tiles = await getPageTiles(deps, found, sections)
    const { toMarkdown } = await import('./markdown.ts')
    const style = sharedPageStyles(tiles)
    const page = {
      name: dashboard.name || 'Dashboard',
      description: dashboard.description,
      origin: findLinkOrigin(request, url),
      link: path,
      hasHeader: query.noHeader === undefined,
      hasFiles: link.allows_exports === 1,
      tiles,
      toOpenLink: (title: PageTile) => toOpenLink(query, title),
      theme: toTheme(request),
      scripts,
      toMarkdown,
    }
    return send(reply, { page: await renderPage(page, style), style, kind, frames })
  }

  return { sendPage, sendNotice }
}

const NO_FRAMES: readonly string[] = []

function toTheme({ query }: FastifyRequest): Theme {
  const { theme } = query as SharedPageQuery
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

/** Returns the address of the page with one more section open. */
function toOpenLink(query: SharedPageQuery, { id }: PageTile): string {
  const { theme, noHeader, sections_override } = query
  const choices = toSectionChoices(sections_override)
  return `?${new URLSearchParams({
    ...(theme !== undefined && { theme }),
    ...(noHeader !== undefined && { noHeader }),
    sections_override: JSON.stringify({ ...(choices !== 'open' && choices), [id]: 'open' }),
  })}`
}

interface StyledPage {
  readonly page: string
  readonly style: string
  readonly kind: PageKind
  readonly frames: readonly string[] | null
}

async function send(
  reply: FastifyReply,
  { page, style, kind, frames }: StyledPage,
): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': toPolicy(style, kind, frames),
    'cache-control': 'private, no-cache',
    // the URL grants access; with `no-referrer`, a form would not say that it comes from this server
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
    vary: 'accept-encoding',
  })
  if (kind === 'embedded') reply.removeHeader('x-frame-options')
  else reply.header('x-frame-options', 'DENY')
  if (!/\bgzip\b/.test(String(reply.request.headers['accept-encoding'] ?? '')))
    return reply.send(page)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(page))
}
