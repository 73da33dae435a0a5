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
    /** Returns the documented route with this `operationId`. */
    getOperation(operationId: string): ApiRoute
  }
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
    hide?: boolean
    /** Request bodies other than JSON, by media type. Only documented here; the handler validates them. */
    nonJsonBody?: Record<string, { schema: object }>
  }
}

/** Must be installed before the first route, because it sees only later ones. */
export function installOpenApi(
  app: FastifyInstance,
  info: ApiInfo,
  tagDescriptions?: Readonly<Record<string, string>>,
): void {
  const routes: ApiRoute[] = []
  let json: string | undefined

  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (!schema?.operationId || schema.hide) return
    const declared = (config ?? {}) as Partial<ApiRoute>
    const { scope = 'public', adminOnly, viewers, unappliedFilters } = declared
    for (const verb of [method].flat())
      routes.push({ method: verb, url, scope, adminOnly, viewers, unappliedFilters, schema })
  })

  app.decorate('openApiDocument', () => toDocument(info, routes, tagDescriptions))
  app.decorate('getOperation', (operationId: string) => {
    const isNamed = ({ method, schema }: ApiRoute) =>
      schema.operationId === operationId && method !== 'HEAD'
    const route = routes.find(isNamed)
    if (!route) throw new Error(`There is no operation ${operationId}`)
    return route
  })

  app.get('/api/schema', {
    config: { scope: 'public' },
    schema: { hide: true },
    handler: (_request, reply) => {
      json ??= JSON.stringify(app.openApiDocument())
      return reply.type('application/json; charset=utf-8').send(json)
    },
  })
}
