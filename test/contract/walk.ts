import { expect } from 'vitest'
import { type Client, startApp, startBeside, type TestApp, useApp } from '../support/app/app.ts'
import { isFull } from '../support/vitest/effort.ts'
import { listRoutes, type Route } from './routes.ts'
import { readSnapshot } from './snapshot.ts'
import { createWorld, fillPath, type World } from './world.ts'

export const nameOf = ({ method, url }: Route) => `${method} ${url}`
export const isGuarded = ({ scope }: Route) => scope !== 'public'
export const isScoped = ({ scope }: Route) => !['public', 'key', 'account'].includes(scope)
export const isOfAccount = ({ scope }: Route) => scope === 'account'
export const isSigningOut = ({ url }: Route) => url.startsWith('/api/sign_out')
/** MCP takes keys only. */
export const takesSessions = ({ url }: Route) => url !== '/mcp'
export const isChange = ({ method }: Route) => method !== 'GET' && method !== 'HEAD'
export const isAdminOnly = ({ adminOnly }: Route) => adminOnly
export const isInOrganization = ({ url }: Route) => url.includes(':organization_id')
export const isInProject = ({ url }: Route) => url.includes(':project_id')

/**
 * Prepares requests to every route in a separate app: walks change the organization and fail often enough to be
 * throttled.
 */
export async function start() {
  const api = await startApp()
  const world = await createWorld(api)
  const routes = await listRoutes(api.services)
  return { api, world, routes, guarded: routes.filter(isGuarded) }
}

let refused: Promise<{ api: TestApp; world: World }> | undefined

/** Fewer wrong keys than the server throttles, of each address. */
const REQUESTS_OF_AN_ADDRESS = 200

/** Sends requests as from several addresses, through a proxy. */
function fromAddresses(toClient: (route: Route) => Client): (route: Route) => Client {
  let count = 0
  return (route) => {
    const client = toClient(route)
    const address = `198.51.100.${Math.floor(count++ / REQUESTS_OF_AN_ADDRESS)}`
    return {
      ...client,
      request: (method, path, body, headers) =>
        client.request(method, path, body, { ...headers, 'x-forwarded-for': address }),
    }
  }
}

/**
 * Prepares refused requests to every route. They share records, because they change none; each walk has its own server
 * and several addresses, because it fails often enough to be throttled.
 */
export async function startRefused() {
  refused ??= createRefused()
  const { api: shared, world } = await refused
  const api = await startBeside(shared, { HEDGEROW_TRUSTED_PROXY: 'loopback' })
  const routes = await listRoutes(api.services)
  return {
    api,
    world,
    routes,
    guarded: routes.filter(isGuarded),
    /** Walks, and expects that no record has changed. */
    async walk(...[routes, world, toClient]: Parameters<typeof walk>) {
      const before = await readSnapshot(api.db)
      const responses = await walk(routes, world, fromAddresses(toClient))
      expect(await readSnapshot(api.db)).toEqual(before)
      return responses
    },
  }
}

async function createRefused() {
  const api = await useApp()
  return { api, world: await createWorld(api) }
}

/**
 * Returns all routes in the full check, and every fifth in the fast one. For outcomes that depend on the guard alone, which
 * treats all routes alike.
 */
export const sampleOf = (routes: readonly Route[]): readonly Route[] =>
  isFull ? routes : routes.filter((_, index) => index % 5 === 0)

/** Sends every request; deletes come last, because the other requests need the records. */
export async function walk(
  routes: readonly Route[],
  world: World,
  toClient: (route: Route) => Client,
) {
  const responses: Record<string, string> = {}
  const isDelete = ({ method }: Route) => Number(method === 'DELETE')
  for (const route of routes.toSorted((a, b) => isDelete(a) - isDelete(b))) {
    const sent = route.method === 'POST' || route.method === 'PATCH' ? {} : undefined
    const path = fillPath(route.url, world)
    const { status, body } = await toClient(route).request(route.method, path, sent)
    responses[nameOf(route)] = status >= 400 && body ? `${status} ${body.detail}` : `${status}`
  }
  return responses
}

/** A HEAD response has no body with a detail. */
export const everywhere = (
  routes: readonly Route[],
  status: number,
  detail: (route: Route) => string,
) =>
  Object.fromEntries(
    routes.map((route) => [
      nameOf(route),
      route.method === 'HEAD' ? `${status}` : `${status} ${detail(route)}`,
    ]),
  )

export const refusals = (responses: Record<string, string>) =>
  Object.entries(responses).filter(([, response]) =>
    /^40[13]|(Project|Organization) not found/.test(response),
  )
