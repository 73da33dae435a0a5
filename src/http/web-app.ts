import { randomBytes } from 'node:crypto'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { openBuiltFiles } from './built-files.ts'

/** Created by `npm run build`, which runs at installation. */
export const WEB_DIST = fileURLToPath(new URL('../../web/dist', import.meta.url))
const NOT_BUILT = 'The web app has not been built. Run "npm run build".'

/** The routes of the web app. The build creates the documents. */
const PAGES = {
  'index.html': [
    '/',
    '/sign-in',
    '/set-up',
    '/reset-password',
    '/no-project',
    '/second-factor',
    '/invite/:token',
    '/project/:project',
    '/project/:project/*',
  ],
  'dashboard.html': ['/project/:project/dashboards/:dashboard_id'],
  'dashboards.html': ['/project/:project/dashboards'],
}

type PageName = keyof typeof PAGES

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** For URLs whose content never changes. */
export const FOREVER = 'public, max-age=31536000, immutable'

const PUBLIC = { config: { scope: 'public' as const }, schema: { hide: true } }

/** Allows only our own scripts, and styles that are sent with the page. See docs/decisions/0015. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
  ].join('; ')

export interface WebApp {
  /** Relative to the built folder. */
  readonly files: ReadonlySet<string>
  sendPage(reply: FastifyReply, page?: PageName): FastifyReply
  sendFile(request: FastifyRequest, reply: FastifyReply, name: string, age: string): FastifyReply
}

export function openWebApp(): WebApp {
  const files = openBuiltFiles(WEB_DIST)

  return {
    files: files.names,

    sendPage(reply, page = 'index.html') {
      const document = files.read(page)
      if (!document) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
      const nonce = randomBytes(16).toString('base64')
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': contentSecurityPolicy(nonce),
          'cache-control': 'no-store',
        })
        .send(String(document.bytes).replace('__CSP_NONCE__', nonce))
    },

    sendFile(request, reply, name, age) {
      const type = TYPES[extname(name)]
      const accepted = String(request.headers['accept-encoding'] ?? '')
      const [encoding, suffix] = ENCODINGS.find(
        ([encoding, suffix]) => accepted.includes(encoding) && files.has(name + suffix),
      ) ?? [undefined, '']
      const file = type && files.read(name + suffix)
      if (!file) throw new ApiError('not_found', 'Endpoint not found.')
      if (encoding) reply.header('content-encoding', encoding)
      return reply
        .type(type)
        .headers({ 'cache-control': age, vary: toVary(reply), etag: file.etag })
        .send(file.bytes)
    },
  }
}

/** Adds to the header, because files that are open to pages differ by origin too. */
const toVary = (reply: FastifyReply): string =>
  [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ')

const API_PATH = /^\/api(?:[/?]|$)/

/** Shows browsers a page instead of the guard's JSON error. Must be installed before the guard. */
export function installNotFoundPage(app: FastifyInstance, { sendPage }: WebApp): void {
  app.addHook('onRequest', async (request, reply) => {
    const isBrowser = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (request.is404 && isBrowser && !API_PATH.test(request.url)) {
      return sendPage(reply.code(404))
    }
  })
}

/** Serves the web app: its files, and a page for each of its routes. */
export function installWebApp(app: FastifyInstance, { sendPage, sendFile }: WebApp): void {
  for (const [page, urls] of Object.entries(PAGES)) {
    for (const url of urls) {
      app.get(url, {
        ...PUBLIC,
        handler: (_request, reply) => sendPage(reply, page as PageName),
      })
    }
  }
  app.get('/assets/:file', {
    ...PUBLIC,
    handler: (request, reply) => {
      const { file } = request.params as { file: string }
      // the name contains a hash of the content
      return sendFile(request, reply, `assets/${file}`, FOREVER)
    },
  })
  app.get('/embed.js', {
    ...PUBLIC,
    handler: (request, reply) => {
      reply.header('cross-origin-resource-policy', 'cross-origin') // pages of other sites load it
      return sendFile(request, reply, 'embed.js', 'public, max-age=300')
    },
  })
  for (const name of ['favicon.svg', 'color-scheme.js']) {
    app.get(`/${name}`, {
      ...PUBLIC,
      handler: (request, reply) => sendFile(request, reply, name, 'public, max-age=3600'),
    })
  }
}
