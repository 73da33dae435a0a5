import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { mayNotBeNull } from '#server/errors.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { PageQuery, pageJson, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { listCohortsOfPerson } from '../cohorts/persons-of-cohort.ts'
import { PersonCohortQuery, PersonCohorts } from '../cohorts/schema.ts'
import { getPerson } from '../person-rows/find-person.ts'
import { toPersonJson, toPersonsByIdJson } from '../person-rows/representation.ts'
import {
  Person,
  PersonBatch,
  PersonDeleteQuery,
  PersonParams,
  PersonPatch,
  PersonQuery,
  PersonSplit,
  PersonsByDistinctId,
  PropertyDelete,
  PropertyUpdate,
  SplitDone,
} from '../person-rows/schema.ts'
import { findPersonsByDistinctId } from '../person-rows/store.ts'
import { listPersons, type PersonDeps, removePerson, splitPerson, updatePerson } from './persons.ts'

const tags = ['Persons']
const params = PersonParams

/** Mounted at /api/projects/:project_id/persons */
export const personRoutes: FastifyPluginAsyncTypebox<PersonDeps> = async (app, { db, events }) => {
  const deps = { db, events }

  app.get('', {
    config: { scope: 'person:read' },
    schema: {
      operationId: 'listPersons',
      summary: 'List persons, newest first',
      tags,
      params: ProjectOnlyParams,
      querystring: PersonQuery,
      response: { 200: pageSchema(Person) },
    },
    handler: async (request, reply) => {
      const list = (range: PageRange) => listPersons(deps, request.caller, request.query, range)
      return sendJson(reply, await whileAllowed(request, () => pageJson(request, list)))
    },
  })

  app.post('/batch_by_distinct_ids', {
    config: { scope: 'person:read' },
    schema: {
      operationId: 'listPersonsByDistinctId',
      summary: 'Get the persons of distinct IDs',
      tags,
      params: ProjectOnlyParams,
      body: PersonBatch,
      response: { 200: PersonsByDistinctId },
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      const persons = await whileAllowed(request, () =>
        findPersonsByDistinctId(events, caller.projectId, body.distinct_ids),
      )
      return sendJson(reply, toPersonsByIdJson(persons))
    },
  })

  app.get('/cohorts', {
    config: { scope: 'cohort:read' },
    schema: {
      operationId: 'listCohortsOfPerson',
      summary: 'List the cohorts that a person is in',
      tags,
      params: ProjectOnlyParams,
      querystring: PersonCohortQuery,
      response: { 200: PersonCohorts },
    },
    handler: async (request) => ({
      results: await whileAllowed(request, () =>
        listCohortsOfPerson(deps, request.caller, request.query.person_id),
      ),
    }),
  })

  app.get('/:id', {
    config: { scope: 'person:read' },
    schema: {
      operationId: 'getPerson',
      summary: 'Get a person',
      tags,
      params,
      response: { 200: Person },
    },
    handler: async ({ caller, params }, reply) =>
      sendJson(reply, toPersonJson(await getPerson(deps, caller, params.id))),
  })

  app.patch('/:id', {
    config: { scope: 'person:write' },
    schema: {
      operationId: 'updatePerson',
      summary: 'Set properties of a person',
      tags,
      params,
      body: PersonPatch,
      response: { 200: Person },
    },
    handler: async ({ caller, params, body }, reply) => {
      const input = { id: params.id, set: body.properties }
      return sendJson(reply, toPersonJson(await updatePerson(deps, caller, input)))
    },
  })

  app.delete('/:id', {
    config: { scope: 'person:write', adminOnly: true },
    schema: {
      operationId: 'deletePerson',
      summary: 'Delete a person',
      description:
        'Cannot be undone. Without `delete_events` the events stay, and each distinct ID becomes a person again with its next event.',
      tags,
      params,
      querystring: PersonDeleteQuery,
      response: { 204: Type.Null({ description: 'Deleted.' }) },
    },
    handler: async ({ caller, params, query }, reply) => {
      const withEvents = query.delete_events ?? false
      await removePerson(deps, caller, { id: params.id, withEvents })
      return sendEmpty(reply, 204)
    },
  })

  app.post('/:id/update_property', {
    config: { scope: 'person:write' },
    schema: {
      operationId: 'updatePersonProperty',
      summary: 'Set one property of a person',
      tags,
      params,
      body: PropertyUpdate,
      response: { 200: Person },
    },
    handler: async ({ caller, params, body: { key, value } }, reply) => {
      if (value === null) throw mayNotBeNull('value')
      const input = { id: params.id, set: Object.fromEntries([[key, value]]) }
      return sendJson(reply, toPersonJson(await updatePerson(deps, caller, input)))
    },
  })

  app.post('/:id/delete_property', {
    config: { scope: 'person:write' },
    schema: {
      operationId: 'deletePersonProperty',
      summary: 'Delete one property of a person',
      tags,
      params,
      body: PropertyDelete,
      response: { 200: Person },
    },
    handler: async ({ caller, params, body }, reply) => {
      const input = { id: params.id, unset: [body.$unset] }
      return sendJson(reply, toPersonJson(await updatePerson(deps, caller, input)))
    },
  })

  app.post('/:id/split', {
    config: { scope: 'person:write' },
    schema: {
      operationId: 'splitPerson',
      summary: 'Split a person',
      description: 'Moves each distinct ID but one, with its events, to a new person.',
      tags,
      params,
      body: PersonSplit,
      response: { 201: SplitDone },
    },
    handler: async ({ caller, params, body }, reply) => {
      await splitPerson(deps, caller, { id: params.id, mainDistinctId: body.main_distinct_id })
      return reply.code(201).send({ success: true })
    },
  })

  app.get('/:id/activity', {
    config: { scope: 'person:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listPersonActivity',
      summary: 'List the activity of a person, newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { number } = await getPerson(deps, request.caller, request.params.id)
      return pageItemActivity(db, request, 'Person', number)
    },
  })
}
