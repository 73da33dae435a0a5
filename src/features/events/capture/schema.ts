import { Type } from 'typebox'

const token = Type.String({ description: "The project's token: `phc_...`." })

const Event = Type.Object(
  {
    event: Type.String({ description: 'What happened.', examples: ['signed up'] }),
    distinct_id: Type.String({ description: 'Who did it.', examples: ['user-7'] }),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    timestamp: Type.Optional(
      Type.String({ format: 'date-time', description: 'When. Now, if it is not said.' }),
    ),
    uuid: Type.Optional(
      Type.String({ format: 'uuid', description: 'A second event with the same one is ignored.' }),
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
        description: "The sender's clock: what it is off by is added to each timestamp.",
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
