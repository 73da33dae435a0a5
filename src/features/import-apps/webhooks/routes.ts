import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { requireId } from '#server/http/ids.ts'
import { findLinkOrigin } from '#server/http/link-origin.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import {
  IntakePatch,
  Replayed,
  ReplayRange,
  RequestParams,
  RequestQuery,
  Rotation,
  WebhookAddress,
  WebhookRequest,
  WebhookRequestDetails,
} from './schema.ts'
import {
  getAddress,
  getRequest,
  listConfigRequests,
  patchIntake,
  replayRequests,
  rotateAddress,
  type WebhookDeps,
} from './webhooks.ts'

const tags = ['Import apps']
const params = PipelineConfigParams

interface WebhookOptions extends WebhookDeps {
  /** The public URL, if it is configured. */
  readonly url: string | undefined
}

/** Mounted at the same prefix as the routes of configs: the address for requests of other services, and the requests. */
export const webhookRoutes: FastifyPluginAsyncTypebox<WebhookOptions> = async (
  app,
  { db, secrets, wakeUps, url },
) => {
  const deps = { db, secrets, wakeUps }
  const withUrl = <Address extends { readonly path: string }>(
    request: FastifyRequest,
    address: Address,
  ) => {
    const origin = findLinkOrigin(request, url)
    return { ...address, url: origin === undefined ? null : `${origin}${address.path}` }
  }

  app.get('/:id/address', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'getWebhookAddress',
      summary: 'Get the address to which other services send requests',
      tags,
      params,
      response: { 200: WebhookAddress, 409: Conflict },
    },
    handler: async (request) =>
      withUrl(request, await getAddress(db, request.caller, requireId(request.params.id))),
  })

  app.patch('/:id/address', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'updateWebhookAddress',
      summary: 'Change how requests are kept',
      tags,
      params,
      body: IntakePatch,
      response: { 200: WebhookAddress, 409: Conflict },
    },
    handler: async (request) => {
      const id = requireId(request.params.id)
      return withUrl(request, await patchIntake(db, request.caller, id, request.body))
    },
  })

  app.post('/:id/address/rotate', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'rotateWebhookAddress',
      summary: 'Replace the address',
      tags,
      params,
      body: Rotation,
      response: { 200: WebhookAddress, 409: Conflict },
    },
    handler: async (request) => {
      const { grace_seconds = 0 } = request.body
      const id = requireId(request.params.id)
      return withUrl(request, await rotateAddress(db, request.caller, id, grace_seconds))
    },
  })

  app.get('/:id/requests', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listWebhookRequests',
      summary: 'List the requests of other services, newest first',
      tags,
      params,
      querystring: RequestQuery,
      response: { 200: pageSchema(WebhookRequest) },
    },
    handler: (request) => {
      const { projectId } = request.caller
      const filter = { projectId, id: requireId(request.params.id), state: request.query.state }
      return page(request, (range) => listConfigRequests(db, filter, range))
    },
  })

  app.get('/:id/requests/:request_id', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getWebhookRequest',
      summary: 'Get a request of another service',
      tags,
      params: RequestParams,
      response: { 200: WebhookRequestDetails },
    },
    handler: ({ caller: { projectId }, params: { id, request_id } }) =>
      getRequest(deps, { projectId, id: requireId(id), requestId: requireId(request_id) }),
  })

  app.post('/:id/requests/:request_id/replay', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'replayWebhookRequest',
      summary: 'Let the app handle a request again',
      description: 'Events that the request has stored before are not stored twice.',
      tags,
      params: RequestParams,
      response: { 200: Replayed, 409: Conflict },
    },
    handler: async ({ caller, params: { id, request_id } }) => ({
      replayed: await replayRequests(deps, caller, requireId(id), { id: requireId(request_id) }),
    }),
  })

  app.post('/:id/requests/replay', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'replayWebhookRequests',
      summary: 'Let the app handle many requests again',
      description: 'Those in a period or in a state, or else all that are kept.',
      tags,
      params,
      body: ReplayRange,
      response: { 200: Replayed, 409: Conflict },
    },
    handler: async ({ caller, params, body }) => ({
      replayed: await replayRequests(deps, caller, requireId(params.id), body),
    }),
  })
}
