import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { installFormBody } from '#server/http/form-body.ts'
import { Conflict, TooLarge } from '#server/http/openapi-document.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { type CohortDeps, createCohort, patchCohort } from './cohorts.ts'
import { readCohortForm } from './form.ts'
import { Cohort, CohortCreate, CohortForm, CohortParams, CohortPatch } from './schema.ts'

const tags = ['Cohorts']
const takes = { 'multipart/form-data': { schema: CohortForm } }

/** Create and patch, which accept forms besides JSON: a form can carry a CSV file of members. */
export const cohortFormRoutes: FastifyPluginAsyncTypebox<CohortDeps> = async (app, deps) => {
  await installFormBody(app)

  // before validation, so that the fields of a form follow the same rules as a JSON body
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readCohortForm(request)
  })

  app.post('', {
    config: { scope: 'cohort:write', allowsSlowBody: true },
    schema: {
      operationId: 'createCohort',
      summary: 'Create a cohort',
      description: 'Filters in the request also need the scope `query:read`.',
      tags,
      params: ProjectOnlyParams,
      body: CohortCreate,
      takes,
      response: { 201: Cohort, 413: TooLarge },
    },
    handler: async ({ caller, body }, reply) => {
      reply.code(201)
      return createCohort(deps, caller, body)
    },
  })

  app.patch('/:id', {
    config: { scope: 'cohort:write', allowsSlowBody: true },
    schema: {
      operationId: 'updateCohort',
      summary: 'Update a cohort',
      description:
        'Changes only the fields sent; members of a static cohort are added to those it has. Filters in the request also need the scope `query:read`.',
      tags,
      params: CohortParams,
      body: CohortPatch,
      takes,
      response: { 200: Cohort, 409: Conflict, 413: TooLarge },
    },
    handler: ({ caller, params, body }) => patchCohort(deps, caller, { id: params.id, body }),
  })
}
