import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { requireTime } from '#server/http/times.ts'
import { listActivityLog } from './log-store.ts'
import { ActivityLogQuery, ActivityParams, LoggedActivity } from './schema.ts'

/** Mounted at /api/projects/:project_id */
export const activityRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('/activity_log', {
    config: { scope: 'activity_log:read', unappliedFilters: ['scopes', 'page', 'page_size'] },
    schema: {
      operationId: 'listActivityLog',
      summary: 'List the activity of the project, newest first',
      description:
        'Contains only what the key can read: changes of dashboards need `dashboard:read`, for example.',
      tags: ['Activity'],
      params: ActivityParams,
      querystring: ActivityLogQuery,
      response: { 200: pageSchema(LoggedActivity) },
    },
    handler: (request) => {
      const { limit: _, offset: __, ...query } = request.query
      const filter = {
        ...query,
        after: requireTime('after', query.after),
        before: requireTime('before', query.before),
      }
      const { projectId } = request.caller
      const { scopes } = request.principal
      const reader = { projectId, scopes }
      return page(request, (range) => listActivityLog(db, reader, filter, range))
    },
  })
}
