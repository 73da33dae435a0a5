import { Type } from 'typebox'
import { ProjectId } from '#server/http/params.ts'
import { AnyObject } from '#server/http/schemas.ts'
import { RefreshInBody } from './cache/refresh.ts'

export const QueryBody = Type.Object(
  {
    query: {
      ...AnyObject,
      description:
        'A TrendsQuery, FunnelsQuery, RetentionQuery, LifecycleQuery, StickinessQuery, PathsQuery or HogQLQuery, alone or as the `source` of a display node; or an ActorsQuery or EventsQuery, which lists persons or the events behind a number and also needs the scope `person:read`; or an InsightActorsQueryOptions, which lists the values that these can choose by.',
    },
    refresh: Type.Optional(RefreshInBody),
    filters_override: Type.Optional(Type.Union([AnyObject, Type.Null()])),
    variables_override: Type.Optional(Type.Union([AnyObject, Type.Null()])),
  },
  { title: 'QueryBody' },
)

const Status = Type.Object(
  {
    id: Type.String({ description: 'Poll `query/{id}` for the result.' }),
    complete: Type.Boolean(),
    error: Type.Boolean(),
    error_message: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'QueryStatus', additionalProperties: false },
)
export const StatusOrNull = Type.Union([Status, Type.Null()], {
  description: 'null: not running, no error.',
})

export const FiltersNotApplied = Type.Array(Type.String(), {
  description:
    'The filters that cannot change the result, such as `date_from` if SQL does not use `{filters}`.',
})

const Options = Type.Optional(
  Type.Union(
    [
      Type.Array(
        Type.Object(
          { label: Type.String(), value: Type.Union([Type.String(), Type.Integer()]) },
          { title: 'QueryOption' },
        ),
      ),
      Type.Null(),
    ],
    { description: 'Of an InsightActorsQueryOptions. null: the field chooses nothing.' },
  ),
)

export const QueryResponse = Type.Object(
  {
    results: Type.Unknown({ description: 'null: still running.' }),
    columns: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    types: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
    hasMore: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    limit: Type.Optional(Type.Integer({ description: 'Of an ActorsQuery or EventsQuery.' })),
    offset: Type.Optional(Type.Integer({ description: 'Of an ActorsQuery or EventsQuery.' })),
    missing_actors_count: Type.Optional(
      Type.Integer({ description: 'Of an ActorsQuery: always 0.' }),
    ),
    day: Options,
    status: Options,
    interval: Options,
    breakdown: Options,
    breakdowns: Type.Optional(
      Type.Null({ description: 'Of an InsightActorsQueryOptions: see `breakdown`.' }),
    ),
    series: Options,
    compare: Options,
    is_cached: Type.Boolean(),
    last_refresh: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    cache_key: Type.String(),
    timezone: Type.String(),
    query_status: StatusOrNull,
    error: Type.Union([Type.String(), Type.Null()]),
    filters_not_applied: FiltersNotApplied,
  },
  { title: 'QueryResponse', additionalProperties: false },
)

export const QueryParams = Type.Object({
  project_id: ProjectId,
  id: Type.String({ description: 'The `id` of a `query_status`.' }),
})
