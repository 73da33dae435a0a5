import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { startApp, type TestApp } from '../app.ts'

export interface Route {
  readonly method: string
  /** As registered, without a trailing slash. */
  readonly url: string
  readonly scope: string
  readonly adminOnly: boolean
}

const INITIALIZATION = 'fastify.initialization'

/** Starts the app and tells every route that Fastify was given, also those that no document describes. */
export async function startAppWithRoutes(): Promise<{ api: TestApp; routes: readonly Route[] }> {
  const routes = new Map<string, Route>()
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method: methods, url: written, config }) => {
      const url = written.replace(/(.)\/$/, '$1')
      for (const method of [methods].flat()) {
        const { scope = 'none', adminOnly = false } = config ?? {}
        routes.set(`${method} ${url}`, { method, url, scope, adminOnly })
      }
    })
  }
  subscribe(INITIALIZATION, listen)
  const api = await startApp().finally(() => unsubscribe(INITIALIZATION, listen))
  return { api, routes: [...routes.values()] }
}
