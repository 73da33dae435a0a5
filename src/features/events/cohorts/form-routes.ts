import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { toRequester } from '#server/access/requester.ts'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { installFormBody } from '#server/http/form-body.ts'
import { Conflict, TooLarge } from '#server/http/openapi-document.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { createCohort, patchCohort } from './cohorts.ts'
import { readCohortForm } from './form.ts'
import { createCohortFromQuery, type FromQueryDeps } from './from-query.ts'
import { Cohort, CohortCreate, CohortForm, CohortParams, CohortPatch } from './schema.ts'

const tags = ['Cohorts']
const takes = { 'multipart/form-data': { schema: CohortForm } }

/** Creates and patches cohorts from forms besides JSON, because a form can carry a CSV file of members. */
export const cohortFormRoutes: FastifyPluginAsyncTypebox<FromQueryDeps> = async (app, deps) => {
  await installFormBody(app)

  // converted before validation, so that forms follow the same rules as JSON bodies
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readCohortForm(request)
  })

  app.post('', {
    config: { scope: 'cohort:write', allowsSlowBody: true },
    schema: {
      operationId: 'createCohort',
      summary: 'Create a cohort',
      description:
        'Filters in the request also need the scope `query:read`, a query `query:read` and `person:read`.',
      tags,
      params: ProjectOnlyParams,
      body: CohortCreate,
      takes,
      response: { 201: Cohort, 413: TooLarge },
    },
    handler: async (request, reply) => {
      reply.code(201)
      const { caller, body } = request
      const { query } = body
      if (!query) return createCohort(deps, caller, body)
      const access = { requireAccess: () => request.requireAccess('query:read', 'person:read') }
      await access.requireAccess()
      const requester = toRequester(request, reply)
      return whileAllowed(access, (signal) =>
        createCohortFromQuery(deps, caller, { body, query, requester, signal }),
      )
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
