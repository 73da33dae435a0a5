import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { sendError } from './error-handler.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that exists only to refuse in its own way: it is not offered in `Allow`. */
    alwaysRefused?: boolean
  }
}

/** The methods that have a route, and whether it is one to offer. */
type Methods = ReadonlyMap<string, { readonly offered: boolean }>
export type Paths = ReadonlyMap<string, Methods>

/** Called before any route is added; filled when all are. */
export function collectPaths(app: FastifyInstance): Paths {
  const paths = new Map<string, Map<string, { offered: boolean }>>()
  app.addHook('onRoute', ({ url, method, config }) => {
    const methods = paths.get(url) ?? new Map()
    for (const name of [method].flat()) methods.set(name, { offered: !config?.alwaysRefused })
    paths.set(url, methods)
  })
  return paths
}

/**
 * Registered last: Fastify answers 404 for a method it does not know on a path it does, so each path learns to
 * say 405 and `Allow`, and OPTIONS to list what it takes.
 */
export async function methodNotAllowedRoutes(
  app: FastifyInstance,
  { paths }: { paths: Paths },
): Promise<void> {
  for (const [url, methods] of [...paths]) addRefusals(app, url, methods)
}

function addRefusals(app: FastifyInstance, url: string, methods: Methods): void {
  const offered = [...methods].filter(([, method]) => method.offered).map(([name]) => name)
  const allow = [...offered, 'OPTIONS'].join(', ')
  const missing = app.supportedMethods.filter((name) => name !== 'OPTIONS' && !methods.has(name))
  const common = {
    url,
    config: { scope: 'public' as const },
    schema: { hide: true },
    exposeHeadRoute: false,
  }
  app.route({
    ...common,
    method: 'OPTIONS',
    handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
  })
  if (missing.length === 0) return
  app.route({
    ...common,
    method: missing,
    // in a hook: the answer does not depend on the body, so it need not be read
    onRequest: async (request, reply) => {
      const detail = `Method "${request.method}" not allowed.`
      return sendError(reply, new ApiError('method_not_allowed', detail, null, { allow }))
    },
    handler: () => {},
  })
}
