import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/** Made by `npm run build`, which an install runs. */
export const BUILT = fileURLToPath(new URL('../../web/dist', import.meta.url))
const NOT_BUILT = 'The web app is not built here. Run "npm run build", and start the server again.'

/** The pages of the browser app: it knows what to show at each. */
const PAGES = [
  ...['/', '/sign-in', '/set-up', '/reset-password', '/no-project'],
  ...['/invite/:token', '/project/:project', '/project/:project/*'],
]

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
  sendPage(reply: FastifyReply): FastifyReply
  sendFile(request: FastifyRequest, reply: FastifyReply, name: string, age: string): FastifyReply
}

export function openWebApp(folder = BUILT): WebApp {
  const index = join(folder, 'index.html')
  const html = existsSync(index) ? readFileSync(index, 'utf8') : undefined
  // only names that were there at the start are ever opened
  const files = new Set(html ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])

  return {
    sendPage(reply) {
      if (!html) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
      const nonce = randomBytes(16).toString('base64')
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
        .send(html.replace('__CSP_NONCE__', nonce))
    },

    sendFile(request, reply, name, age) {
      const type = TYPES[extname(name)]
      if (!type || !files.has(name)) throw new ApiError('not_found', 'Endpoint not found.')
      const accepted = String(request.headers['accept-encoding'] ?? '')
      const [encoding, suffix] = ENCODINGS.find(
        ([known, ending]) => accepted.includes(known) && files.has(name + ending),
      ) ?? [undefined, '']
      if (encoding) reply.header('content-encoding', encoding)
      return reply
        .type(type)
        .headers({ 'cache-control': age, vary: 'accept-encoding' })
        .send(createReadStream(join(folder, name + suffix)))
    },
  }
}

const isOfPrograms = /^\/api(?:[/?]|$)/

/** Before the guard, which knows endpoints: a person who went astray is told so on a page. */
export function installMissingPages(app: FastifyInstance, { sendPage }: WebApp): void {
  app.addHook('onRequest', async (request, reply) => {
    const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (request.is404 && isPerson && !isOfPrograms.test(request.url)) {
      return sendPage(reply.code(404))
    }
  })
}

/** The browser app: its files, and one page for each of its addresses. */
export function installWebApp(app: FastifyInstance, { sendPage, sendFile }: WebApp): void {
  for (const url of PAGES)
    app.get(url, { ...PUBLIC, handler: (_request, reply) => sendPage(reply) })
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
