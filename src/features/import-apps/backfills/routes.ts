import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import {
  type BackfillPath,
  cancelBackfill,
  createBackfill,
  getBackfill,
  listConfigBackfills,
  pauseBackfill,
  resumeBackfill,
} from './backfills.ts'
import { Backfill, BackfillCreate, BackfillParams } from './schema.ts'

const tags = ['Import apps']

const toPath = ({ id, backfill_id }: Static<typeof BackfillParams>): BackfillPath => ({
  configId: requireId(id),
  backfillId: backfill_id,
})

/** Mounted at the same prefix as the routes of configs. */
export const backfillRoutes: FastifyPluginAsyncTypebox<{ db: Db; wakeUps: WakeUps }> = async (
  app,
  deps,
) => {
  const { db } = deps

  app.post('/:id/backfill', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'createPipelineConfigBackfill',
      summary: 'Import the past in windows',
      description:
        'Each window is a run, one after the other from the oldest on, between the scheduled runs. The cursor of the import is not touched. 409 if the app has no `runBackfill`, or if an unfinished backfill overlaps.',
      tags,
      params: PipelineConfigParams,
      body: BackfillCreate,
      response: { 201: Backfill, 409: Conflict },
    },
    handler: async ({ caller, params, body }, reply) => {
      const backfill = await createBackfill(deps, caller, requireId(params.id), body)
      reply.code(201)
      return backfill
    },
  })

  app.get('/:id/backfills', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigBackfills',
      summary: 'List the backfills of an import app config, newest first',
      tags,
      params: PipelineConfigParams,
      querystring: PageQuery,
      response: { 200: pageSchema(Backfill) },
    },
    handler: (request) => {
      const config = {
        projectId: request.caller.projectId,
        configId: requireId(request.params.id),
      }
      return page(request, (range) => listConfigBackfills(db, config, range))
    },
  })

  app.get('/:id/backfills/:backfill_id', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigBackfill',
      summary: 'Get a backfill',
      tags,
      params: BackfillParams,
      response: { 200: Backfill },
    },
    handler: ({ caller, params }) => getBackfill(db, caller.projectId, toPath(params)),
  })

  app.post('/:id/backfills/:backfill_id/pause', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'pausePipelineConfigBackfill',
      summary: 'Pause a backfill',
      description: 'An active window finishes; no other starts.',
      tags,
      params: BackfillParams,
      response: { 200: Backfill, 409: Conflict },
    },
    handler: ({ caller, params }) => pauseBackfill(deps, caller, toPath(params)),
  })

  app.post('/:id/backfills/:backfill_id/resume', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'resumePipelineConfigBackfill',
      summary: 'Resume a backfill that is paused or has failed',
      description: 'Continues with the first window that is not finished.',
      tags,
      params: BackfillParams,
      response: { 200: Backfill, 409: Conflict },
    },
    handler: ({ caller, params }) => resumeBackfill(deps, caller, toPath(params)),
  })

  app.post('/:id/backfills/:backfill_id/cancel', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'cancelPipelineConfigBackfill',
      summary: 'Cancel a backfill',
      description: 'Stops its active window. The events that it has captured stay.',
      tags,
      params: BackfillParams,
      response: { 200: Backfill, 409: Conflict },
    },
    handler: ({ caller, params }) => cancelBackfill(deps, caller, toPath(params)),
  })
}
