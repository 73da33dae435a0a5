import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FOREVER, type WebApp } from './web-app.ts'

/** Short, because the snippet of every page names these URLs, and an update of the server changes their content. */
const FIVE_MINUTES = 'public, max-age=300'
const FOLDER = /^static\/([^/]+)\/array\.js$/

/**
 * Serves posthog-js to pages of every origin. The server has one version of it, which other versions load their
 * extensions from too.
 */
export function installBrowserClient(app: FastifyInstance, { files, sendFile }: WebApp): void {
  const current = [...files].flatMap((name) => FOLDER.exec(name)?.[1] ?? [])[0]

  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { version, file } = request.params as { version?: string; file: string }
    const age = version === current ? FOREVER : FIVE_MINUTES
    // a page with `Cross-Origin-Embedder-Policy` loads nothing else
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return sendFile(request, reply, `static/${current}/${file}`, age)
  }
  const config = { scope: 'public' as const, pages: 'any' as const }
  const route = { config, schema: { hide: true } }
  app.get('/static/:file', { ...route, handler: send })
  app.get('/static/:version/:file', { ...route, handler: send })
}
