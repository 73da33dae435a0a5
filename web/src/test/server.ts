import { expect, onTestFinished, vi } from 'vitest'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

type Reply = (request: FakeRequest) => unknown

/**
 * Responses by `METHOD path`; a path may end in `*`. A value is the JSON body of a 200 response, a function computes it,
 * a `Response` is sent as it is. Exact paths win over patterns, later entries over earlier ones.
 */
export type Routes = Readonly<Record<string, unknown>>

export interface FakeServer {
  /** Every request so far, oldest first. */
  readonly requests: readonly FakeRequest[]
  /** The bodies sent to `METHOD path`. */
  bodiesOf(route: string): unknown[]
  /** Adds or replaces routes while the test runs. */
  reply(routes: Routes): void
}

/** Responds to `fetch` from a table until the test ends. A request that is not in the table fails the test. */
export function startServer(...tables: readonly Routes[]): FakeServer {
  const routes = new Map(tables.flatMap(Object.entries))
  const requests: FakeRequest[] = []
  const unknown: string[] = []

  async function respond(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input, location.href)
    const { method = 'GET', body, signal } = init
    const request = { method, path: url.pathname, query: url.searchParams, body: parse(body) }
    requests.push(request)
    const name = `${method} ${url.pathname}`
    const key = findRoute([...routes.keys()], name)
    if (key === undefined) {
      unknown.push(name)
      return problem(404, `The test has no response for ${name}.`)
    }
    const route = routes.get(key)
    const reply = typeof route === 'function' ? await (route as Reply)(request) : route
    signal?.throwIfAborted()
    return reply instanceof Response ? reply.clone() : Response.json(reply ?? null)
  }

  vi.stubGlobal('fetch', respond)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    expect(unknown, 'requests without a response').toEqual([])
  })
  return {
    requests,
    bodiesOf: (route) =>
      requests
        .filter(({ method, path }) => matches(route, `${method} ${path}`))
        .map(({ body }) => body),
    reply(added) {
      for (const [route, reply] of Object.entries(added)) routes.set(route, reply)
    },
  }
}

/** An error response in the API's format. */
export const problem = (status: number, detail: string, attr: string | null = null): Response =>
  Response.json({ type: 'error', code: 'error', detail, attr }, { status })

function findRoute(keys: readonly string[], name: string): string | undefined {
  return keys.includes(name) ? name : keys.findLast((key) => matches(key, name))
}

const matches = (route: string, name: string): boolean =>
  route.endsWith('*') ? name.startsWith(route.slice(0, -1)) : route === name

function parse(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : (body ?? undefined)
}
