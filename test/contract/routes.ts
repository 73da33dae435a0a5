import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { OpenToViewers } from '#server/access/viewers.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Services } from '#server/services.ts'

export interface Route {
  readonly method: string
  /** The registered URL, without a trailing slash. */
  readonly url: string
  readonly scope: string
  readonly adminOnly: boolean
  readonly viewers: OpenToViewers | undefined
  readonly pages: 'own' | 'any' | undefined
}

const INITIALIZATION = 'fastify.initialization'

let routes: Promise<readonly Route[]> | undefined

/** Lists every registered route, including undocumented ones. All apps have the same routes. */
export function listRoutes(services: Services): Promise<readonly Route[]> {
  routes ??= buildAndListen(services)
  return routes
}

async function buildAndListen(services: Services): Promise<readonly Route[]> {
  const found = new Map<string, Route>()
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method: methods, url: written, config }) => {
      const url = written.replace(/(.)\/$/, '$1')
      for (const method of [methods].flat()) {
        const { scope = 'none', adminOnly = false, viewers, pages } = config ?? {}
        found.set(`${method} ${url}`, { method, url, scope, adminOnly, viewers, pages })
      }
    })
  }
  subscribe(INITIALIZATION, listen)
  try {
    await buildApp({ services, config: { ...readConfig({}), logLevel: 'silent' } }).ready()
  } finally {
    unsubscribe(INITIALIZATION, listen)
  }
  return [...found.values()]
}
