import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/** Made by `npm run build`, which an install runs. */
export const WEB_DIST = fileURLToPath(new URL('../../web/dist', import.meta.url))
const NOT_BUILT = 'The web app is not built here. Run "npm run build", and start the server again.'

/** The pages of the browser app: it knows what to show at each. The build makes both documents. */
const PAGES = {
  'index.html': [
    ...['/', '/sign-in', '/set-up', '/reset-password', '/no-project'],
    ...['/invite/:token', '/project/:project', '/project/:project/*'],
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

const PUBLIC = { config: { scope: 'public' as const }, schema: { hide: true } }

/** No script but ours, and no style that was not sent with the page. See docs/decisions/0015. */
const policy = (nonce: string): string =>
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
  sendPage(reply: FastifyReply, page?: PageName): FastifyReply
  sendFile(request: FastifyRequest, reply: FastifyReply, name: string, age: string): FastifyReply
}

export function openWebApp(folder = WEB_DIST): WebApp {
  // only names that were there at the start are ever opened
  const files = new Set(
    existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [],
  )
  // all of it is a few megabytes: read when first asked for, and kept
  const known = new Map<string, Buffer>()
  const read = (name: string): Buffer => {
    const bytes = known.get(name) ?? readFileSync(join(folder, name))
    known.set(name, bytes)
    return bytes
  }

  return {
    sendPage(reply, page = 'index.html') {
      if (!files.has(page)) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
      const nonce = randomBytes(16).toString('base64')
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
        .send(String(read(page)).replace('__CSP_NONCE__', nonce))
    },

    sendFile(request, reply, name, age) {
      const type = TYPES[extname(name)]
      if (!type || !files.has(name)) throw new ApiError('not_found', 'Endpoint not found.')
      const accepted = String(request.headers['accept-encoding'] ?? '')
      const [encoding, suffix] = ENCODINGS.find(
        ([each, ending]) => accepted.includes(each) && files.has(name + ending),
      ) ?? [undefined, '']
      if (encoding) reply.header('content-encoding', encoding)
      return reply
        .type(type)
        .headers({ 'cache-control': age, vary: 'accept-encoding' })
        .send(read(name + suffix))
    },
  }
}

const isOfPrograms = /^\/api(?:[/?]|$)/

/** Before the guard, which knows endpoints: a person who went astray is told so on a page. */
export function installNotFoundPage(app: FastifyInstance, { sendPage }: WebApp): void {
  app.addHook('onRequest', async (request, reply) => {
    const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (request.is404 && isPerson && !isOfPrograms.test(request.url)) {
      return sendPage(reply.code(404))
    }
  })
}

/** The browser app: its files, and one page for each of its addresses. */
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
      // its content is in its name
      return sendFile(request, reply, `assets/${file}`, 'public, max-age=31536000, immutable')
    },
  })
  for (const name of ['favicon.svg', 'color-scheme.js']) {
    app.get(`/${name}`, {
      ...PUBLIC,
      handler: (request, reply) => sendFile(request, reply, name, 'public, max-age=3600'),
    })
  }
}
