import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { listActivity } from '#server/features/activity/store.ts'
import { PageQuery, page, pageOf } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { TargetPolicy } from '../deliveries/targets.ts'
import { createAlert, getAlert, getAlertRow, listAlerts, patchAlert } from './alerts.ts'
import {
  Alert,
  AlertCreate,
  AlertParams,
  AlertPatch,
  AlertQuery,
  AlertWithSecret,
} from './schema.ts'

const tags = ['Alerts']

export interface AlertRoutesOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly targetPolicy: TargetPolicy
}

/** Mounted at /api/projects/:project_id/alerts */
export const alertRoutes: FastifyPluginAsyncTypebox<AlertRoutesOptions> = async (
  app,
  { db, secrets, targetPolicy },
) => {
  app.get('', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: 'listAlerts',
      summary: 'List alerts, newest first',
      tags,
      params: ProjectOnlyParams,
      querystring: AlertQuery,
      response: { 200: pageOf(Alert) },
    },
    handler: (request) =>
      page(request, (window) => listAlerts(db, request.caller, request.query.insight, window)),
  })

  app.post('', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: 'createAlert',
      summary: 'Watch an insight',
      description:
        'It is checked after each refresh of the insight and when its interval has passed. `signing_secret` is shown now and never again.',
      tags,
      params: ProjectOnlyParams,
      body: AlertCreate,
      response: { 201: AlertWithSecret },
    },
    handler: async ({ caller, body }, reply) => {
      reply.code(201)
      return createAlert(db, secrets, targetPolicy, caller, body)
    },
  })

  app.get('/:id', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: 'getAlert',
      summary: 'Read an alert',
      tags,
      params: AlertParams,
      response: { 200: Alert },
    },
    handler: ({ caller, params }) => getAlert(db, caller, params.id),
  })

  app.patch('/:id', {
    config: { scope: 'alert:write' },
    schema: {
      operationId: 'updateAlert',
      summary: 'Change an alert',
      description: 'Only what is sent changes. What changes the check makes it due at once.',
      tags,
      params: AlertParams,
      body: AlertPatch,
      response: { 200: Alert },
    },
    handler: ({ caller, params, body }) => patchAlert(db, targetPolicy, caller, params.id, body),
  })

  app.get('/:id/activity', {
    config: { scope: 'alert:read' },
    schema: {
      operationId: 'listAlertActivity',
      summary: 'List who changed what, and when it fired, newest first',
      tags,
      params: AlertParams,
      querystring: PageQuery,
      response: { 200: pageOf(Activity) },
    },
    handler: async (request) => {
      const { projectId } = request.caller
      const { id, uuid } = await getAlertRow(db, request.caller, request.params.id)
      return page(request, async (window) => {
        const { count, results } = await listActivity(db, projectId, 'Alert', id, window)
        return { count, results: results.map((entry) => ({ ...entry, item_id: uuid })) }
      })
    },
  })
}
