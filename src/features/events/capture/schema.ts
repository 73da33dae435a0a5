import { Type } from 'typebox'

const token = Type.String({ description: 'Project token: `phc_...`.' })

const Event = Type.Object(
  {
    event: Type.String({ description: 'Event name.', examples: ['signed up'] }),
    distinct_id: Type.String({ description: 'ID of the person.', examples: ['user-7'] }),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    timestamp: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time of the event. Default: now.' }),
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

export const TokenParams = Type.Object({ project_token: Type.String() })
