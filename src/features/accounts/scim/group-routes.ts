import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendEmpty } from '#server/http/negotiation.ts'
import { parseFilter } from './filter.ts'
import { readGroup, readGroupPatch } from './group-changes.ts'
import { changeGroup, createGroup, getGroup, removeGroup } from './groups.ts'
import { listGroupMembers, listGroups, type ScimGroupRow } from './groups-store.ts'
import { Gone, read, type ScimRoutesOptions, send, tags, toBase, toRange, write } from './http.ts'
import { parsePatch } from './patch.ts'
import { type Choice, chooseAttributes, leavesOut, toGroupResource, toList } from './resources.ts'
import { BODIES, ScimChoice, ScimList, ScimListQuery, ScimParams, ScimResource } from './schema.ts'

/** Mounted at /scim/v2 */
export const scimGroupRoutes: FastifyPluginAsyncTypebox<ScimRoutesOptions> = async (
  app,
  { db, groupRules, url },
) => {
  const deps = { db, groupRules }

  async function sendGroups(
    request: FastifyRequest,
    rows: readonly ScimGroupRow[],
    choice: Choice,
  ) {
    const ids = leavesOut('members', choice) ? [] : rows.map(({ id }) => id)
    const members = Map.groupBy(await listGroupMembers(db, ids), ({ group_id }) => group_id)
    return rows.map((row) =>
      chooseAttributes(
        toGroupResource(row, members.get(row.id) ?? [], toBase(request, url)),
        choice,
      ),
    )
  }

  async function sendGroup(request: FastifyRequest, reply: FastifyReply, row: ScimGroupRow) {
    const [group] = await sendGroups(request, [row], request.query as Choice)
    return send(reply, group)
  }

  app.get('/Groups', {
    config: read,
    schema: {
      operationId: 'listScimGroups',
      summary: 'List groups',
      description: 'Filters: `displayName eq "..."` and `externalId eq "..."`.',
      tags,
      querystring: ScimListQuery,
      response: { 200: ScimList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const range = toRange(query)
      const filter = parseFilter(query.filter, ['displayName', 'externalId'])
      const { count, results } = await listGroups(db, filter, range)
      const groups = await sendGroups(request, results, query)
      return send(reply, toList({ count, results: groups }, range.offset))
    },
  })

  app.post('/Groups', {
    config: write,
    schema: {
      operationId: 'createScimGroup',
      summary: 'Create a group',
      description: '`HEDGEROW_SIGN_IN_GROUPS` says what its members get.',
      tags,
      nonJsonBody: BODIES.group,
      response: { 201: ScimResource },
    },
    handler: async (request, reply) =>
      sendGroup(request, reply.code(201), await createGroup(deps, readGroup(request.body))),
  })

  app.get('/Groups/:id', {
    config: read,
    schema: {
      operationId: 'getScimGroup',
      summary: 'Get a group',
      tags,
      params: ScimParams,
      querystring: ScimChoice,
      response: { 200: ScimResource },
    },
    handler: async (request, reply) =>
      sendGroup(request, reply, await getGroup(db, request.params.id)),
  })

  app.put('/Groups/:id', {
    config: write,
    schema: {
      operationId: 'replaceScimGroup',
      summary: 'Replace a group and its members',
      tags,
      params: ScimParams,
      nonJsonBody: BODIES.group,
      response: { 200: ScimResource },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      return sendGroup(request, reply, await changeGroup(deps, id, readGroup(request.body)))
    },
  })

  app.patch('/Groups/:id', {
    config: write,
    schema: {
      operationId: 'updateScimGroup',
      summary: 'Change a group or its members',
      tags,
      params: ScimParams,
      nonJsonBody: BODIES.patch,
      response: Gone,
    },
    handler: async (request, reply) => {
      await changeGroup(deps, request.params.id, readGroupPatch(parsePatch(request.body)))
      return sendEmpty(reply, 204)
    },
  })

  app.delete('/Groups/:id', {
    config: write,
    schema: {
      operationId: 'deleteScimGroup',
      summary: 'Delete a group',
      description: 'Its members lose what the group gave them.',
      tags,
      params: ScimParams,
      response: Gone,
    },
    handler: async (request, reply) => {
      await removeGroup(deps, request.params.id)
      return sendEmpty(reply, 204)
    },
  })
}
