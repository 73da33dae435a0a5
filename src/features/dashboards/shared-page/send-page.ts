import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { ApiError, toRefusal } from '#server/errors.ts'
import { readBuiltStyles, readBuiltTags } from '#server/http/built-tags.ts'
import { findLinkOrigin } from '#server/http/link-origin.ts'
import { DashboardReadQuery } from '../dashboards/schema.ts'
import { type RequestOverrides, toSectionChoices } from '../dashboards/tile-results.ts'
import { type OpenPage, openFrame, openLink, opensAlone } from '../links/open-link.ts'
import type { createChoiceReader, ViewerChoices } from '../links/viewer-choices.ts'
import { choiceForm } from './choice-form.ts'
import { type Notice, ownWindow, refusedChoice, toNotice } from './notices.ts'
import { sharedPageStyles } from './page.css.ts'
import { renderNotice, renderPage, type Theme } from './page.ts'
import { getPageTiles, type PageDeps, type PageTile } from './page-tiles.ts'

export const SharedPageQuery = Type.Object({
  theme: Type.Optional(
    Type.String({ description: "The page's theme: `light` or `dark`. Default: the browser's." }),
  ),
  sections_override: DashboardReadQuery.properties.sections_override,
  date_from: Type.Optional(
    Type.String({ description: 'A day, if viewers can change the dates. Can only cut the range.' }),
  ),
  date_to: Type.Optional(Type.String({ description: 'A day, as `date_from`.' })),
  noHeader: Type.Optional(
    Type.String({ description: 'The page shows only its tiles, without header and footer.' }),
  ),
})
export type SharedPageQuery = Static<typeof SharedPageQuery>

/** Other sites can frame an `embedded` page, but not a `shared` one. */
type PageKind = 'shared' | 'embedded'

/** The origins of the pages that may frame it; null: all. */
type Frames = readonly string[] | null

const toPolicy = (style: string, kind: PageKind, frames: Frames): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${kind === 'shared' ? "'none'" : (frames?.join(' ') ?? '*') || "'none'"}`,
  ].join('; ')

interface SenderDeps extends PageDeps {
  readonly readChoices: ReturnType<typeof createChoiceReader>
}

/** Sends the page of a link, or one that says why it does not open. */
export function createPageSender(deps: SenderDeps, url: string | undefined) {
  const scripts = readBuiltTags('shared.html')
  const fonts = readBuiltStyles('shared.html')

  function sendNotice(
    reply: FastifyReply,
    notice: Notice,
    kind: PageKind,
    frames: Frames = NO_FRAMES,
  ) {
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
    toSectionChoices((request.query as SharedPageQuery).sections_override) // refused before it counts
    const path = `/shared/${token}`
    const found =
      kind === 'shared'
        ? await openLink(deps.db, request, reply, token)
        : await openFrame(deps.db, request, reply, token)
    if ('closed' in found) return sendNotice(reply, toNotice(found, token), kind)
    if (kind === 'embedded' && opensAlone(found.link)) {
      return sendNotice(reply, ownWindow(path), kind, toFrames(found.link))
    }
    return sendOpen(request, reply, found, { kind, path, home: `/${kind}/${token}` })
  }

  /** Sends the page of a visitor who may see it. */
  async function sendOpen(
    request: FastifyRequest,
    reply: FastifyReply,
    found: OpenPage,
    { kind, path, home, theme, toOverrides = toOwn }: PageOptions,
  ) {
    const query = request.query as SharedPageQuery
    const sections = toSectionChoices(query.sections_override)
    const { link, shown } = found
    const frames = toFrames(link)
    const choices = await deps.readChoices(request, link).catch(toRefusal)
    if (choices instanceof ApiError) {
      reply.headers(choices.headers)
      return sendNotice(reply, refusedChoice(choices, home), kind, frames)
    }
    const overrides = await toOverrides(choices)
    const tiles = await getPageTiles(deps, found, { sections, overrides })
    const { toMarkdown } = await import('./markdown.ts')
    const style = sharedPageStyles(tiles)
    const page = {
      noun: shown.noun,
      name: shown.name,
      description: shown.description,
      frozenAt: link.snapshot_at,
      origin: findLinkOrigin(request, url),
      link: path,
      hasHeader: query.noHeader === undefined,
      hasFiles: link.allows_exports === 1,
      tiles,
      choices: choiceForm(choices, toKept(query)),
      search: toSearch(choices),
      toOpenLink: (title: PageTile) => toOpenLink(query, choices, title),
      theme: theme ? toFixedTheme(theme) : toTheme(request),
      scripts,
      toMarkdown,
    }
    return send(reply, { page: await renderPage(page, style), style, kind, frames })
  }

  return { sendPage, sendOpen, sendNotice }
}

interface PageOptions {
  readonly kind: PageKind
  /** The path of its data and files, without their extension. */
  readonly path: string
  /** The path of the page without choices. */
  readonly home: string
  /** Default: what the address says. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
  /** Completes the choices of the viewer. */
  readonly toOverrides?: (choices: ViewerChoices) => Promise<RequestOverrides | undefined>
}

const toOwn = async ({ overrides }: ViewerChoices) => overrides

const NO_FRAMES: readonly string[] = []

const toFrames = ({ embed_origins }: OpenPage['link']): Frames =>
  embed_origins && JSON.parse(embed_origins)

function toTheme({ query }: FastifyRequest): Theme {
  const { theme } = query as SharedPageQuery
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

const toFixedTheme = (theme: 'light' | 'dark' | 'auto'): Theme =>
  theme === 'auto' ? undefined : theme

const toSearch = ({ chosen }: ViewerChoices): string =>
  chosen.size > 0 ? `?${new URLSearchParams([...chosen])}` : ''

/** Picks the parameters that stay when a viewer chooses something else. */
const toKept = ({ theme, noHeader, sections_override }: SharedPageQuery) => ({
  ...(theme !== undefined && { theme }),
  ...(noHeader !== undefined && { noHeader }),
  ...(sections_override !== undefined && { sections_override }),
})

/** Returns the address of the page with one more section open. */
function toOpenLink(query: SharedPageQuery, { chosen }: ViewerChoices, { id }: PageTile): string {
  const open = toSectionChoices(query.sections_override)
  const sections_override = JSON.stringify({ ...(open !== 'open' && open), [id]: 'open' })
  const kept = Object.entries({ ...toKept(query), sections_override })
  return `?${new URLSearchParams([...chosen, ...kept])}`
}

interface StyledPage {
  readonly page: string
  readonly style: string
  readonly kind: PageKind
  readonly frames: Frames
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
