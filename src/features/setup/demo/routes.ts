import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { loadDemo } from './load-demo.ts'
import { removeDemo } from './remove-demo.ts'
import { DemoData, DemoParams } from './schema.ts'

interface DemoRoutesOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly wakeUps: WakeUps
  readonly events: EventStore
}

const WRITE = { scope: 'project:write', adminOnly: true } as const

/** Mounted at /api/projects/:project_id/demo_data */
export const demoRoutes: FastifyPluginAsyncTypebox<DemoRoutesOptions> = async (app, options) => {
  const { db, secrets, wakeUps, events } = options

  app.post('', {
    config: WRITE,
    schema: {
      operationId: 'loadDemoData',
      summary: 'Load demo data',
      description:
        'Adds the import app, starts its import and creates a dashboard. What is already there is kept.',
      tags: ['Projects'],
      params: DemoParams,
      response: { 200: DemoData },
    },
    handler: ({ caller }) => loadDemo({ db, secrets, wakeUps }, caller),
  })

  app.delete('', {
    config: WRITE,
    schema: {
      operationId: 'deleteDemoData',
      summary: 'Remove demo data',
      description:
        'Deletes the import app, its events and persons, and moves the dashboard and its insights to the trash. Does nothing if there is no demo data.',
      tags: ['Projects'],
      params: DemoParams,
      response: { 204: Type.Null({ description: 'Removed.' }), 409: Conflict },
    },
    handler: async ({ caller }, reply) => {
      await removeDemo({ db, events }, caller)
      return sendEmpty(reply, 204)
    },
  })
}
