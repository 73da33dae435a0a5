import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Filters } from '#model/dashboard-filters.ts'
import { toRequester } from '#server/access/requester.ts'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { notFound } from '#server/errors.ts'
import { sendJson } from '#server/http/json-text.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { toRefreshPolicy } from './cache/refresh.ts'
import { compileSchemas } from './check/compile-schemas.ts'
import { requireKnownFilters, type Variables } from './check/overrides.ts'
import { prepareQueries } from './check/prepare-queries.ts'
import { explainQuery } from './explain/explain.ts'
import { ExplainBody, Explanation } from './explain/schema.ts'
import { toResultText } from './representation.ts'
import type { QueryResult, Results } from './results.ts'
import { isRowQuery, listRows } from './rows/list-rows.ts'
import { listActorOptions } from './rows/options.ts'
import { hasKind } from './rows/parse-source.ts'
import type { RowDeps } from './rows/run-source.ts'
import { QueryBody, QueryParams, QueryResponse } from './schema.ts'

const tags = ['Queries']

/** Mounted at /api/projects/:project_id/query */
export const queryRoutes: FastifyPluginAsyncTypebox<RowDeps & { results: Results }> = async (
  app,
  { results, db, events, querySlots },
) => {
  app.post('', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'runQuery',
      summary: "Query a project's events",
      description:
        'Waits for the result unless `refresh` says otherwise; if there is none yet, responds 202 with a `query_status` whose `id` can be polled.',
      tags,
      params: ProjectOnlyParams,
      body: QueryBody,
      response: { 200: QueryResponse, 202: QueryResponse },
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      const filters = body.filters_override ? [body.filters_override as Filters] : []
      if (body.filters_override) requireKnownFilters(body.filters_override, 'filters_override')
      const variables = (body.variables_override ?? {}) as Variables
      const query = { query: body.query, overrides: { filters, variables } }
      const requester = toRequester(request, reply)
      if (isRowQuery(body.query)) {
        const access = { requireAccess: () => request.requireAccess('person:read') }
        await access.requireAccess()
        await compileSchemas([body.query])
        const run = (signal: AbortSignal) =>
          listRows({ db, events, querySlots }, caller, { ...query, requester, signal })
        return sendJson(reply, await whileAllowed(access, run))
      }
      if (hasKind('InsightActorsQueryOptions', body.query)) {
        const policy = toRefreshPolicy('blocking', requester)
        const run = () => listActorOptions(results, caller, { ...query, policy })
        return sendJson(reply, await whileAllowed(request, run))
      }
      const policy = toRefreshPolicy(body.refresh ?? 'blocking', requester)
      const startedAt = new Date().toISOString()
      const queries = await prepareQueries([query])
      const [result] = (await whileAllowed(request, () =>
        results.find(caller.projectId, queries, policy),
      )) as [QueryResult]
      if (result.problem) throw result.problem
      const isCached = result.row !== undefined && result.row.computed_at < startedAt
      const status = result.row === undefined && result.isRunning ? 202 : 200
      return sendJson(reply, toResultText(result, isCached), status)
    },
  })

  app.post('/explain', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'explainQuery',
      summary: 'Explain SQL',
      description:
        'Runs a HogQLQuery twice and says in words how many rows it reads and what takes the time. Not for events in ClickHouse.',
      tags,
      params: ProjectOnlyParams,
      body: ExplainBody,
      response: { 200: Explanation },
    },
    handler: async (request, reply) => {
      const { query } = request.body
      const requester = toRequester(request, reply)
      await compileSchemas([query])
      return whileAllowed(request, (signal) =>
        explainQuery({ db, events, querySlots }, request.caller, { query, requester, signal }),
      )
    },
  })

  app.get('/:id', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'getQueryStatus',
      summary: 'Get the status or result of a query',
      tags,
      params: QueryParams,
      response: { 200: QueryResponse },
    },
    handler: async ({ caller, params }, reply) => {
      const result = await results.findByKey(caller.projectId, params.id)
      if (!result) throw notFound()
      return sendJson(reply, toResultText(result, true))
    },
  })
}
