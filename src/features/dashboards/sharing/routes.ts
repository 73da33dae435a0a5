import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '../../../db/schema.ts'
import { requireId } from '../../../http/ids.ts'
import type { Pictures } from '../../../pictures/contract.ts'
import { exportDashboard } from '../../exports/dashboard-file.ts'
import { LookQuery } from '../../exports/schema.ts'
import { sendFile } from '../../exports/send-file.ts'
import type { Results } from '../../results/results.ts'
import { SharedDashboard, Sharing, SharingParams, SharingPatch } from './schema.ts'
import { getShared, readShared } from './shared-dashboard.ts'
import { getSharing, patchSharing, refreshSharing } from './sharing.ts'

interface SharedRoutesOptions {
  readonly db: Db
  readonly results: Results
  readonly pictures: Pictures
}

const tags = ['Sharing']

/** Mounted below a dashboard, at /:dashboard_id/sharing */
export const sharingRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'sharing_configuration:read' },
    schema: {
      operationId: 'getSharing',
      summary: "Read a dashboard's sharing configuration",
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
      summary: 'Switch the public link on or off',
      tags,
      params: SharingParams,
      body: SharingPatch,
      response: { 200: Sharing },
    },
    handler: ({ caller, params, body }) =>
      patchSharing(db, caller, requireId(params.dashboard_id, 'Dashboard'), body),
  })

  app.post('/refresh', {
    config: { scope: 'sharing_configuration:write' },
    schema: {
      operationId: 'refreshSharing',
      summary: 'Replace the public link',
      description: 'The old one works for five more minutes.',
      tags,
      params: SharingParams,
      response: { 200: Sharing },
    },
    handler: ({ caller, params }) =>
      refreshSharing(db, caller, requireId(params.dashboard_id, 'Dashboard')),
  })
}

/** Mounted at /shared: no key, the token in the address is the right to read. */
export const sharedRoutes: FastifyPluginAsyncTypebox<SharedRoutesOptions> = async (
  app,
  { db, results, pictures },
) => {
  app.get('/:file', {
    config: { scope: 'public' },
    schema: {
      operationId: 'getSharedDashboard',
      summary: 'Read a shared dashboard as `/shared/<access token>.json`',
      description: 'Or as `.csv`, `.png` or `.pdf`.',
      tags,
      params: Type.Object({ file: Type.String({ description: '`<access token>.json`' }) }),
      querystring: LookQuery,
      response: { 200: SharedDashboard },
    },
    handler: async ({ params, query }, reply) => {
      reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
      const { row, format } = await getShared(db, params.file)
      if (format === 'json') return readShared(db, results, row)
      return sendFile(reply, await exportDashboard(db, results, pictures, row, format, query))
    },
  })
}
