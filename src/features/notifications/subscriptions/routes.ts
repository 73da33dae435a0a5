import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { listActivity } from '#server/features/activity/store.ts'
import { PageQuery, page, pageOf } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { TargetPolicy } from '../deliveries/targets.ts'
import {
  Subscription,
  SubscriptionCreate,
  SubscriptionParams,
  SubscriptionPatch,
  SubscriptionQuery,
  SubscriptionWithSecret,
} from './schema.ts'
import {
  createSubscription,
  getSubscription,
  getSubscriptionRow,
  listSubscriptions,
  patchSubscription,
} from './subscriptions.ts'

const tags = ['Subscriptions']

export interface SubscriptionRoutesOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly targetPolicy: TargetPolicy
}

/** Mounted at /api/projects/:project_id/subscriptions */
export const subscriptionRoutes: FastifyPluginAsyncTypebox<SubscriptionRoutesOptions> = async (
  app,
  { db, secrets, targetPolicy },
) => {
  app.get('', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: 'listSubscriptions',
      summary: 'List subscriptions, newest first',
      tags,
      params: ProjectOnlyParams,
      querystring: SubscriptionQuery,
      response: { 200: pageOf(Subscription) },
    },
    handler: (request) =>
      page(request, (window) => listSubscriptions(db, request.caller, request.query, window)),
  })

  app.post('', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: 'createSubscription',
      summary: 'Have an insight or a dashboard sent from time to time',
      description: '`signing_secret` is shown now and never again.',
      tags,
      params: ProjectOnlyParams,
      body: SubscriptionCreate,
      response: { 201: SubscriptionWithSecret },
    },
    handler: async ({ caller, body }, reply) => {
      reply.code(201)
      return createSubscription(db, secrets, targetPolicy, caller, body)
    },
  })

  app.get('/:id', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: 'getSubscription',
      summary: 'Read a subscription',
      tags,
      params: SubscriptionParams,
      response: { 200: Subscription },
    },
    handler: ({ caller, params }) => getSubscription(db, caller, params.id),
  })

  app.patch('/:id', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: 'updateSubscription',
      summary: 'Change a subscription',
      description: 'Only what is sent changes.',
      tags,
      params: SubscriptionParams,
      body: SubscriptionPatch,
      response: { 200: Subscription },
    },
    handler: ({ caller, params, body }) =>
      patchSubscription(db, targetPolicy, caller, params.id, body),
  })

  app.get('/:id/activity', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: 'listSubscriptionActivity',
      summary: 'List who changed what, newest first',
      tags,
      params: SubscriptionParams,
      querystring: PageQuery,
      response: { 200: pageOf(Activity) },
    },
    handler: async (request) => {
      const { projectId } = request.caller
      const { id } = await getSubscriptionRow(db, request.caller, request.params.id)
      return page(request, (window) => listActivity(db, projectId, 'Subscription', id, window))
    },
  })
}
