import { type Static, Type } from 'typebox'
import { uuidParam } from '#server/http/params.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import { Period } from '../schedules/schema.ts'

const Time = Type.String({ format: 'date-time' })

export const BACKFILL_STATES = ['running', 'paused', 'failed', 'succeeded', 'cancelled'] as const
export type BackfillState = (typeof BACKFILL_STATES)[number]

export const BackfillParams = Type.Object({
  ...PipelineConfigParams.properties,
  backfill_id: uuidParam('a backfill'),
})

const TimeText = (description: string) => Type.String({ maxLength: 40, description })

export const BackfillCreate = Type.Object(
  {
    from: TimeText('The beginning, such as `2025-01-01`. Without a time zone, it is UTC.'),
    to: TimeText('The end, which does not belong to it: at most now.'),
    streams: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Only these streams of the app. Default: all.',
      }),
    ),
    chunk: Type.Optional(Period),
  },
  { title: 'BackfillCreate', additionalProperties: false },
)
export type BackfillCreate = Static<typeof BackfillCreate>

export const Backfill = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    config_id: Type.Integer(),
    from: Time,
    to: Time,
    streams: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'null: all.' }),
    chunk: Type.String({ description: 'The length of a window, which one run imports.' }),
    state: Type.Unsafe<BackfillState>({
      title: 'BackfillState',
      type: 'string',
      enum: BACKFILL_STATES,
      description: '`failed`: a window failed. It starts again when the backfill is resumed.',
    }),
    message: Type.String({ description: 'Why it is paused or failed.' }),
    windows: Type.Integer({ description: 'The number of windows, imported from the oldest on.' }),
    windows_done: Type.Integer({
      description: 'Finished windows, which are never imported again.',
    }),
    events: Type.Integer({ description: 'The events of finished windows.' }),
    new_events: Type.Integer({ description: 'Those of them that were not stored before.' }),
    skipped: Type.Integer({ description: 'Rows of finished windows that could not be imported.' }),
    created_by: Type.Union([Type.Integer(), Type.Null()], { description: "A user's id." }),
    created_at: Time,
    finished_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'Backfill', additionalProperties: false },
)
export type Backfill = Static<typeof Backfill>
