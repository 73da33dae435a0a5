import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { createAction, getAction, getActionRow, listActions, patchAction } from './actions.ts'
import { Action, ActionCreate, ActionParams, ActionPatch, ActionQuery } from './schema.ts'

const tags = ['Actions']
const params = ActionParams

/** Mounted at /api/projects/:project_id/actions */
export const actionRoutes: FastifyPluginAsyncTypebox<{ db: Db; events: EventStore }> = async (
  app,
  { db, events },
) => {
  const deps = { db, events }

  app.get('', {
    config: { scope: 'action:read' },
    schema: {
      operationId: 'listActions',
      summary: 'List actions by name',
      tags,
      params: ProjectOnlyParams,
      querystring: ActionQuery,
      response: { 200: pageSchema(Action) },
    },
    handler: (request) =>
      page(request, (range) => listActions(db, request.caller, request.query, range)),
  })

  app.post('', {
    config: { scope: 'action:write' },
    schema: {
      operationId: 'createAction',
      summary: 'Create an action',
      description:
        'Rules about elements of a page (`selector`, `tag_name`, `href`) are refused: events do not keep them.',
      tags,
      params: ProjectOnlyParams,
      body: ActionCreate,
      response: { 201: Action },
    },
    handler: (request, reply) => {
      reply.code(201)
      return createAction(deps, request.caller, request.body)
    },
  })

  app.get('/:id', {
    config: { scope: 'action:read' },
    schema: {
      operationId: 'getAction',
      summary: 'Get an action',
      description: 'Also returns an action in the trash.',
      tags,
      params,
      response: { 200: Action },
    },
    handler: (request) => getAction(db, request.caller, request.params.id),
  })

  app.patch('/:id', {
    config: { scope: 'action:write' },
    schema: {
      operationId: 'updateAction',
      summary: 'Update an action',
      description: 'Changes only the fields sent, and all results that count the action.',
      tags,
      params,
      body: ActionPatch,
      response: { 200: Action, 409: Conflict },
    },
    handler: ({ caller, params, body }) => patchAction(deps, caller, { id: params.id, body }),
  })

  app.delete(
    '/:id',
    refusedDelete({ scope: 'action:write', operationId: 'deleteAction', tags, params }),
  )

  app.get('/:id/activity', {
    config: { scope: 'action:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listActionActivity',
      summary: 'List the activity of an action, newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { id } = await getActionRow(db, request.caller, request.params.id)
      return pageItemActivity(db, request, 'Action', id)
    },
  })
}
