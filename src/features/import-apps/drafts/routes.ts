import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { Egress } from '#server/egress/egress.ts'
import { invalid } from '#server/errors.ts'
import { OrganizationParams } from '#server/features/accounts/projects/schema.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { fetchResponse } from './fetch-response.ts'
import { type DraftDeps, runDraft } from './run-draft.ts'
import { DraftOutcome, DraftRequest, DraftResponse, DraftTest } from './schema.ts'

const tags = ['Plugins']
const params = OrganizationParams
/** The rights to install an app, whose code can do the same. */
const config = { scope: 'plugin:write', adminOnly: true } as const

interface Options extends DraftDeps {
  readonly egress: Egress
}

/** Mounted at /api/organizations/:organization_id/plugin_drafts: apps that are not installed yet. */
export const draftRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { runtime, converter, egress },
) => {
  app.post('/fetch', {
    config,
    schema: {
      operationId: 'fetchForPluginDraft',
      summary: 'Fetch a response of an API',
      description:
        'To see what a connector would read: one GET, by the same rules as the requests of an app. The key is masked in the response.',
      tags,
      params,
      body: DraftRequest,
      response: { 200: DraftResponse },
    },
    handler: (request) =>
      whileAllowed(request, (signal) => fetchResponse(egress, request.body, signal)),
  })

  app.post('/test', {
    config,
    schema: {
      operationId: 'testPluginDraft',
      summary: 'Test an app that is not installed',
      description:
        'Compiles the files, runs the app once in the sandbox with these settings, and returns its first events. Nothing is stored.',
      tags,
      params,
      body: DraftTest,
      response: { 200: DraftOutcome },
    },
    handler: (request) =>
      whileAllowed(request, (signal) =>
        runDraft({ runtime, converter }, request.body, signal),
      ).catch((error) => {
        throw error instanceof AppProblem ? invalid('files', error.message) : error
      }),
  })
}
