import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** Parts that several query schemas share, in PostHog's shape. */

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const choice = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] })

/**
 * Describes options. `display` lists display settings, which clients send too and which affect no result. Any other key
 * is refused unless its value has no effect, because ignoring it would return other numbers than requested.
 */
export const options = <T extends TProperties>(properties: T, display: readonly string[] = []) =>
  Type.Object(properties, { display })

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

/** The places of a property: the event, today's profile of its person or group, its session, or a column of the event. */
export const COLUMN_TYPES = ['event', 'person', 'group', 'session', 'event_metadata'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/** The index of a type of groups, in the order in which events named them first. */
const GroupTypeIndex = Type.Integer({ minimum: 0, maximum: 4 })

const filter = options(
  {
    key: Type.String({ minLength: 1, maxLength: 400 }),
    value: optional(Type.Union([Scalar, Type.Array(Scalar, { maxItems: 1000 })])),
    operator: optional({ ...choice(OPERATORS), title: 'PropertyOperator' }),
    /** `cohort`: persons in the cohort whose ID is `value`; `key` is `id`. */
    type: optional({ ...choice([...COLUMN_TYPES, 'cohort']), title: 'PropertyFilterType' }),
    /** Only with the type `group`. */
    group_type_index: optional(GroupTypeIndex),
  },
  ['label', 'cohort_name'],
)
export const PropertyFilter = { ...filter, title: 'PropertyFilter' }
export type PropertyFilter = Static<typeof PropertyFilter>

const GROUP_TYPES = ['AND', 'OR'] as const

export interface PropertyGroup {
  readonly type: 'AND' | 'OR'
  readonly values: readonly (PropertyGroup | PropertyFilter)[]
}

/** A list means AND; groups can be nested three deep. */
const groupSchema = (inner: TSchema) =>
  options({ type: choice(GROUP_TYPES), values: Type.Array(inner, { maxItems: 100 }) })
const Flat = groupSchema(PropertyFilter)
const Nested = groupSchema(Type.Union([Flat, PropertyFilter]))
const Group = groupSchema(Type.Union([Nested, Flat, PropertyFilter]))
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
  'unique_group',
  'first_time_for_user',
  'sum',
  'avg',
  'min',
  'max',
  'p25',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
] as const

export const ActionId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The rules of an action in a query whose actions are resolved. */
export interface WithRules {
  readonly rules?: PropertyGroup
}

const eventsNode = <const T extends string, P extends TProperties>(maths: readonly T[], more: P) =>
  options(
    {
      ...more,
      /** `ActionsNode`: the events of the action whose ID is `id`. */
      kind: optional(choice(['EventsNode', 'ActionsNode'])),
      id: optional(ActionId),
      /** null: any event. */
      event: optional(Type.String({ maxLength: 400 })),
      name: optional(Type.String({ maxLength: 400 })),
      custom_name: optional(Type.String({ maxLength: 400 })),
      math: optional(choice(maths)),
      math_property: optional(Type.String({ minLength: 1, maxLength: 400 })),
      math_property_type: optional(choice(['event_properties', 'person_properties'])),
      properties: optional(Properties),
    },
    [...NODE_KEYS, 'limit', 'orderBy'],
  )

/** Keys that every node of upstream can have. */
const NODE_KEYS = ['response', 'tags', 'version']

/** The field of the math `unique_group`. */
const groupMath = { math_group_type_index: optional(GroupTypeIndex) }

const AnyNode = eventsNode(MATHS, groupMath)
export const EventsNode = Type.Unsafe<Static<typeof AnyNode> & WithRules>(AnyNode)
export type EventsNode = Static<typeof EventsNode>

/** An event of a query kind that only counts persons. */
export const PersonsNode = Type.Unsafe<EventsNode>(eventsNode(['total', 'dau'], {}))

/** An event of a query kind that counts persons, or the groups that each series chooses. */
export const PersonsOrGroupNode = Type.Unsafe<EventsNode>(
  eventsNode(['total', 'dau', 'unique_group'], groupMath),
)

/** Counts groups of a type instead of persons. */
export const grouped = { aggregation_group_type_index: optional(GroupTypeIndex) }

export const DateRange = options({
  date_from: optional(Type.String({ maxLength: 50 })),
  date_to: optional(Type.String({ maxLength: 50 })),
  /** Reads `-7d` as that moment instead of the start of that day. */
  explicitDate: optional(Type.Boolean()),
})
export type DateRange = Static<typeof DateRange>

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]
export const IntervalChoice = choice(INTERVALS)

/** Upstream's switches: those that affect no result are ignored; others must have the value that this server uses. */
export const Modifiers = options(
  {
    convertToProjectTimezone: optional(Type.Literal(true)),
    personsOnEventsMode: optional(choice(['disabled', 'person_id_override_properties_joined'])),
  },
  [
    'debug',
    'formatCsvAllowDoubleQuotes',
    'inCohortVia',
    'inlineCohortCalculation',
    'materializationMode',
    'materializedColumnsOptimizationMode',
    'optimizeJoinedFilters',
    'optimizeProjections',
    'parserBackend',
    'personsArgMaxVersion',
    'personsJoinMode',
    'propertyGroupsMode',
    's3TableUseInvalidColumns',
    'sessionTableVersion',
    'sessionsV2JoinMode',
    'timings',
    'useMaterializedViews',
    'usePresortedEventsTable',
    'usePreaggregatedTableTransforms',
  ],
)

/** Display settings of every kind. */
export const QUERY_DISPLAY = [...NODE_KEYS, 'dataColorTheme']

/** Fields that every kind but SQL has. */
export const shared = {
  dateRange: optional(DateRange),
  properties: optional(Properties),
  filterTestAccounts: optional(Type.Boolean()),
  samplingFactor: optional(Type.Literal(1)),
  modifiers: optional(Modifiers),
}
export interface CommonFields {
  readonly dateRange?: DateRange | null | undefined
  readonly properties?: Properties | null | undefined
  readonly filterTestAccounts?: boolean | null | undefined
}

/** More properties or cohorts would leave few events or persons for each. */
export const MAX_BREAKDOWNS = 3
export const MAX_BREAKDOWN_COHORTS = 25

const BreakdownKey = Type.Union([Type.String({ minLength: 1, maxLength: 400 }), Type.Integer()])

/** A breakdown by one property or several, or by cohorts: their IDs, and `all` for everyone. */
export const BreakdownFilter = options({
  breakdown: optional(
    Type.Union([BreakdownKey, Type.Array(BreakdownKey, { maxItems: MAX_BREAKDOWN_COHORTS })]),
  ),
  breakdown_type: optional({ ...choice([...COLUMN_TYPES, 'cohort']), title: 'PropertyFilterType' }),
  breakdown_group_type_index: optional(GroupTypeIndex),
  breakdowns: optional(
    Type.Array(
      options({
        property: Type.String({ minLength: 1, maxLength: 400 }),
        type: optional(choice(COLUMN_TYPES)),
        group_type_index: optional(GroupTypeIndex),
      }),
      { maxItems: MAX_BREAKDOWNS },
    ),
  ),
  breakdown_limit: optional(Type.Integer({ minimum: 1, maximum: 500 })),
  breakdown_hide_other_aggregation: optional(Type.Boolean()),
})
export type BreakdownFilter = Static<typeof BreakdownFilter>

/** The filter of a kind that has no breakdown: clients send its settings without a property too. */
export const NoBreakdown = options({}, [
  'breakdown_type',
  'breakdown_limit',
  'breakdown_hide_other_aggregation',
])

/** Chart settings in the filters of several kinds that are kept, but not drawn. */
export const CHART_DISPLAY = [
  'confidenceLevel',
  'hiddenLegendBreakdowns',
  'hidden_legend_breakdowns',
  'hidden_legend_indexes',
  'hideWeekends',
  'showAlertThresholdLines',
  'showConfidenceIntervals',
  'showLabelsOnSeries',
  'showMultipleYAxes',
  'showTrendLines',
]

export { choice, optional }
