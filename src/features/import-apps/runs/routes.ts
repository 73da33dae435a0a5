import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { sendIfJsonAccepted } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { page, pageSchema } from '#server/http/page.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { getConfigRow } from '../configs/configs.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import { RequestParams } from '../webhooks/schema.ts'
import { testRequest } from '../webhooks/webhooks.ts'
import { listLogs } from './logs/log-store.ts'
import { createRunStreams } from './logs/run-streams.ts'
import { getMetrics } from './metrics/metrics-store.ts'
import {
  cancelRun,
  getRun,
  getRunPreview,
  getSkippedRows,
  listConfigRuns,
  retryRun,
  triggerJob,
} from './runs.ts'
import {
  JobRequest,
  LogEntry,
  LogQuery,
  Metrics,
  Run,
  RunParams,
  RunPreview,
  RunQuery,
} from './schema.ts'
import { toRun } from './store.ts'

const tags = ['Import apps']
const params = PipelineConfigParams

/** Mounted at the same prefix as the routes of configs: jobs, runs, logs and metrics. */
export const runRoutes: FastifyPluginAsyncTypebox<{ db: Db; wakeUps: WakeUps }> = async (
  app,
  deps,
) => {
  const { db } = deps
  const streams = createRunStreams(app, db)

  app.post('/:id/job', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'triggerPipelineConfigJob',
      summary: 'Queue a run of a job',
      description:
        'Without `job`: the only public job, or else the scheduled task or the set-up. The body is empty unless `Accept` names `application/json`.',
      tags,
      params,
      body: JobRequest,
      response: { 200: Run, 409: Conflict },
    },
    handler: async (request, reply) => {
      const configId = requireId(request.params.id)
      const { job, dry_run: isTest } = request.body
      const run = await triggerJob(deps, request.caller, { configId, job, isTest })
      return sendIfJsonAccepted(request, reply, run)
    },
  })

  app.post('/:id/requests/:request_id/test', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'testWebhookRequest',
      summary: 'Queue a test run of a request, which stores nothing',
      tags,
      params: RequestParams,
      response: { 200: Run, 409: Conflict },
    },
    handler: async ({ caller, params: { id, request_id } }) =>
      toRun(
        await testRequest(deps, caller, { id: requireId(id), requestId: requireId(request_id) }),
      ),
  })

  app.get('/:id/runs', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigRuns',
      summary: 'List the runs of an import app config, newest first',
      tags,
      params,
      querystring: RunQuery,
      response: { 200: pageSchema(Run) },
    },
    handler: (request) => {
      const configId = requireId(request.params.id)
      const { projectId } = request.caller
      const { dry_run } = request.query
      return page(request, (range) => listConfigRuns(db, { projectId, configId, dry_run }, range))
    },
  })

  app.get('/:id/runs/:run_id', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigRun',
      summary: 'Get a run',
      tags,
      params: RunParams,
      response: { 200: Run },
    },
    handler: (request) => {
      const { id, run_id } = request.params
      return getRun(db, request.caller.projectId, { configId: requireId(id), runId: run_id })
    },
  })

  app.get('/:id/runs/:run_id/preview', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigRunPreview',
      summary: 'Get the first events of a test run and the rows that a run skipped',
      tags,
      params: RunParams,
      response: { 200: RunPreview },
    },
    handler: (request) => {
      const { id, run_id } = request.params
      return getRunPreview(db, request.caller.projectId, { configId: requireId(id), runId: run_id })
    },
  })

  app.get('/:id/runs/:run_id/skipped', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'downloadPipelineConfigSkippedRows',
      summary: 'Download the rows that a run skipped, with the reasons',
      description: 'CSV with the columns `reason` and `row`; at most 10000 rows.',
      tags,
      params: RunParams,
      response: {
        200: { description: 'CSV.', content: { 'text/csv': { schema: Type.String() } } },
      },
    },
    handler: async (request, reply) => {
      const { id, run_id } = request.params
      const path = { configId: requireId(id), runId: run_id }
      const csv = await getSkippedRows(db, request.caller.projectId, path)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="skipped-rows.csv"')
        .send(csv)
    },
  })

  app.post('/:id/runs/:run_id/cancel', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'cancelPipelineConfigRun',
      summary: 'Cancel a run',
      description:
        'A queued run is `cancelled` at once, an active one as soon as its worker has stopped it.',
      tags,
      params: RunParams,
      response: { 200: Run, 409: Conflict },
    },
    handler: (request) => {
      const { id, run_id } = request.params
      return cancelRun(deps, request.caller, { configId: requireId(id), runId: run_id })
    },
  })

  app.post('/:id/runs/:run_id/retry', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'retryPipelineConfigRun',
      summary: 'Retry a run',
      description: 'Queues a new run of the same job with the same payload.',
      tags,
      params: RunParams,
      response: { 201: Run, 409: Conflict },
    },
    handler: async (request, reply) => {
      const { id, run_id } = request.params
      reply.code(201)
      return retryRun(deps, request.caller, { configId: requireId(id), runId: run_id })
    },
  })

  app.get('/:id/logs', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigLogs',
      summary: 'List the log lines of an import app config, newest first',
      tags,
      params,
      querystring: LogQuery,
      response: { 200: pageSchema(LogEntry) },
    },
    handler: async (request) => {
      const { projectId } = request.caller
      const { id } = await getConfigRow(db, projectId, requireId(request.params.id))
      return page(request, (range) => listLogs(db, id, request.query, range))
    },
  })

  app.get('/:id/live', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'watchPipelineConfig',
      summary: 'Stream runs and log lines as server-sent events',
      description:
        'Events `run` (a run whose state or progress changed) and `log` (a log line) carry the same JSON as the lists. `Last-Event-ID` resumes the log. The stream ends after five minutes; standard clients reconnect.',
      tags,
      params,
      response: {
        200: {
          description: 'Server-sent events.',
          content: { 'text/event-stream': { schema: Type.String() } },
        },
      },
    },
    handler: async (request, reply) => {
      const { projectId } = request.caller
      const { id } = await getConfigRow(db, projectId, requireId(request.params.id))
      return streams.open(request, reply, id)
    },
  })

  app.get('/:id/metrics', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigMetrics',
      summary: 'Count runs and deliveries by hour and by day',
      tags,
      params,
      response: { 200: Metrics },
    },
    handler: async (request) => {
      const { projectId } = request.caller
      const { id } = await getConfigRow(db, projectId, requireId(request.params.id))
      return getMetrics(db, id)
    },
  })
}
