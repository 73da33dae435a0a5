import { type Static, type TSchema, Type } from 'typebox'

/** Parts that several query schemas share, in PostHog's shape. Unknown keys are ignored: clients send display settings too. */

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const choice = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] })

const Scalar = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()])

export const OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
  'between',
  'not_between',
  'in',
  'not_in',
] as const

export const PropertyFilter = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 400 }),
  value: optional(Type.Union([Scalar, Type.Array(Scalar, { maxItems: 1000 })])),
  operator: optional(choice(OPERATORS)),
  /** A person's properties are those of the person's events. */
  type: optional(choice(['event', 'person', 'event_metadata'])),
})
export type PropertyFilter = Static<typeof PropertyFilter>

const GROUP_TYPES = ['AND', 'OR'] as const

export interface PropertyGroup {
  readonly type: 'AND' | 'OR'
  readonly values: readonly (PropertyGroup | PropertyFilter)[]
}

/** A list means AND; groups can be nested three deep. */
const groupOf = (inner: TSchema) =>
  Type.Object({ type: choice(GROUP_TYPES), values: Type.Array(inner, { maxItems: 100 }) })
const Flat = groupOf(PropertyFilter)
const Nested = groupOf(Type.Union([Flat, PropertyFilter]))
const Group = groupOf(Type.Union([Nested, Flat, PropertyFilter]))
export const Properties = Type.Unsafe<readonly PropertyFilter[] | PropertyGroup>(
  Type.Union([Type.Array(PropertyFilter, { maxItems: 100 }), Group]),
)
export type Properties = Static<typeof Properties>

export const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'first_time_for_user',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
] as const

export const EventsNode = Type.Object({
  kind: optional(choice(['EventsNode'])),
  /** null: any event. */
  event: optional(Type.String({ maxLength: 400 })),
  name: optional(Type.String({ maxLength: 400 })),
  custom_name: optional(Type.String({ maxLength: 400 })),
  math: optional(choice(MATHS)),
  math_property: optional(Type.String({ minLength: 1, maxLength: 400 })),
  properties: optional(Properties),
})
export type EventsNode = Static<typeof EventsNode>

export const DateRange = Type.Object({
  date_from: optional(Type.String({ maxLength: 50 })),
  date_to: optional(Type.String({ maxLength: 50 })),
  explicitDate: optional(Type.Boolean()),
})
export type DateRange = Static<typeof DateRange>

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]
export const IntervalChoice = choice(INTERVALS)

/** Fields that every kind but SQL has. */
export const shared = {
  dateRange: optional(DateRange),
  properties: optional(Properties),
  filterTestAccounts: optional(Type.Boolean()),
}
export interface CommonFields {
  readonly dateRange?: DateRange | null | undefined
  readonly properties?: Properties | null | undefined
  readonly filterTestAccounts?: boolean | null | undefined
}

export const series = (most: number) => Type.Array(EventsNode, { minItems: 1, maxItems: most })

/** A breakdown by one property or several. */
export const BreakdownFilter = Type.Object({
  breakdown: optional(
    Type.Union([
      Type.String({ minLength: 1, maxLength: 400 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { maxItems: 3 }),
    ]),
  ),
  breakdown_type: optional(choice(['event', 'person', 'event_metadata'])),
  breakdowns: optional(
    Type.Array(
      Type.Object({
        property: Type.String({ minLength: 1, maxLength: 400 }),
        type: optional(Type.String()),
      }),
      { maxItems: 3 },
    ),
  ),
  breakdown_limit: optional(Type.Integer({ minimum: 1, maximum: 500 })),
  breakdown_hide_other_aggregation: optional(Type.Boolean()),
})
export type BreakdownFilter = Static<typeof BreakdownFilter>

export { choice, optional }
