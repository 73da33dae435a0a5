import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { sendError } from './error-handler.ts'
import { toPathPattern } from './path-pattern.ts'

interface Path {
  readonly url: string
  readonly pattern: RegExp
  /** Paths with fewer parameters are tried first. */
  readonly parameterCount: number
  readonly methods: Set<string>
  readonly allowed: Set<string>
}

export type Paths = ReadonlyMap<string, Path>

/**
 * Turns Fastify's 404 for an unknown method on a known path into 405 with `Allow`, and answers OPTIONS. Must be
 * installed before any route. The path is searched only after a 404: registering a route for every unsupported method
 * was a quarter of the start-up time.
 */
export function installMethodNotAllowed(app: FastifyInstance): Paths {
  const paths = new Map<string, Path>()
  let sorted: readonly Path[] | undefined

  app.addHook('onRoute', ({ url, method, config }) => {
    const path = paths.get(url) ?? toPath(url)
    for (const name of [method].flat()) {
      path.methods.add(name)
      if (!config?.alwaysRefused) path.allowed.add(name)
    }
    paths.set(url, path)
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    sorted ??= [...paths.values()].toSorted((a, b) => a.parameterCount - b.parameterCount)
    const requested = request.url.split('?', 1)[0] as string
    const path = sorted.find(({ pattern }) => pattern.test(requested))
    if (path) return refuse(request, reply, toAllowHeader(path))
  })
  return paths
}

/**
 * Refuses unsupported methods of static paths. If only `POST /things/special` exists, `GET` would look for a thing with
 * the ID "special", so such paths get routes for the other methods. Must be registered last.
 */
export async function staticPathRefusals(
  app: FastifyInstance,
  { paths }: { paths: Paths },
): Promise<void> {
  const all = [...paths.values()]
  const isShadowed = ({ url, parameterCount }: Path): boolean =>
    all.some((other) => other.parameterCount > parameterCount && other.pattern.test(url))
  for (const path of all.filter(isShadowed)) addRefusals(app, path)
}

function addRefusals(app: FastifyInstance, path: Path): void {
  const allow = toAllowHeader(path)
  app.route({
    url: path.url,
    method: app.supportedMethods.filter((name) => !path.methods.has(name)),
    config: { scope: 'public', alwaysRefused: true },
    schema: { hide: true },
    exposeHeadRoute: false,
    // a hook runs before the body is read
    onRequest: async (request, reply) => refuse(request, reply, allow),
    handler: () => {},
  })
}

const toAllowHeader = ({ allowed }: Path): string => [...allowed, 'OPTIONS'].join(', ')

function refuse(request: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  const detail = `Method "${request.method}" not allowed.`
  return sendError(reply, new ApiError('method_not_allowed', detail, null, { allow }))
}

const toPath = (url: string): Path => ({
  url,
  pattern: toPathPattern(url),
  parameterCount: url.match(/:|\*/g)?.length ?? 0,
  methods: new Set(),
  allowed: new Set(),
})
