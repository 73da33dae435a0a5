import { type Static, Type } from 'typebox'
import { Format, PageQuery } from '#server/http/page.ts'
import { ProjectId } from '#server/http/params.ts'
import { IdInput } from '#server/http/schemas.ts'

export const EventItem = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event: Type.String(),
    distinct_id: Type.String({ description: 'ID of the person.' }),
    timestamp: Type.String({ format: 'date-time', description: 'Time of the event.' }),
    properties: Type.Record(Type.String(), Type.Unknown()),
    created_at: Type.String({ format: 'date-time', description: 'Time of arrival.' }),
  },
  { title: 'Event', additionalProperties: false },
)
export type ListedEvent = Static<typeof EventItem>

/** Has no count: counting millions would take longer than listing. */
export const EventPage = Type.Object(
  {
    next: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: 'URL of the next page.',
    }),
    results: Type.Array(EventItem, {
      description:
        'May have fewer events than `limit` if they are large. Follow `next` for the rest.',
    }),
  },
  { title: 'EventPage', additionalProperties: false },
)

export const EventListQuery = Type.Object({
  ...PageQuery.properties,
  format: Format,
  event: Type.Optional(Type.String({ description: 'Only events with this name.' })),
  distinct_id: Type.Optional(Type.String({ description: 'Only events with this ID.' })),
  person_id: Type.Optional(
    Type.String({ description: 'Only events of this person (`id`, `uuid` or a distinct ID).' }),
  ),
  after: Type.Optional(Type.String({ description: 'Only events later than this time.' })),
  before: Type.Optional(Type.String({ description: 'Only events earlier than this time.' })),
  properties: Type.Optional(
    Type.String({ description: 'Filters as in queries, as JSON: a list or a group.' }),
  ),
  action_id: Type.Optional(IdInput({ description: 'Only events that match this action.' })),
  orderBy: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['["-timestamp"]'],
      description: 'Only the default: newest first.',
    }),
  ),
})
export type EventListQuery = Static<typeof EventListQuery>

const {
  limit: _limit,
  offset: _offset,
  format: _format,
  orderBy: _order,
  ...filters
} = EventListQuery.properties

export const EventExportQuery = Type.Object({
  ...filters,
  columns: Type.Optional(
    Type.String({
      description:
        'The columns of a CSV file after time, event and person, as JSON: `["properties.plan", "person.properties.plan"]`. Default: all properties of the event in one column.',
    }),
  ),
})

export const LiveQuery = Type.Pick(EventListQuery, [
  'event',
  'distinct_id',
  'properties',
  'action_id',
])
export type LiveQuery = Static<typeof LiveQuery>

export const EventParams = Type.Object({ project_id: ProjectId })

export const DistinctIdParams = Type.Object({
  project_id: ProjectId,
  distinct_id: Type.String({ description: 'Distinct ID of the person.' }),
})

export const DeletedEvents = Type.Object(
  { deleted: Type.Integer({ description: 'Number of deleted events.' }) },
  { title: 'DeletedEvents', additionalProperties: false },
)
