import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { OrganizationParams } from '../accounts/projects/schema.ts'
import { getScheduledBackups } from './backups.ts'
import { type BackupSchedule, ScheduledBackups } from './schema.ts'

export interface BackupRoutesOptions {
  readonly db: Db
  readonly schedule: BackupSchedule | undefined
}

/** Mounted at /api/organizations/:organization_id/backups */
export const backupRoutes: FastifyPluginAsyncTypebox<BackupRoutesOptions> = async (
  app,
  { db, schedule },
) => {
  app.get('', {
    config: { scope: 'organization:write', adminOnly: true },
    schema: {
      operationId: 'getScheduledBackups',
      summary: 'Get the state of the scheduled backups',
      tags: ['Members'],
      params: OrganizationParams,
      response: { 200: ScheduledBackups },
    },
    handler: () => getScheduledBackups(db, schedule),
  })
}
