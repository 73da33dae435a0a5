import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'

export const StoredEvent = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event: Type.String(),
    distinct_id: Type.String({ description: 'Who did it.' }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    properties: Type.Record(Type.String(), Type.Unknown()),
    created_at: Type.String({ format: 'date-time', description: 'When it came in.' }),
  },
  { title: 'Event', additionalProperties: false },
)
export type ListedEvent = Static<typeof StoredEvent>

/** Without a count: among millions, counting would take longer than listing. */
export const EventPage = Type.Object(
  {
    next: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: 'The next page begins after the last event of this one.',
    }),
    results: Type.Array(StoredEvent, {
      description: 'May be fewer than asked for when they are large: `next` leads on.',
    }),
  },
  { title: 'EventPage', additionalProperties: false },
)

export const EventQuery = Type.Object({
  ...PageQuery.properties,
  event: Type.Optional(Type.String({ description: 'Only events of this name.' })),
  distinct_id: Type.Optional(Type.String({ description: 'Only events of this person.' })),
  after: Type.Optional(Type.String({ description: 'Only events later than this time.' })),
  before: Type.Optional(Type.String({ description: 'Only events earlier than this time.' })),
})

export const LiveQuery = Type.Pick(EventQuery, ['event', 'distinct_id'])
export type LiveQuery = Static<typeof LiveQuery>

export const EventParams = Type.Object({ project_id: Type.String() })

export const PersonParams = Type.Object({
  project_id: Type.String(),
  distinct_id: Type.String({ description: "The `distinct_id` of the person's events." }),
})

export const DeletedEvents = Type.Object(
  { deleted: Type.Integer({ description: 'How many events there were.' }) },
  { title: 'DeletedEvents', additionalProperties: false },
)
