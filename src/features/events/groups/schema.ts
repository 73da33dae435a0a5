import { type Static, Type } from 'typebox'
import { MAX_GROUP_KEY } from '#server/analytics/groups/group-keys.ts'
import { MAX_GROUP_TYPES } from '#server/analytics/groups/group-types.ts'
import { MAX_LIMIT } from '#server/http/page.ts'
import { Time } from '#server/http/schemas.ts'

const index = Type.Integer({
  minimum: 0,
  maximum: MAX_GROUP_TYPES - 1,
  description: 'The index of the group type, as `groups_types` lists it.',
})
const key = Type.String({ minLength: 1, maxLength: MAX_GROUP_KEY })
const properties = Type.Record(Type.String(), Type.Unknown())

export const Group = Type.Object(
  {
    group_type_index: index,
    group_key: Type.String(),
    group_properties: properties,
    created_at: Time,
  },
  { title: 'Group', additionalProperties: false },
)

export const GroupQuery = Type.Object({
  group_type_index: index,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only groups whose key or `name` contains this text.',
    }),
  ),
  properties: Type.Optional(
    Type.String({
      description:
        'Filters as in queries, as JSON: a list or a group, of properties of these groups.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'The page to list, from `next` or `previous` of another.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Results per page. 100 by default, at most ${MAX_LIMIT}.`,
    }),
  ),
})
export type GroupQuery = Static<typeof GroupQuery>

const Link = Type.Union([Type.String({ format: 'uri' }), Type.Null()])

export const GroupPage = Type.Object(
  { next: Link, previous: Link, results: Type.Array(Group) },
  { title: 'GroupPage', additionalProperties: false },
)

/** Names one group. */
export const GroupId = Type.Object({
  group_type_index: index,
  group_key: Type.String({ minLength: 1 }),
})
export type GroupId = Static<typeof GroupId>

export const GroupCreate = Type.Object(
  { group_type_index: index, group_key: key, group_properties: Type.Optional(properties) },
  { title: 'GroupCreate' },
)
export type GroupCreate = Static<typeof GroupCreate>

const GroupPropertyDefinition = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer({
      description: 'The number of groups that have it, among the newest 1,000.',
    }),
  },
  { title: 'GroupPropertyDefinition', additionalProperties: false },
)
export type GroupPropertyDefinition = Static<typeof GroupPropertyDefinition>

export const GroupPropertyDefinitions = Type.Record(
  Type.String(),
  Type.Array(GroupPropertyDefinition),
  { title: 'GroupPropertyDefinitions', description: 'By the index of the group type.' },
)

export const GroupValueQuery = Type.Object({
  group_type_index: index,
  key: Type.String({ description: 'Property name.' }),
  value: Type.Optional(Type.String({ description: 'Only values that contain this text.' })),
})
export type GroupValueQuery = Static<typeof GroupValueQuery>

export const GroupPropertyValues = Type.Array(
  Type.Object(
    {
      name: Type.String({ description: 'The value, always as text.' }),
      count: Type.Integer(),
    },
    { title: 'GroupPropertyValue', additionalProperties: false },
  ),
  { title: 'GroupPropertyValues' },
)

const name = Type.Union([Type.String({ maxLength: 400 }), Type.Null()])

const GroupType = Type.Object(
  {
    group_type: Type.String({ description: 'The name by which events know the type.' }),
    group_type_index: index,
    name_singular: name,
    name_plural: name,
    created_at: Time,
  },
  { title: 'GroupType', additionalProperties: false },
)
export type GroupType = Static<typeof GroupType>

export const GroupTypes = Type.Array(GroupType, { title: 'GroupTypes' })

const GroupTypeMetadata = Type.Object(
  {
    group_type_index: index,
    name_singular: Type.Optional(name),
    name_plural: Type.Optional(name),
  },
  { title: 'GroupTypeMetadata' },
)
export type GroupTypeMetadata = Static<typeof GroupTypeMetadata>

export const GroupTypesUpdate = Type.Array(GroupTypeMetadata, {
  title: 'GroupTypesUpdate',
  maxItems: MAX_GROUP_TYPES,
})
