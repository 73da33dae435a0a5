import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { toRequester } from '#server/access/requester.ts'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { requireId } from '#server/http/ids.ts'
import { findVisibleMarks } from '../annotations/marks.ts'
import { getDashboardRow } from '../dashboards/dashboards.ts'
import { DashboardParams } from '../dashboards/schema.ts'
import { InsightParams } from '../insights/schema.ts'
import type { TileRow } from '../tiles/store.ts'
import { DASHBOARD_FORMATS, exportDashboard, listExportedTiles } from './dashboard-file.ts'
import { createExportSlots } from './export-slots.ts'
import { type ExportDeps, exportInsight, INSIGHT_FORMATS } from './insight-file.ts'
import { type FileFormat, PictureQuery, toResponseSchema } from './schema.ts'
import { sendFile } from './send-file.ts'

const tags = ['Exports']
const capitalize = (format: FileFormat): string => `${format[0]?.toUpperCase()}${format.slice(1)}`

/** Mounted at /api/environments/:project_id */
export const exportRoutes: FastifyPluginAsyncTypebox<ExportDeps> = async (
  app,
  { db, results, pictures },
) => {
  const deps = { db, results, pictures }
  const inSlot = createExportSlots()

  for (const format of INSIGHT_FORMATS) {
    app.get(`/insights/:id/export.${format}`, {
      config: { scope: 'insight:read', viewers: 'if exports are allowed' },
      schema: {
        operationId: `exportInsight${capitalize(format)}`,
        summary: `Export an insight as ${format.toUpperCase()}`,
        description: 'Waits for a fresh result.',
        tags,
        params: InsightParams,
        querystring: PictureQuery,
        response: { 200: toResponseSchema(format) },
      },
      handler: async (request, reply) => {
        const { caller, params, query: picture } = request
        const requester = toRequester(request, reply)
        const options = { idOrShortId: params.id, format, picture, requester }
        const file = await whileAllowed(request, (signal) =>
          inSlot(caller, requester, () => exportInsight(deps, caller, { ...options, signal })),
        )
        return sendFile(reply, file)
      },
    })
  }

  for (const format of DASHBOARD_FORMATS) {
    app.get(`/dashboards/:id/export.${format}`, {
      config: { scope: 'dashboard:read', viewers: 'if exports are allowed' },
      schema: {
        operationId: `exportDashboard${capitalize(format)}`,
        summary: `Export a dashboard as ${format.toUpperCase()}`,
        description: 'Waits for fresh results.',
        tags,
        params: DashboardParams,
        querystring: PictureQuery,
        response: { 200: toResponseSchema(format) },
      },
      handler: async (request, reply) => {
        const { caller, params, query: picture } = request
        const requester = toRequester(request, reply)
        const row = await getDashboardRow(db, caller, requireId(params.id))
        const marksOf = await findVisibleMarks(db, caller)
        const toMarks = ({ insight_id }: TileRow) =>
          marksOf({ dashboardId: row.id, insightId: insight_id })
        const options = { format, picture, requester, toMarks }
        const file = await whileAllowed(request, (signal) =>
          inSlot(caller, requester, async () =>
            exportDashboard(deps, await listExportedTiles(db, row), { ...options, signal }),
          ),
        )
        return sendFile(reply, file)
      },
    })
  }
}
