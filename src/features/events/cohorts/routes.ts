import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { refusedDelete } from '#server/access/refused-delete.ts'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageJson, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { Person, PersonQuery } from '../person-rows/schema.ts'
import { countUnsaved, getCohort, getCohortRow, listCohorts } from './cohorts.ts'
import { cohortFormRoutes } from './form-routes.ts'
import type { FromQueryDeps } from './from-query.ts'
import { listCohortPersons } from './persons-of-cohort.ts'
import {
  Cohort,
  CohortCount,
  CohortParams,
  CohortQuery,
  CountedPersons,
  MemberAddition,
  MemberRemoval,
} from './schema.ts'
import { addCohortMembers, removeCohortMember } from './static-members.ts'

const tags = ['Cohorts']
const params = CohortParams

/** Mounted at /api/projects/:project_id/cohorts */
export const cohortRoutes: FastifyPluginAsyncTypebox<FromQueryDeps> = async (
  app,
  { db, events, findQueryMembers },
) => {
  const deps = { db, events }
  await app.register(cohortFormRoutes, { ...deps, findQueryMembers })

  app.get('', {
    config: {
      scope: 'cohort:read',
      unappliedFilters: ['type', 'created_by_id', 'hide_behavioral_cohorts'],
    },
    schema: {
      operationId: 'listCohorts',
      summary: 'List cohorts, newest first',
      tags,
      params: ProjectOnlyParams,
      querystring: CohortQuery,
      response: { 200: pageSchema(Cohort) },
    },
    handler: (request) =>
      whileAllowed(request, () =>
        page(request, (range) => listCohorts(deps, request.caller, request.query, range)),
      ),
  })

  app.post('/count', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'countCohortPersons',
      summary: 'Count the persons who match conditions, before a cohort is saved',
      tags,
      params: ProjectOnlyParams,
      body: CohortCount,
      response: { 200: CountedPersons },
    },
    handler: (request) =>
      whileAllowed(request, () => countUnsaved(deps, request.caller, request.body.filters)),
  })

  app.get('/:id', {
    config: { scope: 'cohort:read' },
    schema: {
      operationId: 'getCohort',
      summary: 'Get a cohort',
      description: 'Also returns a cohort in the trash.',
      tags,
      params,
      response: { 200: Cohort },
    },
    handler: (request) =>
      whileAllowed(request, () => getCohort(deps, request.caller, request.params.id)),
  })

  app.delete(
    '/:id',
    refusedDelete({ scope: 'cohort:write', operationId: 'deleteCohort', tags, params }),
  )

  app.get('/:id/persons', {
    config: { scope: 'person:read' },
    schema: {
      operationId: 'listCohortPersons',
      summary: 'List the persons of a cohort, newest first',
      tags,
      params,
      querystring: Type.Omit(PersonQuery, ['cohort']),
      response: { 200: pageSchema(Person) },
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const list = (range: PageRange) =>
        listCohortPersons(deps, caller, { id: params.id, query }, range)
      return sendJson(reply, await whileAllowed(request, () => pageJson(request, list)))
    },
  })

  app.patch('/:id/add_persons_to_static_cohort', {
    config: { scope: 'cohort:write' },
    schema: {
      operationId: 'addPersonsToStaticCohort',
      summary: 'Add persons to a static cohort',
      tags,
      params,
      body: MemberAddition,
      response: { 200: Cohort, 409: Conflict },
    },
    handler: ({ caller, params, body }) => addCohortMembers(deps, caller, { id: params.id, body }),
  })

  app.patch('/:id/remove_person_from_static_cohort', {
    config: { scope: 'cohort:write' },
    schema: {
      operationId: 'removePersonFromStaticCohort',
      summary: 'Remove a person from a static cohort',
      tags,
      params,
      body: MemberRemoval,
      response: { 200: Cohort, 409: Conflict },
    },
    handler: ({ caller, params, body }) =>
      removeCohortMember(deps, caller, { id: params.id, personId: body.person_id }),
  })

  app.get('/:id/activity', {
    config: { scope: 'cohort:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listCohortActivity',
      summary: 'List the activity of a cohort, newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { id } = await getCohortRow(db, request.caller, request.params.id)
      return pageItemActivity(db, request, 'Cohort', id)
    },
  })
}
