import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '../../db/schema.ts'
import { requireId } from '../../http/ids.ts'
import { contentIfAsked } from '../../http/negotiation.ts'
import { Conflict } from '../../http/openapi-document.ts'
import { PageQuery, page, pageOf } from '../../http/page.ts'
import { Activity } from '../activity/schema.ts'
import { listActivity } from '../activity/store.ts'
import { Frontend, sendFrontend } from './frontend.ts'
import { migrateConfig } from './migrate.ts'
import { getConfigRow } from './pipeline-configs.ts'
import { getRun, listRunsOf } from './runs.ts'
import {
  JobRequest,
  Migrated,
  PipelineConfigParams,
  PipelineConfigPatch,
  PipelineConfigSettings,
  PipelineConfigSettingsPatch,
  Run,
  RunParams,
} from './schema.ts'
import { getSettings, patchSettings } from './settings.ts'
import { triggerJob } from './trigger-job.ts'

const tags = ['Import apps']
const params = PipelineConfigParams
const ONLY_IF_ASKED = 'The body is empty unless `Accept` names `application/json`.'

/** What can be asked of one config besides its record. */
export const actionRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('/:id/activity', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigActivity',
      summary: 'List what happened to an import app config, newest first',
      description: ONLY_IF_ASKED,
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageOf(Activity) },
    },
    handler: async (request, reply) => {
      const { projectId } = request.caller
      const { id } = await getConfigRow(db, projectId, requireId(request.params.id))
      return contentIfAsked(request, reply, () =>
        page(request, (window) => listActivity(db, projectId, 'PluginConfig', id, window)),
      )
    },
  })

  app.get('/:id/frontend', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigFrontend',
      summary: "Read the page of an import app's own",
      description: 'The body is empty unless `Accept` names JSON or JavaScript.',
      tags,
      params,
      response: {
        200: {
          description: 'No app has one yet.',
          content: {
            'application/json': { schema: Frontend },
            'text/javascript': { schema: Type.String() },
          },
        },
      },
    },
    handler: async (request, reply) => {
      await getConfigRow(db, request.caller.projectId, requireId(request.params.id))
      return sendFrontend(request, reply)
    },
  })

  app.post('/:id/job', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'triggerPipelineConfigJob',
      summary: 'Queue a run of a job',
      description: `Without \`job\`: the only public job, or the schedule once if there is none. ${ONLY_IF_ASKED}`,
      tags,
      params,
      body: JobRequest,
      response: { 200: Run, 409: Conflict },
    },
    handler: async (request, reply) => {
      const id = requireId(request.params.id)
      const run = await triggerJob(db, request.caller, id, request.body.job)
      return contentIfAsked(request, reply, run)
    },
  })

  app.post('/:id/migrate', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'migratePipelineConfig',
      summary: "Bring the settings to the installed version's schema",
      description: `Missing settings get their defaults, unknown ones are dropped, types are converted. ${ONLY_IF_ASKED}`,
      tags,
      params,
      body: PipelineConfigPatch,
      response: { 200: Migrated },
    },
    handler: async (request, reply) => {
      const migrated = await migrateConfig(db, request.caller, requireId(request.params.id))
      return contentIfAsked(request, reply, migrated)
    },
  })

  app.get('/:id/settings', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigSettings',
      summary: 'Read the settings, secrets masked',
      tags,
      params,
      response: { 200: PipelineConfigSettings },
    },
    handler: (request) => getSettings(db, request.caller.projectId, requireId(request.params.id)),
  })

  app.patch('/:id/settings', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'patchPipelineConfigSettings',
      summary: 'Change settings',
      description:
        'Settings that are not sent stay, null removes one. A secret that is null or the mask stays too; an empty text clears it.',
      tags,
      params,
      body: PipelineConfigSettingsPatch,
      response: { 200: PipelineConfigSettings, 409: Conflict },
    },
    handler: (request) =>
      patchSettings(db, request.caller, requireId(request.params.id), request.body.settings),
  })

  app.get('/:id/runs', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPipelineConfigRuns',
      summary: 'List the runs of an import app config, newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageOf(Run) },
    },
    handler: (request) => {
      const id = requireId(request.params.id)
      return page(request, (window) => listRunsOf(db, request.caller.projectId, id, window))
    },
  })

  app.get('/:id/runs/:run_id', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigRun',
      summary: 'Read a run',
      tags,
      params: RunParams,
      response: { 200: Run },
    },
    handler: (request) => {
      const { id, run_id } = request.params
      return getRun(db, request.caller.projectId, requireId(id), run_id)
    },
  })
}
