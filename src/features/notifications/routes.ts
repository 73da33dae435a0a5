import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { ProjectId, ProjectOnlyParams, uuidParam } from '#server/http/params.ts'
import { Activity } from '../activity/schema.ts'
import { listActivity } from '../activity/store.ts'
import { retryDelivery } from './deliveries/deliveries.ts'
import { Delivery, SigningSecret } from './deliveries/schema.ts'
import { listDeliveries } from './deliveries/store.ts'
import {
  type NotificationDeps,
  type NotificationSource,
  removeSource,
  rotateSigningSecret,
  type SourceRow,
  toDeliverySource,
} from './source.ts'

const read = { config: { scope: 'alert:read' } } as const
const write = { config: { scope: 'alert:write' } } as const

/** Mounted at /api/projects/:project_id/alerts and at /api/projects/:project_id/subscriptions */
export function notificationRoutes<Row extends SourceRow, Item, Create, Patch, Query>(
  source: NotificationSource<Row, Item, Create, Patch, Query>,
): FastifyPluginAsyncTypebox<NotificationDeps> {
  const { noun, docs, schemas, unappliedFilters } = source
  const plural = `${noun}s`
  const tags = [plural]
  const params = Type.Object({ project_id: ProjectId, id: schemas.id })
  const deliveryParams = Type.Object({ ...params.properties, delivery_id: uuidParam('a delivery') })

  return async (app, deps) => {
    const { db, wakeUps } = deps

    app.get('', {
      config: { ...read.config, unappliedFilters },
      schema: {
        operationId: `list${plural}`,
        summary: `List ${plural.toLowerCase()}, newest first`,
        tags,
        params: ProjectOnlyParams,
        querystring: schemas.query,
        response: { 200: pageSchema(schemas.item) },
      },
      handler: (request) =>
        page(request, (range) => source.list(db, request.caller, request.query as Query, range)),
    })

    app.post('', {
      ...write,
      schema: {
        operationId: `create${noun}`,
        ...docs.create,
        tags,
        params: ProjectOnlyParams,
        body: schemas.create,
        response: { 201: schemas.itemWithSecret },
      },
      handler: async ({ caller, body }, reply) => {
        reply.code(201)
        return source.create(deps, caller, body as Create)
      },
    })

    app.get('/:id', {
      ...read,
      schema: {
        operationId: `get${noun}`,
        ...docs.get,
        tags,
        params,
        response: { 200: schemas.item },
      },
      handler: async ({ caller, params: { id } }) =>
        source.toItem(db, await source.getRow(db, caller, id)),
    })

    app.patch('/:id', {
      ...write,
      schema: {
        operationId: `update${noun}`,
        ...docs.patch,
        tags,
        params,
        body: schemas.patch,
        response: { 200: schemas.item },
      },
      handler: ({ caller, params: { id }, body }) => source.patch(deps, caller, id, body as Patch),
    })

    app.delete('/:id', {
      ...write,
      schema: {
        operationId: `delete${noun}`,
        summary: `Delete the ${noun.toLowerCase()} and its deliveries`,
        tags,
        params,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
      handler: async ({ caller, params: { id } }, reply) => {
        await removeSource(deps, source, caller, id)
        return sendEmpty(reply, 204)
      },
    })

    app.get('/:id/activity', {
      config: { ...read.config, unappliedFilters: ['page'] },
      schema: {
        operationId: `list${noun}Activity`,
        ...docs.activity,
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageSchema(Activity) },
      },
      handler: async (request) => {
        const { projectId } = request.caller
        const row = await source.getRow(db, request.caller, request.params.id)
        const item_id = source.toItemId(row)
        const item = { projectId, scope: noun, itemId: row.id }
        return page(request, async (range) => {
          const { count, results } = await listActivity(db, item, range)
          return { count, results: results.map((entry) => ({ ...entry, item_id })) }
        })
      },
    })

    app.post('/:id/rotate_secret', {
      ...write,
      schema: {
        operationId: `rotate${noun}Secret`,
        summary: 'Replace the signing secret',
        tags,
        params,
        response: { 200: SigningSecret },
      },
      handler: ({ caller, params: { id } }) => rotateSigningSecret(deps, source, caller, id),
    })

    app.post('/:id/test', {
      ...write,
      schema: {
        operationId: `test${noun}`,
        summary: 'Send a test notification to every target',
        tags,
        params,
        response: { 200: Type.Array(Delivery) },
      },
      handler: async ({ caller, params: { id } }) => {
        const queued = await source.test(deps, caller, id)
        wakeUps.notify()
        return queued
      },
    })

    app.get('/:id/deliveries', {
      config: { ...read.config, unappliedFilters: ['cursor', 'status'] },
      schema: {
        operationId: `list${noun}Deliveries`,
        summary: 'List deliveries, newest first',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageSchema(Delivery) },
      },
      handler: async (request) => {
        const row = await source.getRow(db, request.caller, request.params.id)
        return page(request, (range) => listDeliveries(db, toDeliverySource(noun, row), range))
      },
    })

    app.post('/:id/deliveries/:delivery_id/retry', {
      ...write,
      schema: {
        operationId: `retry${noun}Delivery`,
        summary: 'Retry a delivery now',
        tags,
        params: deliveryParams,
        response: { 200: Delivery, 409: Conflict },
      },
      handler: async ({ caller, params: { id, delivery_id } }) => {
        const row = await source.getRow(db, caller, id)
        const queued = await retryDelivery(db, toDeliverySource(noun, row), delivery_id)
        wakeUps.notify()
        return queued
      },
    })
  }
}
