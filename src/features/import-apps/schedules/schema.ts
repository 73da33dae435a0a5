import { type Static, Type } from 'typebox'

export const Period = Type.String({
  pattern: '^[1-9][0-9]{0,4}[mhdw]$',
  description: 'Minutes, hours, days or weeks, such as `15m`: at most 31 days.',
})

/** One of `every`, `cron` and `manual`. */
export const Schedule = Type.Object(
  {
    every: Type.Optional(Period),
    cron: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Five fields: minute, hour, day of the month, month and weekday.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({ maxLength: 100, description: 'The time zone of `cron`. Default: UTC.' }),
    ),
    manual: Type.Optional(Type.Literal(true, { description: 'Runs only when someone starts it.' })),
    job: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          "The public job to run. Default: the app's scheduled tasks, or its only public job if it has none.",
      }),
    ),
  },
  { title: 'ImportSchedule', additionalProperties: false },
)
export type Schedule = Static<typeof Schedule>

export const Retry = Type.Object(
  {
    times: Type.Integer({ minimum: 1, maximum: 10 }),
    backoff: Type.Unsafe<'exponential' | 'constant'>({
      title: 'RetryBackoff',
      type: 'string',
      enum: ['exponential', 'constant'],
      description: '`exponential`: after 10, 20, 40 … s, at most an hour. `constant`: after 10 s.',
    }),
  },
  { title: 'ImportRetry', additionalProperties: false },
)
export type Retry = Static<typeof Retry>

const writable = {
  schedule: Type.Union([Schedule, Type.Null()], { description: "null: the app's own times." }),
  expected_every: Type.Union([Period, Type.Null()], {
    description:
      'The import is stale if it has not succeeded for this long. null: a minute after its second scheduled run.',
  }),
  retry: Type.Union([Retry, Type.Null()], {
    description:
      'How often a run is repeated that failed temporarily: with 429, 5xx, a network failure, or an error that the app marks as temporary. A longer `Retry-After` is waited for. null: never.',
  }),
}

export const ScheduleSettings = Type.Object(
  {
    ...writable,
    next_run_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'null if no run is scheduled.',
    }),
  },
  { title: 'ImportScheduleSettings', additionalProperties: false },
)
export type ScheduleSettings = Static<typeof ScheduleSettings>

export const ScheduleSettingsPatch = Type.Partial(Type.Object(writable), {
  title: 'ImportScheduleSettingsPatch',
  additionalProperties: false,
})
export type ScheduleSettingsPatch = Static<typeof ScheduleSettingsPatch>
