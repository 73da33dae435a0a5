import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { sendError } from './error-handler.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that exists only to refuse in its own way: it is not offered in `Allow`. */
    alwaysRefused?: boolean
  }
}

interface Path {
  readonly url: string
  readonly pattern: RegExp
  /** How much of it is any id: what is named comes first. */
  readonly parameterCount: number
  readonly methods: Set<string>
  readonly offered: Set<string>
}

export type Paths = ReadonlyMap<string, Path>

/**
 * Installed before any route is added. Fastify answers 404 for a method it does not know on a path it does: here it
 * becomes 405 with `Allow`, and OPTIONS lists what a path takes. The path is looked for when nothing was found; a
 * route for every method that a path does not take was a quarter of the time of a start.
 */
export function installMethodNotAllowed(app: FastifyInstance): Paths {
  const paths = new Map<string, Path>()
  let sorted: readonly Path[] | undefined

  app.addHook('onRoute', ({ url, method, config }) => {
    const path = paths.get(url) ?? toPath(url)
    for (const name of [method].flat()) {
      path.methods.add(name)
      if (!config?.alwaysRefused) path.offered.add(name)
    }
    paths.set(url, path)
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    sorted ??= [...paths.values()].toSorted((a, b) => a.parameterCount - b.parameterCount)
    const asked = request.url.split('?', 1)[0] as string
    const path = sorted.find(({ pattern }) => pattern.test(asked))
    if (path) return refuse(request, reply, allowOf(path))
  })
  return paths
}

/**
 * Registered last. Where `POST /things/special` is there and `GET` is not, it would be taken for the thing called
 * "special", so these paths do get routes for the methods that they do not take.
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
  const allow = allowOf(path)
  app.route({
    url: path.url,
    method: app.supportedMethods.filter((name) => !path.methods.has(name)),
    config: { scope: 'public', alwaysRefused: true },
    schema: { hide: true },
    exposeHeadRoute: false,
    // in a hook: the answer does not depend on the body, so it need not be read
    onRequest: async (request, reply) => refuse(request, reply, allow),
    handler: () => {},
  })
}

const allowOf = ({ offered }: Path): string => [...offered, 'OPTIONS'].join(', ')

function refuse(request: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  const detail = `Method "${request.method}" not allowed.`
  return sendError(reply, new ApiError('method_not_allowed', detail, null, { allow }))
}

function toPath(url: string): Path {
  const pattern = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*$/, '.*')
  return {
    url,
    pattern: new RegExp(`^${pattern}$`),
    parameterCount: url.match(/:|\*/g)?.length ?? 0,
    methods: new Set(),
    offered: new Set(),
  }
}
