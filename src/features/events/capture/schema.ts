import { Type } from 'typebox'

const token = Type.String({ description: 'Project token: `phc_...`.' })

const Event = Type.Object(
  {
    event: Type.String({ description: 'Event name.', examples: ['signed up'] }),
    distinct_id: Type.String({ description: 'ID of the person.', examples: ['user-7'] }),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    timestamp: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Time of the event, corrected by the skew of the clock. Default: now. RFC 2822 and Unix time are accepted too.',
      }),
    ),
    uuid: Type.Optional(
      Type.String({ format: 'uuid', description: 'Events with a known UUID are ignored.' }),
    ),
  },
  { title: 'NewEvent' },
)

export const NewEvents = Type.Object(
  {
    api_key: token,
    batch: Type.Array(Event),
    sent_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: "Time of sending by the sender's clock. Its skew is added to each timestamp.",
      }),
    ),
  },
  { title: 'NewEvents' },
)

export const NewEventWithToken = Type.Object(
  { api_key: token, ...Event.properties },
  { title: 'NewEventWithToken' },
)

export const Captured = Type.Object(
  { status: Type.Literal(1) },
  { title: 'Captured', description: 'The events are stored.', additionalProperties: false },
)

export const NewAnalyticsEvents = Type.Object(
  {
    created_at: Type.Optional(Type.String({ format: 'date-time' })),
    batch: Type.Array(
      Type.Object({
        ...Event.properties,
        session_id: Type.Optional(Type.String()),
        window_id: Type.Optional(Type.String()),
        options: Type.Optional(
          Type.Object({
            cookieless_mode: Type.Optional(Type.Boolean()),
            disable_skew_correction: Type.Optional(
              Type.Boolean({ description: 'Stores the timestamp as sent.' }),
            ),
            process_person_profile: Type.Optional(Type.Boolean()),
            product_tour_id: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
  },
  { title: 'NewAnalyticsEvents' },
)

export const EventOutcomes = Type.Object(
  {
    results: Type.Record(
      Type.String(),
      Type.Object({
        result: Type.Union([Type.Literal('ok'), Type.Literal('drop')]),
        details: Type.Optional(Type.String({ description: 'Why the event was dropped.' })),
      }),
      { description: 'By the UUID of the event.' },
    ),
  },
  { title: 'EventOutcomes', additionalProperties: false },
)

export const TokenParams = Type.Object({ project_token: Type.String() })
