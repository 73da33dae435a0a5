import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId } from '#server/http/params.ts'

const search = Type.Optional(Type.String({ description: 'Only names that contain this text.' }))
const event = Type.Optional(Type.String({ description: 'Only events with this name.' }))

export const EventDefinition = Type.Object(
  {
    name: Type.String(),
    volume_30_day: Type.Integer({ description: 'Number of events in the last 30 days.' }),
    last_seen_at: Type.String({ format: 'date-time', description: 'Time of the newest event.' }),
  },
  { title: 'EventDefinition', additionalProperties: false },
)
export type EventDefinition = Static<typeof EventDefinition>

export const EventDefinitionQuery = Type.Object({ ...PageQuery.properties, search })

const TYPES = ['String', 'Numeric', 'Boolean', 'DateTime'] as const
export type PropertyType = (typeof TYPES)[number]

export const PropertyDefinition = Type.Object(
  {
    name: Type.String(),
    property_type: Type.Unsafe<PropertyType>({
      title: 'PropertyType',
      type: 'string',
      enum: TYPES,
      description: 'Type of all sampled values; `String` if they differ.',
    }),
  },
  { title: 'PropertyDefinition', additionalProperties: false },
)
export type PropertyDefinition = Static<typeof PropertyDefinition>

const PROPERTY_HOLDERS = ['event', 'person'] as const
const type = Type.Optional(
  Type.Unsafe<(typeof PROPERTY_HOLDERS)[number]>({
    title: 'PropertyHolder',
    type: 'string',
    enum: PROPERTY_HOLDERS,
    description: '`person`: properties of persons, and `event` is ignored. Default: `event`.',
  }),
)

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

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
  exclude_hidden: flag('No property is hidden.'),
  is_feature_flag: flag('Whether names begin with `$feature/`.'),
  is_numerical: flag('Whether the type is `Numeric`.'),
  verified: flag('No property is verified, so true finds none.'),
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
