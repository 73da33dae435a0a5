import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import { grantsScope } from '#server/access/scopes.ts'
import type { Db } from '#server/db/schema.ts'
import { forbidden } from '#server/errors.ts'
import { page, pageOf } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { listTemplates } from './list.ts'
import {
  DashboardTemplate,
  TemplateCreate,
  TemplateJson,
  TemplateJsonSchema,
  TemplateParams,
  TemplatePatch,
  TemplateQuery,
} from './schema.ts'
import { createTemplate, getTemplate, patchTemplate } from './templates.ts'

const tags = ['Dashboard templates']

/** Mounted at /api/projects/:project_id/dashboard_templates */
export const templateRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'dashboard_template:read' },
    schema: {
      operationId: 'listDashboardTemplates',
      summary: 'List dashboard templates',
      description: "The built-in ones first, then the project's own by name.",
      tags,
      params: ProjectOnlyParams,
      querystring: TemplateQuery,
      response: { 200: pageOf(DashboardTemplate) },
    },
    handler: (request) =>
      page(request, (window) => listTemplates(db, request.caller.projectId, request.query, window)),
  })

  app.post('', {
    config: { scope: 'dashboard_template:write', adminOnly: true },
    schema: {
      operationId: 'createDashboardTemplate',
      summary: 'Make a dashboard template',
      description: 'From tiles as they are sent, or from a dashboard as it is.',
      tags,
      params: ProjectOnlyParams,
      body: TemplateCreate,
      response: { 201: DashboardTemplate },
    },
    handler: async ({ caller, principal, body }, reply) => {
      // or a key for templates would read dashboards
      if (body.from_dashboard !== undefined && !grantsScope(principal.scopes, 'dashboard:read')) {
        throw forbidden("API key missing required scope 'dashboard:read'")
      }
      reply.code(201)
      return createTemplate(db, caller, body)
    },
  })

  app.get('/json_schema', {
    config: { scope: 'dashboard_template:read' },
    schema: {
      operationId: 'getDashboardTemplateJsonSchema',
      summary: 'Read what `create_from_template_json` takes',
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
      summary: 'Read a dashboard template',
      description: 'Also one that is in the trash.',
      tags,
      params: TemplateParams,
      response: { 200: DashboardTemplate },
    },
    handler: ({ caller, params }) => getTemplate(db, caller, params.id),
  })

  app.patch('/:id', {
    config: { scope: 'dashboard_template:write', adminOnly: true },
    schema: {
      operationId: 'updateDashboardTemplate',
      summary: 'Change a dashboard template',
      description: 'Only what is sent changes. Dashboards that were made from it stay as they are.',
      tags,
      params: TemplateParams,
      body: TemplatePatch,
      response: { 200: DashboardTemplate },
    },
    handler: ({ caller, params, body }) => patchTemplate(db, caller, params.id, body),
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
