import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { uuidParam } from '#server/http/params.ts'
import { PipelineConfigParams, PipelineConfigPatch } from '../configs/schema.ts'

const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Union([Time, Type.Null()])

/** Describes a choice of strings as one enum instead of a union of literals. */
const oneOf = <T extends string>(title: string, ...values: readonly T[]) =>
  Type.Unsafe<T>({ title, type: 'string', enum: values })

export const RunParams = Type.Object({
  ...PipelineConfigParams.properties,
  run_id: uuidParam('a run'),
})

const Job = Type.Object(
  {
    type: Type.Optional(Type.String({ maxLength: 400, description: 'The name of a public job.' })),
    payload: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    ),
    operation: Type.Optional(Type.String({ maxLength: 400, description: '`start` if not given.' })),
  },
  { title: 'Job' },
)
export type Job = Static<typeof Job>

export const JobRequest = Type.Object(
  {
    ...PipelineConfigPatch.properties,
    job: Type.Optional(Job),
    dry_run: Type.Optional(
      Type.Boolean({
        description:
          'A test run: stores nothing, ends after 1000 rows, and works while the config is disabled. Its first events are its preview.',
      }),
    ),
  },
  { title: 'JobRequest' },
)

export const Run = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    config_id: Type.Integer(),
    kind: oneOf('RunKind', 'job', 'schedule'),
    name: Type.String({
      description:
        'The name of the job or scheduled task. `setupPlugin`: a set-up that can start jobs.',
    }),
    payload: Type.Unknown({ description: 'The payload of the job, or null.' }),
    operation: Type.String(),
    state: oneOf('RunState', 'queued', 'running', 'succeeded', 'failed', 'cancelled'),
    message: Type.String({ description: 'How the run ended, or what it is waiting for.' }),
    progress: Type.Object(
      {
        done: Type.Integer(),
        total: Type.Union([Type.Integer(), Type.Null()], { description: 'null if unknown.' }),
        message: Type.String(),
      },
      { title: 'RunProgress', additionalProperties: false },
    ),
    events: Type.Integer({ description: 'The number of events captured so far.' }),
    new_events: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The number of events that were not stored before. null until the run has ended, and for test runs.',
    }),
    skipped: Type.Integer({ description: 'The number of rows that could not be imported.' }),
    dry_run: Type.Boolean({ description: 'Whether it is a test run, which stores nothing.' }),
    attempt: Type.Integer({ description: 'The number of times a worker has claimed the run.' }),
    retry_of: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The run that this one retries.',
    }),
    backfill: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The backfill of which it imports a window.',
    }),
    created_by: Type.Union([Type.Integer(), Type.Null()], {
      description: "A user's id; null if a schedule or the app queued the run.",
    }),
    created_at: Time,
    run_at: Type.Union([Time, Type.Null()], {
      description: 'The earliest time at which the run starts.',
    }),
    started_at: TimeOrNull,
    finished_at: TimeOrNull,
  },
  { title: 'Run', additionalProperties: false },
)
export type Run = Static<typeof Run>

const SkippedRow = Type.Object(
  {
    reason: Type.String(),
    row: Type.String({ description: 'The row as text, cut after 2000 characters.' }),
  },
  { title: 'SkippedRow', additionalProperties: false },
)
export type SkippedRow = Static<typeof SkippedRow>

export const RunPreview = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          event: Type.String(),
          distinct_id: Type.String(),
          timestamp: Time,
          properties: Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
          }),
        },
        { title: 'PreviewedEvent', additionalProperties: false },
      ),
      { description: 'The first 20 events that a test run would store.' },
    ),
    skipped: Type.Array(SkippedRow, { description: 'The first 20 rows that the run skipped.' }),
  },
  { title: 'RunPreview', additionalProperties: false },
)
export type RunPreview = Static<typeof RunPreview>

export const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const
const LogType = oneOf('LogType', ...LOG_TYPES)

export const RunQuery = Type.Object({
  ...PageQuery.properties,
  dry_run: Type.Optional(Type.Boolean({ description: 'Only test runs, or none of them.' })),
})
export type RunQuery = Static<typeof RunQuery>

export const LogQuery = Type.Object({
  ...PageQuery.properties,
  type_filter: Type.Optional(
    Type.Union([LogType, Type.Array(LogType, { maxItems: 5 })], {
      description: 'Only these types. May be repeated.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'Only lines that contain this text, ignoring case.',
    }),
  ),
  run: Type.Optional(Type.String({ format: 'uuid', description: 'Only lines of this run.' })),
  after: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
  before: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
})
export type LogQuery = Static<typeof LogQuery>

export const LogEntry = Type.Object(
  {
    id: Type.Integer(),
    team_id: Type.Integer({ description: 'The project.' }),
    plugin_config_id: Type.Integer(),
    run_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    timestamp: Time,
    source: oneOf('LogSource', 'SYSTEM', 'PLUGIN', 'CONSOLE'),
    type: LogType,
    message: Type.String(),
  },
  { title: 'LogEntry', additionalProperties: false },
)
export type LogEntry = Static<typeof LogEntry>

const counts = {
  runs_succeeded: Type.Integer(),
  runs_failed: Type.Integer(),
  deliveries_succeeded: Type.Integer({ description: 'Batches of events that were stored.' }),
  deliveries_failed: Type.Integer(),
  events: Type.Integer(),
}

const MetricsPart = Type.Object(
  { start: Time, ...counts },
  { title: 'AppMetricsPart', additionalProperties: false },
)

export const Metrics = Type.Object(
  {
    last_24_hours: Type.Array(MetricsPart, { description: 'By the hour, oldest first.' }),
    last_30_days: Type.Array(MetricsPart, { description: 'By the day in UTC, oldest first.' }),
  },
  { title: 'AppMetrics', additionalProperties: false },
)
export type Metrics = Static<typeof Metrics>
