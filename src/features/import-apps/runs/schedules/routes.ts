import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { PipelineConfigParams } from '#server/features/import-apps/configs/schema.ts'
import {
  ScheduleSettings,
  ScheduleSettingsPatch,
} from '#server/features/import-apps/schedules/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { getSchedule, patchSchedule } from './schedules.ts'

const tags = ['Import apps']
const params = PipelineConfigParams

/** Mounted at the same prefix as the routes of configs. */
export const scheduleRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('/:id/schedule', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigSchedule',
      summary: 'Get when an import app config runs',
      tags,
      params,
      response: { 200: ScheduleSettings },
    },
    handler: ({ caller, params }) => getSchedule(db, caller.projectId, requireId(params.id)),
  })

  app.patch('/:id/schedule', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'updatePipelineConfigSchedule',
      summary: 'Change when an import app config runs',
      description:
        'A schedule is `{"every": "15m"}`, `{"cron": "0 6 * * 1-5", "time_zone": "Europe/Berlin"}`, `{"manual": true}`, or null for the times of the app. A time of day that a change of clocks skips or repeats fires once.',
      tags,
      params,
      body: ScheduleSettingsPatch,
      response: { 200: ScheduleSettings },
    },
    handler: ({ caller, params, body }) => patchSchedule(db, caller, requireId(params.id), body),
  })
}
