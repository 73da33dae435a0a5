import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { pageJson, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import {
  DashboardTemplate,
  TemplateCreate,
  TemplateJson,
  TemplateJsonSchema,
  TemplateParams,
  TemplatePatch,
  TemplateQuery,
} from './schema.ts'
import { createTemplate, getTemplate, listTemplates, patchTemplate } from './templates.ts'

const tags = ['Dashboard templates']

/** Mounted at /api/projects/:project_id/dashboard_templates */
export const templateRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'dashboard_template:read', unappliedFilters: ['is_featured', 'ordering'] },
    schema: {
      operationId: 'listDashboardTemplates',
      summary: 'List dashboard templates',
      description: "Built-in templates first, then the project's own by name.",
      tags,
      params: ProjectOnlyParams,
      querystring: TemplateQuery,
      response: { 200: pageSchema(DashboardTemplate) },
    },
    handler: async (request, reply) => {
      const list = (range: PageRange) => listTemplates(db, request.caller, request.query, range)
      return sendJson(reply, await pageJson(request, list))
    },
  })

  app.post('', {
    config: { scope: 'dashboard_template:write', adminOnly: true },
    schema: {
      operationId: 'createDashboardTemplate',
      summary: 'Create a dashboard template',
      description:
        'From the tiles sent, or from a dashboard. A query in the request also needs the scope `query:read`.',
      tags,
      params: ProjectOnlyParams,
      body: TemplateCreate,
      response: { 201: DashboardTemplate },
    },
    handler: async ({ caller, body }, reply) =>
      sendJson(reply, await createTemplate(db, caller, body), 201),
  })

  app.get('/json_schema', {
    config: { scope: 'dashboard_template:read' },
    schema: {
      operationId: 'getDashboardTemplateJsonSchema',
      summary: 'Get the JSON schema of `create_from_template_json`',
      tags,
      params: ProjectOnlyParams,
      response: { 200: TemplateJsonSchema },
    },
    handler: (_request, reply) => reply.header('cache-control', 'max-age=120').send(TemplateJson),
  })

  app.get('/:id', {
    config: { scope: 'dashboard_template:read' },
    schema: {
      operationId: 'getDashboardTemplate',
      summary: 'Get a dashboard template',
      description: 'Also returns a template in the trash.',
      tags,
      params: TemplateParams,
      response: { 200: DashboardTemplate },
    },
    handler: async ({ caller, params }, reply) =>
      sendJson(reply, await getTemplate(db, caller, params.id)),
  })

  app.patch('/:id', {
    config: { scope: 'dashboard_template:write', adminOnly: true },
    schema: {
      operationId: 'updateDashboardTemplate',
      summary: 'Update a dashboard template',
      description: 'Changes only the fields sent. Dashboards created from it stay as they are.',
      tags,
      params: TemplateParams,
      body: TemplatePatch,
      response: { 200: DashboardTemplate },
    },
    handler: async ({ caller, params, body }, reply) =>
      sendJson(reply, await patchTemplate(db, caller, { id: params.id, body })),
  })

  app.delete(
    '/:id',
    refusedDelete({
      scope: 'dashboard_template:write',
      operationId: 'deleteDashboardTemplate',
      tags,
      params: TemplateParams,
    }),
  )
}
