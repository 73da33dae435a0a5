import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId, uuidParam } from '#server/http/params.ts'
import { IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { tagsField } from '#server/resource/tags.ts'

const search = Type.Optional(
  Type.String({
    description:
      'Only names that contain this text, as stored or as the web app shows them: `page v` finds `$pageview`.',
  }),
)
const event = Type.Optional(Type.String({ description: 'Only events with this name.' }))

/** The fields that people write about a name. */
const details = {
  id: Type.String({ format: 'uuid', description: 'Derived from the name.' }),
  description: Type.String(),
  owner: UserOrNull,
  tags: tagsField.schema,
  verified: Type.Boolean({ description: 'Listed first.' }),
  verified_at: TimeOrNull,
  verified_by: UserOrNull,
  hidden: Type.Boolean({ description: 'Not offered in the web app.' }),
  updated_at: TimeOrNull,
  updated_by: UserOrNull,
}
const Details = Type.Object(details)
export type Details = Static<typeof Details>

const writtenDetails = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  owner: Type.Optional(
    Type.Union([IdInput(), Type.Null()], { description: 'ID of a member of the project.' }),
  ),
  tags: Type.Optional(tagsField.write),
  verified: Type.Optional(Type.Boolean()),
  hidden: Type.Optional(Type.Boolean({ description: 'A verified definition cannot be hidden.' })),
}

/** An event name and what its events tell about it. */
export interface SeenEvent {
  readonly name: string
  readonly volume_30_day: number
  readonly last_seen_at: string | null
}

export const EventDefinition = Type.Object(
  {
    name: Type.String(),
    volume_30_day: Type.Integer({ description: 'Number of events in the last 30 days.' }),
    last_seen_at: Type.Union([Time, Type.Null()], {
      description: 'Time of the newest event; null if it is older than those that are searched.',
    }),
    ...details,
  },
  { title: 'EventDefinition', additionalProperties: false },
)
export type EventDefinition = Static<typeof EventDefinition>

export const EventDefinitionPatch = Type.Object(writtenDetails, {
  title: 'EventDefinitionPatch',
  additionalProperties: false,
})
export type EventDefinitionPatch = Static<typeof EventDefinitionPatch>

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

const detailFilters = {
  verified: flag('Whether the definition is verified.'),
  exclude_hidden: flag('true: no hidden definitions.'),
}

export const EventDefinitionQuery = Type.Object({
  ...PageQuery.properties,
  search,
  ...detailFilters,
  tags: text('Only definitions with one of these tags: a JSON array.'),
})
export type EventDefinitionQuery = Static<typeof EventDefinitionQuery>

const TYPES = ['String', 'Numeric', 'Boolean', 'DateTime'] as const
export type PropertyType = (typeof TYPES)[number]

const PropertyType = Type.Unsafe<PropertyType>({
  title: 'PropertyType',
  type: 'string',
  enum: TYPES,
  description: 'Type of all sampled values, `String` if they differ; or the type that was set.',
})

/** A property name and the type that its values suggest. */
export interface SeenProperty {
  readonly name: string
  readonly property_type: PropertyType
}

const PROPERTY_HOLDERS = ['event', 'person', 'session'] as const
export type PropertyHolder = (typeof PROPERTY_HOLDERS)[number]

export const PropertyDefinition = Type.Object(
  {
    name: Type.String(),
    type: Type.Unsafe<PropertyHolder>({
      title: 'PropertyHolder',
      type: 'string',
      enum: PROPERTY_HOLDERS,
      description: 'Whether events, persons or sessions have the property.',
    }),
    property_type: PropertyType,
    is_numerical: Type.Boolean({ description: 'Whether the type is `Numeric`.' }),
    ...details,
  },
  { title: 'PropertyDefinition', additionalProperties: false },
)
export type PropertyDefinition = Static<typeof PropertyDefinition>

export const PropertyDefinitionPatch = Type.Object(
  {
    ...writtenDetails,
    property_type: Type.Optional(
      Type.Union([PropertyType, Type.Null()], {
        description: 'null: the type that the values suggest.',
      }),
    ),
  },
  { title: 'PropertyDefinitionPatch', additionalProperties: false },
)
export type PropertyDefinitionPatch = Static<typeof PropertyDefinitionPatch>

const type = Type.Optional(
  Type.Unsafe<PropertyHolder>({
    title: 'PropertyHolder',
    type: 'string',
    enum: PROPERTY_HOLDERS,
    description:
      '`person` or `session`: properties of persons or sessions, and `event` is ignored. Default: `event`.',
  }),
)

export const PropertyDefinitionQuery = Type.Object({
  ...PageQuery.properties,
  event,
  search,
  type,
  event_names: text('Names of events as a JSON array, for `filter_by_event_names`.'),
  filter_by_event_names: flag('true: only properties of the events in `event_names`.'),
  properties: text('Only these names, separated by commas.'),
  excluded_properties: text('Not these names: a JSON array.'),
  exclude_core_properties: flag('true: no names that begin with `$`.'),
  is_feature_flag: flag('Whether names begin with `$feature/`.'),
  is_numerical: flag('Whether the type is `Numeric`.'),
  ...detailFilters,
})
export type PropertyDefinitionQuery = Static<typeof PropertyDefinitionQuery>

export const PropertyValues = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          value: Type.String({ description: 'Always text, even for numbers.' }),
          count: Type.Integer(),
        },
        { title: 'PropertyValue', additionalProperties: false },
      ),
    ),
  },
  { title: 'PropertyValues', additionalProperties: false },
)
export type PropertyValue = Static<typeof PropertyValues>['results'][number]

export const PropertyValueQuery = Type.Object({
  key: Type.String({ description: 'Property name.' }),
  event,
  value: Type.Optional(Type.String({ description: 'Only values that contain this text.' })),
  type,
})

export const DefinitionParams = Type.Object({ project_id: ProjectId })

const IdParams = (thing: string) => Type.Object({ project_id: ProjectId, id: uuidParam(thing) })
export const EventDefinitionParams = IdParams('an event definition')
export const PropertyDefinitionParams = IdParams('a property definition')
