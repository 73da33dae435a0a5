import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { requireId, toUuid } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { addCollaborator, getCollaborators, removeCollaborator } from './collaborators.ts'
import {
  Collaborator,
  CollaboratorCreate,
  CollaboratorParams,
  CollaboratorsParams,
} from './schema.ts'

const tags = ['Collaborators']

/** Mounted below a dashboard, at /:dashboard_id/collaborators */
export const collaboratorRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'dashboard:read' },
    schema: {
      operationId: 'listCollaborators',
      summary: 'List the collaborators of a dashboard',
      tags,
      params: CollaboratorsParams,
      response: { 200: Type.Array(Collaborator) },
    },
    handler: ({ caller, params }) =>
      getCollaborators(db, caller, requireId(params.dashboard_id, 'Dashboard')),
  })

  app.post('', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'addCollaborator',
      summary: 'Add a collaborator to a dashboard',
      description: 'Takes effect once the dashboard is restricted.',
      tags,
      params: CollaboratorsParams,
      body: CollaboratorCreate,
      response: { 201: Collaborator },
    },
    handler: async ({ caller, params, body }, reply) => {
      if (!toUuid(body.user_uuid)) throw invalid('user_uuid', 'Must be a valid UUID.')
      reply.code(201)
      const dashboardId = requireId(params.dashboard_id, 'Dashboard')
      return addCollaborator(db, caller, { dashboardId, body })
    },
  })

  app.delete('/:user__uuid', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'removeCollaborator',
      summary: 'Remove a collaborator from a dashboard',
      tags,
      params: CollaboratorParams,
      response: { 204: Type.Null({ description: 'Removed.' }) },
    },
    handler: async ({ caller, params }, reply) => {
      const dashboardId = requireId(params.dashboard_id, 'Dashboard')
      await removeCollaborator(db, caller, { dashboardId, userUuid: params.user__uuid })
      return sendEmpty(reply, 204)
    },
  })
}
