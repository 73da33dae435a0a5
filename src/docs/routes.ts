import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#server/errors.ts'
import { escapeHtml, html } from '#server/html/html.ts'
import { readBuiltTags } from '#server/http/built-tags.ts'
import { toEtag } from '#server/http/etag.ts'
import { requestOrigin } from '#server/http/page.ts'
import { EXAMPLE_ORIGIN } from './example-origin.ts'
import { type Layout, renderHits, renderLayout } from './layout.ts'
import { toLlmsText } from './llms-text.ts'
import { renderMarkdown } from './markdown.ts'
import { listSections, type Page, readStartPage } from './pages.ts'
import { createSearch, type Search } from './search.ts'

const PUBLIC = { config: { scope: 'public' as const }, schema: { hide: true } }

const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** The folders in docs/ whose files are sent as they are. */
const FILE_FOLDERS = ['operating', 'pictures']
const FILE_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

interface Site extends Layout {
  readonly pages: ReadonlyMap<string, Page>
  readonly search: Search
}

/** Serves the documents in docs/ and the description of the API as pages and as Markdown. */
export function installDocs(app: FastifyInstance, { url }: { url?: string | undefined }): void {
  let site: Site | undefined
  const rendered = new Map<string, string>()
  const getSite = (): Site => {
    site ??= createSite(app)
    return site
  }

  const toOrigin = (request: FastifyRequest) => url ?? requestOrigin(request)

  const sendPage = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const { pages, ...layout } = getSite()
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY)
    const page = pages.get(path)
    if (!page) return reply.code(404).send(renderLayout(layout, NOT_FOUND))
    const body = rendered.get(path) ?? renderPage(layout, page)
    rendered.set(path, body)
    return send(request, reply, body, escapeHtml(toOrigin(request)))
  }

  const sendMarkdown = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const page = getSite().pages.get(path === 'index' ? '' : path)
    if (!page) throw new ApiError('not_found', 'Endpoint not found.')
    reply.type('text/markdown; charset=utf-8')
    return send(request, reply, page.markdown, toOrigin(request))
  }

  app.get('/docs', { ...PUBLIC, handler: (request, reply) => sendPage(request, reply, '') })

  app.get('/docs/search', {
    ...PUBLIC,
    handler: (request, reply) => {
      const { q } = request.query as { q?: unknown }
      const query = typeof q === 'string' ? q.slice(0, 200) : ''
      const { search, ...layout } = getSite()
      const content = renderHits(query, search(query))
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
        .send(renderLayout(layout, { title: 'Search', query, content }))
    },
  })

  for (const folder of FILE_FOLDERS) {
    const address = new URL(`../../docs/${folder}/`, import.meta.url)
    const files = new Set(readdirSync(address))
    app.get(`/docs/${folder}/:file`, {
      ...PUBLIC,
      handler: (request, reply) => {
        const { file } = request.params as { file: string }
        const type = FILE_TYPES[file.slice(file.lastIndexOf('.') + 1)]
        // only files that existed at the start are ever opened
        if (!type || !files.has(file)) throw new ApiError('not_found', 'Endpoint not found.')
        return sendTagged(request, reply.type(type), readFileSync(new URL(file, address)))
      },
    })
  }

  app.get('/docs/*', {
    ...PUBLIC,
    handler: (request, reply) => {
      const path = (request.params as { '*': string })['*'].replace(/\/$/, '')
      return path.endsWith('.md')
        ? sendMarkdown(request, reply, path.slice(0, -3))
        : sendPage(request, reply, path)
    },
  })

  app.get('/llms.txt', {
    ...PUBLIC,
    handler: (request, reply) => {
      const text = toLlmsText(getSite().sections)
      return send(request, reply.type('text/plain; charset=utf-8'), text, toOrigin(request))
    },
  })
}

function createSite(app: FastifyInstance): Site {
  const sections = listSections(app.openApiDocument())
  const pages = [readStartPage(), ...sections.flatMap((section) => section.pages)]
  return {
    sections,
    styles: readBuiltTags('docs.html'),
    pages: new Map(pages.map((page) => [page.path, page])),
    search: createSearch(pages),
  }
}

const NOT_FOUND = {
  title: 'Page not found',
  content: html`<h1>Page not found</h1><p>Search for it, or choose a page.</p>`,
}

const renderPage = (layout: Layout, { path, title, markdown }: Page): string =>
  renderLayout(layout, { title, path, content: renderMarkdown(markdown, path) })

/** Sends a text with the server's own address in its examples. */
function send(request: FastifyRequest, reply: FastifyReply, text: string, origin: string) {
  return sendTagged(request, reply, Buffer.from(text.replaceAll(EXAMPLE_ORIGIN, origin)))
}

/** Sends a body that browsers keep, and check with its tag each time. */
function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply {
  const etag = toEtag(body)
  reply.headers({ etag, 'cache-control': 'public, no-cache' })
  const isKnown = headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag)
  return isKnown ? reply.code(304).send() : reply.send(body)
}
