import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import {
  createSavedView,
  getSavedView,
  listSavedViews,
  patchSavedView,
  removeSavedView,
} from './saved-views.ts'
import {
  SavedView,
  SavedViewCreate,
  SavedViewParams,
  SavedViewPatch,
  SavedViewQuery,
} from './schema.ts'

const tags = ['Saved views']
const params = SavedViewParams

/** Mounted at /api/projects/:project_id/saved_views */
export const savedViewRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'saved_view:read' },
    schema: {
      operationId: 'listSavedViews',
      summary: 'List saved views, the oldest first',
      tags,
      params: ProjectOnlyParams,
      querystring: SavedViewQuery,
      response: { 200: pageSchema(SavedView) },
    },
    handler: (request) =>
      page(request, (range) => listSavedViews(db, request.caller, request.query, range)),
  })

  app.post('', {
    config: { scope: 'saved_view:write' },
    schema: {
      operationId: 'createSavedView',
      summary: 'Save filters under a name, for everyone in the project',
      description: 'A view of a dashboard needs edit rights on the dashboard.',
      tags,
      params: ProjectOnlyParams,
      body: SavedViewCreate,
      response: { 201: SavedView, 409: Conflict },
    },
    handler: ({ caller, body }, reply) => {
      reply.code(201)
      return createSavedView(db, caller, body)
    },
  })

  app.get('/:id', {
    config: { scope: 'saved_view:read' },
    schema: {
      operationId: 'getSavedView',
      summary: 'Get a saved view',
      tags,
      params,
      response: { 200: SavedView },
    },
    handler: ({ caller, params }) => getSavedView(db, caller, params.id),
  })

  app.patch('/:id', {
    config: { scope: 'saved_view:write' },
    schema: {
      operationId: 'updateSavedView',
      summary: 'Update a saved view',
      description: 'Changes only the fields sent.',
      tags,
      params,
      body: SavedViewPatch,
      response: { 200: SavedView, 409: Conflict },
    },
    handler: ({ caller, params, body }) => patchSavedView(db, caller, { id: params.id, body }),
  })

  app.delete('/:id', {
    config: { scope: 'saved_view:write' },
    schema: {
      operationId: 'deleteSavedView',
      summary: 'Delete a saved view',
      tags,
      params,
      response: { 204: Type.Null({ description: 'Deleted.' }) },
    },
    handler: async ({ caller, params }, reply) => {
      await removeSavedView(db, caller, params.id)
      return sendEmpty(reply, 204)
    },
  })
}
