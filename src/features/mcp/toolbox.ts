import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JsonObject } from '#model/json.ts'
import type { Principal } from '#server/access/keys.ts'
import { grantsScope, type Scope } from '#server/access/scopes.ts'
import { findViewerRights, isOpenToViewers } from '#server/access/viewers.ts'
import { toId } from '#server/http/ids.ts'
import type { ApiRoute } from '#server/http/openapi-document.ts'
import { ArgumentError, toApiRequest } from './api-request.ts'
import { dispatch } from './dispatch.ts'
import type { Toolbox } from './protocol.ts'
import { type Tool, toTool } from './tool.ts'
import { type ToolResult, toFailure, toToolResult } from './tool-result.ts'
import { TOOLS } from './tools/index.ts'

export const listTools = (app: FastifyInstance): readonly Tool[] =>
  TOOLS.map((descriptor) => toTool(descriptor, app.getOperation(descriptor.operation)))

/** Opens the tools for one request. The list has those that the key's scopes and the user's level allow; the routes refuse all others. */
export function openToolbox(
  app: FastifyInstance,
  tools: readonly Tool[],
  request: FastifyRequest,
  signal: AbortSignal,
): Toolbox {
  const { principal } = request
  const project = request.headers['x-posthog-project-id']
  const defaultProject = typeof project === 'string' ? project : '@current'

  async function call(tool: Tool, args: JsonObject): Promise<ToolResult> {
    try {
      const apiRequest = toApiRequest(tool, args, defaultProject)
      const response = await dispatch(app, request, apiRequest, signal)
      return toToolResult(response, tool.descriptor.omit)
    } catch (error) {
      if (error instanceof ArgumentError) return toFailure(error.message)
      throw error
    }
  }

  return {
    tools: tools.filter(({ route }) => canUse(principal, route, defaultProject)),
    call(name, args) {
      const tool = tools.find(({ descriptor }) => descriptor.name === name)
      return tool && call(tool, args)
    },
  }
}

/** A call can name another project, in which the caller may have another level. */
function canUse(principal: Principal, { scope, url, viewers }: ApiRoute, project: string): boolean {
  if (scope !== 'key' && !grantsScope(principal.scopes, scope as Scope)) return false
  const projectId = project === '@current' ? principal.currentProject : toId(project)
  const viewer = findViewerRights(principal, url.includes(':project_id') ? projectId : undefined)
  return !viewer || isOpenToViewers(viewer, viewers)
}
