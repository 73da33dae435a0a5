import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { toEtag } from './etag.ts'

/** Created by `npm run build`, which runs at installation. */
export const WEB_DIST = fileURLToPath(new URL('../../web/dist', import.meta.url))
const NOT_BUILT = 'The web app has not been built. Run "npm run build" and restart the server.'

/** The routes of the web app. The build creates both documents. */
const PAGES = {
  'index.html': [
    '/',
    '/sign-in',
    '/set-up',
    '/reset-password',
    '/no-project',
    '/invite/:token',
    '/project/:project',
    '/project/:project/*',
  ],
  'dashboard.html': ['/project/:project/dashboards/:dashboard_id'],
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

interface Content {
  readonly bytes: Buffer
  readonly etag: string
}

export function openWebApp(folder = WEB_DIST): WebApp {
  // only files that existed at the start are ever opened
  const files = new Set(
    existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [],
  )
  // each file is read once, on demand; few of the 13 MB are ever needed
  const contents = new Map<string, Content>()
  const read = (name: string): Content => {
    const content = contents.get(name) ?? toContent(readFileSync(join(folder, name)))
    contents.set(name, content)
    return content
  }

  return {
    files,

    sendPage(reply, page = 'index.html') {
      if (!files.has(page)) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
      const nonce = randomBytes(16).toString('base64')
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': contentSecurityPolicy(nonce),
          'cache-control': 'no-store',
        })
        .send(String(read(page).bytes).replace('__CSP_NONCE__', nonce))
    },

    sendFile(request, reply, name, age) {
      const type = TYPES[extname(name)]
      if (!type || !files.has(name)) throw new ApiError('not_found', 'Endpoint not found.')
      const accepted = String(request.headers['accept-encoding'] ?? '')
      const [encoding, suffix] = ENCODINGS.find(
        ([encoding, suffix]) => accepted.includes(encoding) && files.has(name + suffix),
      ) ?? [undefined, '']
      if (encoding) reply.header('content-encoding', encoding)
      const { bytes, etag } = read(name + suffix)
      return reply
        .type(type)
        .headers({ 'cache-control': age, vary: 'accept-encoding', etag })
        .send(bytes)
    },
  }
}

const toContent = (bytes: Buffer): Content => ({ bytes, etag: toEtag(bytes) })

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
  for (const name of ['favicon.svg', 'color-scheme.js']) {
    app.get(`/${name}`, {
      ...PUBLIC,
      handler: (request, reply) => sendFile(request, reply, name, 'public, max-age=3600'),
    })
  }
}
