import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { type LoadDeps, loadDemo } from './load-demo.ts'
import { removeDemo } from './remove-demo.ts'
import { DemoData, DemoParams } from './schema.ts'

const WRITE = { scope: 'project:write', adminOnly: true } as const

/** Mounted at /api/projects/:project_id/demo_data */
export const demoRoutes: FastifyPluginAsyncTypebox<LoadDeps> = async (app, deps) => {
  app.post('', {
    config: WRITE,
    schema: {
      operationId: 'loadDemoData',
      summary: 'Load demo data',
      description:
        'Adds the import app with past runs, starts its import, and creates dashboards, one of them with a public link, an annotation, an alert and a cohort. What is already there is kept.',
      tags: ['Projects'],
      params: DemoParams,
      response: { 200: DemoData },
    },
    handler: ({ caller }) => loadDemo(deps, caller),
  })

  app.delete('', {
    config: WRITE,
    schema: {
      operationId: 'deleteDemoData',
      summary: 'Remove demo data',
      description:
        'Deletes the import app, its events, persons and groups, and the alert, and moves the dashboards, their insights, the annotation and the cohort to the trash. Does nothing if there is no demo data.',
      tags: ['Projects'],
      params: DemoParams,
      response: { 204: Type.Null({ description: 'Removed.' }), 409: Conflict },
    },
    handler: async ({ caller }, reply) => {
      await removeDemo(deps, caller)
      return sendEmpty(reply, 204)
    },
  })
}
