import { type Static, Type } from 'typebox'
import { COLUMN_TYPES, type ColumnType } from '#model/query-kinds/common.schema.ts'
import { invalid } from '#server/errors.ts'

/** More than fits into the form of a page. */
const MAX_FIELDS = 20
const MAX_VALUES = 200

const Place = Type.Unsafe<ColumnType>({
  title: 'ViewerPropertyType',
  type: 'string',
  enum: [...COLUMN_TYPES],
})

const GroupTypeIndex = Type.Integer({ minimum: 0, maximum: 4 })
const Value = Type.Union([Type.String({ maxLength: 400 }), Type.Number(), Type.Boolean()])
const Name = Type.String({ minLength: 1, maxLength: 200 })

const Property = Type.Object(
  {
    key: Type.String(),
    type: Place,
    group_type_index: Type.Union([Type.Integer(), Type.Null()]),
    values: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The values that can be chosen. Null: any text.',
    }),
  },
  { title: 'ViewerProperty', additionalProperties: false },
)

const Variable = Type.Object(
  {
    code_name: Type.String(),
    values: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  },
  { title: 'ViewerVariable', additionalProperties: false },
)

export const ViewerFilters = Type.Object(
  {
    dates: Type.Boolean(),
    properties: Type.Array(Property),
    variables: Type.Array(Variable),
  },
  { title: 'ViewerFilters', additionalProperties: false },
)
export type ViewerFilters = Static<typeof ViewerFilters>
export type ViewerProperty = Static<typeof Property>
export type ViewerVariable = Static<typeof Variable>

export const ViewerFiltersWrite = Type.Partial(
  Type.Object({
    dates: Type.Boolean({ description: 'Whether viewers can shorten the date range.' }),
    properties: Type.Array(
      Type.Object({
        key: Name,
        type: Type.Optional(Place),
        group_type_index: Type.Optional(Type.Union([GroupTypeIndex, Type.Null()])),
        values: Type.Optional(
          Type.Union([
            Type.Array(Type.String({ maxLength: 400 }), { minItems: 1, maxItems: MAX_VALUES }),
            Type.Null(),
          ]),
        ),
      }),
      { maxItems: MAX_FIELDS, description: 'Properties by which viewers can filter.' },
    ),
    variables: Type.Array(
      Type.Object({
        code_name: Name,
        values: Type.Array(Value, { minItems: 1, maxItems: MAX_VALUES }),
      }),
      { maxItems: MAX_FIELDS, description: 'Variables of SQL and the values viewers can choose.' },
    ),
  }),
  { title: 'ViewerFiltersWrite' },
)
type ViewerFiltersWrite = Static<typeof ViewerFiltersWrite>

/** Returns the filters with all of their fields, or null if viewers can change nothing. */
export function toViewerFilters(sent: ViewerFiltersWrite | null): ViewerFilters | null {
  const { dates = false, properties = [], variables = [] } = sent ?? {}
  if (!dates && properties.length === 0 && variables.length === 0) return null
  requireDistinct(
    'properties',
    properties.map(({ key }) => key),
  )
  requireDistinct(
    'variables',
    variables.map(({ code_name }) => code_name),
  )
  return {
    dates,
    properties: properties.map(({ key, type = 'event', group_type_index = null, values }, at) => {
      if ((type === 'group') !== (group_type_index !== null)) {
        const attr = `viewer_filters__properties__${at}__group_type_index`
        throw invalid(attr, 'Enter it for a property of a group, and for no other.')
      }
      return { key, type, group_type_index, values: values ?? null }
    }),
    variables: variables.map(({ code_name, values }) => ({ code_name, values })),
  }
}

/** Requires each name once, because the address of the page names it. */
function requireDistinct(field: string, names: readonly string[]): void {
  const repeated = names.findIndex((name, at) => names.indexOf(name) < at)
  if (repeated === -1) return
  throw invalid(`viewer_filters__${field}__${repeated}`, 'It is in the list already.')
}
