import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { mayNotBeNull } from '#server/errors.ts'
import { pageItemActivity } from '#server/features/activity/item-activity.ts'
import { Activity } from '#server/features/activity/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { PageQuery, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { PropertyDelete, PropertyUpdate } from '../person-rows/schema.ts'
import { groupPageJson } from './group-page.ts'
import type { GroupDeps } from './group-types.ts'
import {
  createGroup,
  getGroup,
  listGroupPropertyDefinitions,
  listGroupPropertyValues,
  listGroups,
  updateGroup,
} from './groups.ts'
import { toGroupJson } from './representation.ts'
import {
  Group,
  GroupCreate,
  GroupId,
  GroupPage,
  GroupPropertyDefinitions,
  GroupPropertyValues,
  GroupQuery,
  GroupValueQuery,
} from './schema.ts'
import type { GroupRange } from './store.ts'

const tags = ['Groups']
const params = ProjectOnlyParams

/** Mounted at /api/projects/:project_id/groups */
export const groupRoutes: FastifyPluginAsyncTypebox<GroupDeps> = async (app, { db, events }) => {
  const deps = { db, events }

  app.get('', {
    config: { scope: 'group:read' },
    schema: {
      operationId: 'listGroups',
      summary: 'List groups of a type, newest first',
      tags,
      params,
      querystring: GroupQuery,
      response: { 200: GroupPage },
    },
    handler: async (request, reply) => {
      const list = (range: GroupRange) => listGroups(deps, request.caller, request.query, range)
      const page = () => groupPageJson(request, request.query, list)
      return sendJson(reply, await whileAllowed(request, page))
    },
  })

  app.post('', {
    config: { scope: 'group:write' },
    schema: {
      operationId: 'createGroup',
      summary: 'Create a group',
      description: 'Events create types of groups, so the type must exist.',
      tags,
      params,
      body: GroupCreate,
      response: { 201: Group },
    },
    handler: async ({ caller, body }, reply) => {
      const group = await createGroup(deps, caller, body)
      return sendJson(reply, toGroupJson(group), 201)
    },
  })

  app.get('/find', {
    config: { scope: 'group:read' },
    schema: {
      operationId: 'findGroup',
      summary: 'Get a group by its key',
      tags,
      params,
      querystring: GroupId,
      response: { 200: Group },
    },
    handler: async ({ caller, query }, reply) =>
      sendJson(reply, toGroupJson(await getGroup(deps, caller, query))),
  })

  app.post('/update_property', {
    config: { scope: 'group:write' },
    schema: {
      operationId: 'updateGroupProperty',
      summary: 'Set one property of a group',
      tags,
      params,
      querystring: GroupId,
      body: PropertyUpdate,
      response: { 200: Group },
    },
    handler: async ({ caller, query, body: { key, value } }, reply) => {
      if (value === null) throw mayNotBeNull('value')
      const changes = { id: query, set: Object.fromEntries([[key, value]]) }
      return sendJson(reply, toGroupJson(await updateGroup(deps, caller, changes)))
    },
  })

  app.post('/delete_property', {
    config: { scope: 'group:write' },
    schema: {
      operationId: 'deleteGroupProperty',
      summary: 'Delete one property of a group',
      tags,
      params,
      querystring: GroupId,
      body: PropertyDelete,
      response: { 200: Group },
    },
    handler: async ({ caller, query, body }, reply) => {
      const changes = { id: query, unset: [body.$unset] }
      return sendJson(reply, toGroupJson(await updateGroup(deps, caller, changes)))
    },
  })

  app.get('/activity', {
    config: { scope: 'group:read', unappliedFilters: ['page'] },
    schema: {
      operationId: 'listGroupActivity',
      summary: 'List the activity of a group, newest first',
      tags,
      params,
      querystring: Type.Object({ ...GroupId.properties, ...PageQuery.properties }),
      response: { 200: pageSchema(Activity) },
    },
    handler: async (request) => {
      const { index, key } = await getGroup(deps, request.caller, request.query)
      return pageItemActivity(db, request, 'Group', index, key)
    },
  })

  app.get('/property_definitions', {
    config: { scope: 'group:read' },
    schema: {
      operationId: 'listGroupPropertyDefinitions',
      summary: 'List the names of group properties by group type',
      tags,
      params,
      response: { 200: GroupPropertyDefinitions },
    },
    handler: (request) =>
      whileAllowed(request, () => listGroupPropertyDefinitions(deps, request.caller)),
  })

  app.get('/property_values', {
    config: { scope: 'group:read' },
    schema: {
      operationId: 'listGroupPropertyValues',
      summary: 'List the 50 most frequent values of a group property',
      tags,
      params,
      querystring: GroupValueQuery,
      response: { 200: GroupPropertyValues },
    },
    handler: (request) =>
      whileAllowed(request, () => listGroupPropertyValues(deps, request.caller, request.query)),
  })
}
