import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import type { Results } from '#server/features/results/results.ts'
import { requireId } from '#server/http/ids.ts'
import type { Pictures } from '#server/pictures/contract.ts'
import { getDashboardRow } from '../dashboards/dashboards.ts'
import { DashboardParams } from '../dashboards/schema.ts'
import { InsightParams } from '../insights/schema.ts'
import { DASHBOARD_FORMATS, exportDashboard } from './dashboard-file.ts'
import { exportInsight, INSIGHT_FORMATS } from './insight-file.ts'
import { type Format, PictureQuery, responseOf } from './schema.ts'
import { sendFile } from './send-file.ts'

interface ExportRoutesOptions {
  readonly db: Db
  readonly results: Results
  readonly pictures: Pictures
}

const tags = ['Exports']
const inName = (format: Format): string => `${format[0]?.toUpperCase()}${format.slice(1)}`

/** Mounted at /api/environments/:project_id */
export const exportRoutes: FastifyPluginAsyncTypebox<ExportRoutesOptions> = async (
  app,
  { db, results, pictures },
) => {
  for (const format of INSIGHT_FORMATS) {
    app.get(`/insights/:id/export.${format}`, {
      config: { scope: 'insight:read' },
      schema: {
        operationId: `exportInsight${inName(format)}`,
        summary: `Read an insight as ${format.toUpperCase()}`,
        description: 'Waits for an answer that is up to date.',
        tags,
        params: InsightParams,
        querystring: PictureQuery,
        response: { 200: responseOf(format) },
      },
      handler: async ({ caller, params, query }, reply) =>
        sendFile(
          reply,
          await exportInsight(db, results, pictures, caller, params.id, format, query),
        ),
    })
  }

  for (const format of DASHBOARD_FORMATS) {
    app.get(`/dashboards/:id/export.${format}`, {
      config: { scope: 'dashboard:read' },
      schema: {
        operationId: `exportDashboard${inName(format)}`,
        summary: `Read a dashboard as ${format.toUpperCase()}`,
        description: 'Waits for answers that are up to date.',
        tags,
        params: DashboardParams,
        querystring: PictureQuery,
        response: { 200: responseOf(format) },
      },
      handler: async ({ caller, params, query }, reply) => {
        const row = await getDashboardRow(db, caller, requireId(params.id))
        return sendFile(reply, await exportDashboard(db, results, pictures, row, format, query))
      },
    })
  }
}
