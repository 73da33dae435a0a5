import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound } from '#server/errors.ts'
import { sendJson } from '#server/http/json-text.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import type { Filters, Variables } from './overrides.ts'
import { toAnswerText } from './present.ts'
import { toRefresh } from './refresh.ts'
import type { Found, Results } from './results.ts'
import { QueryAnswer, QueryBody, QueryParams } from './schema.ts'

const tags = ['Queries']

/** Mounted at /api/projects/:project_id/query */
export const queryRoutes: FastifyPluginAsyncTypebox<{ results: Results }> = async (
  app,
  { results },
) => {
  app.post('', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'query',
      summary: "Ask about a project's events",
      description:
        'Waits for the answer unless `refresh` says otherwise; then 202 and a `query_status` to ask again with.',
      tags,
      params: ProjectOnlyParams,
      body: QueryBody,
      response: { 200: QueryAnswer, 202: QueryAnswer },
    },
    handler: async ({ caller, body }, reply) => {
      const filters = body.filters_override ? [body.filters_override as Filters] : []
      const variables = (body.variables_override ?? {}) as Variables
      const asked = { query: body.query, overrides: { filters, variables } }
      const refresh = toRefresh(body.refresh ?? 'blocking')
      const startedAt = new Date().toISOString()
      const [found] = (await results.find(caller.projectId, [asked], refresh)) as [Found]
      if (found.problem) throw found.problem
      const wasKnown = found.row !== undefined && found.row.computed_at < startedAt
      const status = found.row === undefined && found.isRunning ? 202 : 200
      return sendJson(reply, toAnswerText(found, wasKnown), status)
    },
  })

  app.get('/:id', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'getQueryStatus',
      summary: 'Look whether an answer is there',
      tags,
      params: QueryParams,
      response: { 200: QueryAnswer },
    },
    handler: async ({ caller, params }, reply) => {
      const found = await results.findByKey(caller.projectId, params.id)
      if (!found) throw notFound()
      return sendJson(reply, toAnswerText(found, true))
    },
  })
}
