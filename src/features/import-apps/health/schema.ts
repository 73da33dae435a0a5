import { type Static, Type } from 'typebox'

export const HEALTH_STATES = ['healthy', 'failing', 'stale', 'paused', 'never_ran'] as const

const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

export const ImportHealth = Type.Object(
  {
    config_id: Type.Integer(),
    name: Type.String(),
    state: Type.Unsafe<(typeof HEALTH_STATES)[number]>({
      title: 'ImportState',
      type: 'string',
      enum: HEALTH_STATES,
      description:
        '`failing`: the last run failed. `stale`: it has not succeeded for longer than expected. `paused`: it is disabled. `never_ran`: no run has ended yet.',
    }),
    since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When this state began; null if it is paused.',
    }),
    message: Type.String({ description: 'Why it is failing or stale, or empty.' }),
    last_success_at: Time,
    next_run_at: Time,
    failures_in_a_row: Type.Integer(),
    events: Type.Integer({ description: 'The events that the last run captured.' }),
    event_names: Type.Array(Type.String(), {
      description:
        'The names of the events that it captures, as far as its runs have shown; at most 50.',
    }),
    skipped: Type.Integer({ description: 'The rows that the last run skipped.' }),
  },
  { title: 'ImportHealth', additionalProperties: false },
)
export type ImportHealth = Static<typeof ImportHealth>
