import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { Sharing, SharingParams, SharingPatch } from './schema.ts'
import { getSharing, patchSharing, refreshSharing } from './sharing.ts'

const tags = ['Sharing']

/** Mounted below a dashboard, at /:dashboard_id/sharing */
export const sharingRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'sharing_configuration:read' },
    schema: {
      operationId: 'getSharing',
      summary: "Get a dashboard's sharing configuration",
      tags,
      params: SharingParams,
      response: { 200: Sharing },
    },
    handler: ({ caller, params }) =>
      getSharing(db, caller, requireId(params.dashboard_id, 'Dashboard')),
  })

  app.patch('', {
    config: { scope: 'sharing_configuration:write' },
    schema: {
      operationId: 'updateSharing',
      summary: 'Enable or disable the public link',
      tags,
      params: SharingParams,
      body: SharingPatch,
      response: { 200: Sharing },
    },
    handler: ({ caller, params, body }) =>
      patchSharing(db, caller, {
        dashboardId: requireId(params.dashboard_id, 'Dashboard'),
        body,
      }),
  })

  app.post('/refresh', {
    config: { scope: 'sharing_configuration:write' },
    schema: {
      operationId: 'refreshSharing',
      summary: 'Replace the public link',
      description: 'The old link works for five more minutes.',
      tags,
      params: SharingParams,
      response: { 200: Sharing },
    },
    handler: ({ caller, params }) =>
      refreshSharing(db, caller, requireId(params.dashboard_id, 'Dashboard')),
  })
}
