import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { type GroupDeps, listGroupTypes, updateGroupTypes } from './group-types.ts'
import { GroupTypes, GroupTypesUpdate } from './schema.ts'

const tags = ['Groups']
const params = ProjectOnlyParams

/** Mounted at /api/projects/:project_id/groups_types */
export const groupTypeRoutes: FastifyPluginAsyncTypebox<GroupDeps> = async (
  app,
  { db, events },
) => {
  const deps = { db, events }

  app.get('', {
    config: { scope: 'group:read' },
    schema: {
      operationId: 'listGroupTypes',
      summary: 'List the types of groups',
      description: 'Events create them: a project has up to five.',
      tags,
      params,
      response: { 200: GroupTypes },
    },
    handler: ({ caller }) => listGroupTypes(deps, caller),
  })

  app.patch('/update_metadata', {
    config: { scope: 'group:write' },
    schema: {
      operationId: 'updateGroupTypes',
      summary: 'Name types of groups',
      tags,
      params,
      body: GroupTypesUpdate,
      response: { 200: GroupTypes },
    },
    handler: ({ caller, body }) => updateGroupTypes(deps, caller, body),
  })
}
