import { type Static, Type } from 'typebox'
import { Format, PageQuery } from '#server/http/page.ts'
import { idOrText, ProjectId } from '#server/http/params.ts'
import { Time } from '#server/http/schemas.ts'

export const Person = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({
      description: 'The e-mail address or name among the properties, or else a distinct ID.',
    }),
    distinct_ids: Type.Array(Type.String(), {
      description: 'IDs that are not generated come first. At most 1000, in lists 100.',
    }),
    properties: Type.Record(Type.String(), Type.Unknown()),
    created_at: Time,
    uuid: Type.String({ format: 'uuid' }),
    is_identified: Type.Boolean(),
  },
  { title: 'Person', additionalProperties: false },
)

export const PersonQuery = Type.Object({
  ...PageQuery.properties,
  format: Format,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Only persons whose name, e-mail address or distinct ID contains this text, or the one person whose e-mail address or long ID it is. `count` is a lower bound as long as there is a `next` page.',
    }),
  ),
  email: Type.Optional(Type.String({ description: 'Only persons with this e-mail address.' })),
  distinct_id: Type.Optional(Type.String({ description: 'Only the person with this ID.' })),
  cohort: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only persons in this cohort.',
    }),
  ),
  properties: Type.Optional(
    Type.String({ description: 'Filters as in queries, as JSON: a list or a group.' }),
  ),
})
export type PersonQuery = Static<typeof PersonQuery>

export const PersonBatch = Type.Object(
  { distinct_ids: Type.Array(Type.String(), { minItems: 1, maxItems: 200 }) },
  { title: 'PersonBatch' },
)

export const PersonsByDistinctId = Type.Object(
  {
    results: Type.Record(Type.String(), Person, {
      description: 'Lacks the IDs that have no person with a profile.',
    }),
  },
  { title: 'PersonsByDistinctId', additionalProperties: false },
)

export const PersonParams = Type.Object({
  project_id: ProjectId,
  id: idOrText('The `id` or `uuid` of a person, or a distinct ID that is neither.'),
})

export const PersonPatch = Type.Object(
  {
    properties: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The properties to set. Others stay.',
    }),
  },
  { title: 'PersonPatch' },
)

const key = Type.String({ minLength: 1, maxLength: 400 })

export const PropertyUpdate = Type.Object(
  { key, value: Type.Unknown({ description: 'Any JSON value but null.' }) },
  { title: 'PropertyUpdate' },
)

export const PropertyDelete = Type.Object(
  { $unset: { ...key, description: 'The property to delete.' } },
  { title: 'PropertyDelete' },
)

export const PersonSplit = Type.Partial(
  Type.Object({
    main_distinct_id: Type.String({
      description: 'The ID that keeps the properties. Default: the first of `distinct_ids`.',
    }),
  }),
  { title: 'PersonSplit' },
)

export const SplitDone = Type.Object(
  { success: Type.Boolean() },
  { title: 'SplitDone', additionalProperties: false },
)

export const PersonDeleteQuery = Type.Object({
  delete_events: Type.Optional(
    Type.Boolean({ description: 'true: also deletes the events of all its distinct IDs.' }),
  ),
})
