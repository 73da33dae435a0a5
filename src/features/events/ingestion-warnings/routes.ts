import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { WarningSummaries } from './schema.ts'
import { listWarnings } from './store.ts'

/** Mounted at /api/projects/:project_id/ingestion_warnings */
export const ingestionWarningRoutes: FastifyPluginAsyncTypebox<{ events: EventStore }> = async (
  app,
  { events },
) => {
  app.get('', {
    config: { scope: 'query:read', unappliedFilters: ['q', 'timeframe'] },
    schema: {
      operationId: 'listIngestionWarnings',
      summary: 'List ingestion warnings of the last 30 days',
      description:
        'Merges of persons, types of groups, and properties of both that were refused in the last 30 days, by type.',
      tags: ['Events'],
      params: ProjectOnlyParams,
      response: { 200: WarningSummaries },
    },
    handler: async (request) => ({
      results: await whileAllowed(request, () => listWarnings(events, request.caller.projectId)),
    }),
  })
}
