import type { FastifyInstance } from 'fastify'
import {
  type ApiInfo,
  type ApiRoute,
  type OpenApiDocument,
  toDocument,
} from './openapi-document.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openApiDocument(): OpenApiDocument
  }
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
    hide?: boolean
    /** Bodies that are not JSON, by their type: described here, and checked by whoever reads them. */
    nonJsonBody?: Record<string, { schema: object }>
  }
}

/** Must run before the first route is registered: it sees only what comes after it. */
export function installOpenApi(app: FastifyInstance, info: ApiInfo): void {
  const routes: ApiRoute[] = []
  let json: string | undefined

  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (!schema?.operationId || schema.hide) return
    const { scope = 'public', adminOnly } = (config ?? {}) as Partial<ApiRoute>
    for (const verb of [method].flat()) routes.push({ method: verb, url, scope, adminOnly, schema })
  })

  app.decorate('openApiDocument', () => toDocument(info, routes))

  app.get('/api/schema', {
    config: { scope: 'public' },
    schema: { hide: true },
    handler: (_request, reply) => {
      json ??= JSON.stringify(app.openApiDocument())
      return reply.type('application/json; charset=utf-8').send(json)
    },
  })
}
