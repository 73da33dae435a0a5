import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PipelineConfigParams } from '#server/features/import-apps/configs/schema.ts'
import type { ConfigDeps } from '#server/features/import-apps/configs/store.ts'
import { requireId } from '#server/http/ids.ts'
import { getImportDashboard, openImportDashboard } from './import-dashboards.ts'
import { ImportDashboard } from './schema.ts'

const tags = ['Import apps']
const params = PipelineConfigParams

/** Mounted at the same prefix as the routes of configs. */
export const importDashboardRoutes: FastifyPluginAsyncTypebox<ConfigDeps> = async (app, deps) => {
  app.get('/:id/dashboard', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigDashboard',
      summary: 'Get the dashboard for what an import imports',
      tags,
      params,
      response: { 200: ImportDashboard },
    },
    handler: ({ caller, params }) => getImportDashboard(deps, caller, requireId(params.id)),
  })

  app.post('/:id/dashboard', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'createPipelineConfigDashboard',
      summary: 'Create the dashboard for what an import imports',
      description:
        'From the template of the app, with the event that the settings name. 200 if the project has it already.',
      tags,
      params,
      response: { 200: ImportDashboard, 201: ImportDashboard },
    },
    handler: async ({ caller, params }, reply) => {
      const { isNew, dashboard } = await openImportDashboard(deps, caller, requireId(params.id))
      return reply.code(isNew ? 201 : 200).send(dashboard)
    },
  })
}
