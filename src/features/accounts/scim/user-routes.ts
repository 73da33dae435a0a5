import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Gone, read, type ScimRoutesOptions, send, tags, toBase, toRange, write } from './http.ts'
import { parsePatch } from './patch.ts'
import { chooseAttributes, toList, toUserResource } from './resources.ts'
import { BODIES, ScimChoice, ScimList, ScimListQuery, ScimParams, ScimResource } from './schema.ts'
import { readUser, readUserPatch } from './user-changes.ts'
import { changeScimUser, createScimUser, getScimUser, listUsers, removeScimUser } from './users.ts'

/** Mounted at /scim/v2 */
export const scimUserRoutes: FastifyPluginAsyncTypebox<ScimRoutesOptions> = async (
  app,
  { db, groupRules, url },
) => {
  const deps = { db, groupRules }

  app.get('/Users', {
    config: read,
    schema: {
      operationId: 'listScimUsers',
      summary: 'List users',
      description: 'Filters: `userName eq "..."` and `externalId eq "..."`.',
      tags,
      querystring: ScimListQuery,
      response: { 200: ScimList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const range = toRange(query)
      const { count, results } = await listUsers(deps, query.filter, range)
      const users = results.map((user) =>
        chooseAttributes(toUserResource(user, toBase(request, url)), query),
      )
      return send(reply, toList({ count, results: users }, range.offset))
    },
  })

  app.post('/Users', {
    config: write,
    schema: {
      operationId: 'createScimUser',
      summary: 'Create a user',
      tags,
      nonJsonBody: BODIES.user,
      response: { 201: ScimResource },
    },
    handler: async (request, reply) => {
      const user = await createScimUser(deps, readUser(request.body))
      return send(reply.code(201), toUserResource(user, toBase(request, url)))
    },
  })

  app.get('/Users/:id', {
    config: read,
    schema: {
      operationId: 'getScimUser',
      summary: 'Get a user',
      tags,
      params: ScimParams,
      querystring: ScimChoice,
      response: { 200: ScimResource },
    },
    handler: async (request, reply) => {
      const user = toUserResource(await getScimUser(db, request.params.id), toBase(request, url))
      return send(reply, chooseAttributes(user, request.query))
    },
  })

  app.put('/Users/:id', {
    config: write,
    schema: {
      operationId: 'replaceScimUser',
      summary: 'Replace a user',
      description: 'Clears what is missing, except `active`.',
      tags,
      params: ScimParams,
      nonJsonBody: BODIES.user,
      response: { 200: ScimResource },
    },
    handler: async (request, reply) => {
      const user = await changeScimUser(deps, request.params.id, readUser(request.body))
      return send(reply, toUserResource(user, toBase(request, url)))
    },
  })

  app.patch('/Users/:id', {
    config: write,
    schema: {
      operationId: 'updateScimUser',
      summary: 'Change, deactivate or activate a user',
      description:
        'Deactivating deletes keys, sessions, memberships and invites; work stays. The last owner cannot be deactivated.',
      tags,
      params: ScimParams,
      nonJsonBody: BODIES.patch,
      response: { 200: ScimResource },
    },
    handler: async (request, reply) => {
      const changes = readUserPatch(parsePatch(request.body))
      const user = await changeScimUser(deps, request.params.id, changes)
      return send(reply, toUserResource(user, toBase(request, url)))
    },
  })

  app.delete('/Users/:id', {
    config: write,
    schema: {
      operationId: 'deleteScimUser',
      summary: 'Remove a user from the organization',
      tags,
      params: ScimParams,
      response: Gone,
    },
    handler: async (request, reply) => {
      await removeScimUser(deps, request.params.id)
      return sendEmpty(reply, 204)
    },
  })
}
