import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { sendNothing } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageOf } from '#server/http/page.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { retryDelivery } from './deliveries.ts'
import { Delivery, SigningSecret } from './schema.ts'
import {
  type NotificationSource,
  removeSource,
  rotateSigningSecret,
  toDeliverySource,
} from './sources.ts'
import { listDeliveries } from './store.ts'

export interface DeliveryRoutesOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly wakeUps: WakeUps
  readonly source: NotificationSource
}

const params = Type.Object({ project_id: Type.String(), id: Type.String() })
const DeliveryParams = Type.Object({ ...params.properties, delivery_id: Type.String() })

/** Mounted beside the routes of alerts and of subscriptions: what they send, and what is done to both alike. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<DeliveryRoutesOptions> = async (
  app,
  { db, secrets, wakeUps, source },
) => {
  const { noun, tags, get, test } = source

  app.delete('/:id', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: `delete${noun}`,
      summary: 'Delete it and its deliveries',
      tags,
      params,
      response: { 204: Type.Null({ description: 'It is gone.' }) },
    },
    handler: async ({ caller, params: { id } }, reply) => {
      await removeSource(db, source, caller, id)
      return sendNothing(reply, 204)
    },
  })

  app.post('/:id/rotate_secret', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: `rotate${noun}Secret`,
      summary: 'Sign with another secret from now on',
      tags,
      params,
      response: { 200: SigningSecret },
    },
    handler: ({ caller, params: { id } }) => rotateSigningSecret(db, secrets, source, caller, id),
  })

  app.post('/:id/test', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: `test${noun}`,
      summary: 'Send a test to every target',
      tags,
      params,
      response: { 200: Type.Array(Delivery) },
    },
    handler: async ({ caller, params: { id } }) => {
      const queued = await test(caller, id)
      wakeUps.notify()
      return queued
    },
  })

  app.get('/:id/deliveries', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: `list${noun}Deliveries`,
      summary: 'List what was sent, newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageOf(Delivery) },
    },
    handler: async (request) => {
      const owner = toDeliverySource(noun, await get(db, request.caller, request.params.id))
      return page(request, (window) => listDeliveries(db, owner, window))
    },
  })

  app.post('/:id/deliveries/:delivery_id/retry', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: `retry${noun}Delivery`,
      summary: 'Try again at once what has not arrived',
      tags,
      params: DeliveryParams,
      response: { 200: Delivery, 409: Conflict },
    },
    handler: async ({ caller, params: { id, delivery_id } }) => {
      const owner = toDeliverySource(noun, await get(db, caller, id))
      const queued = await retryDelivery(db, owner, delivery_id)
      wakeUps.notify()
      return queued
    },
  })
}
