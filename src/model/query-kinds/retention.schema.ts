import { type Static, Type } from 'typebox'
import {
  ActionId,
  CHART_DISPLAY,
  choice,
  grouped,
  NoBreakdown,
  optional,
  options,
  Properties,
  QUERY_DISPLAY,
  shared,
  type WithRules,
} from './common.schema.ts'
import { displaySettings } from './display-settings.schema.ts'

const Entity = options(
  {
    /** An event's name, or the ID of an action; null: any event. */
    id: optional(Type.Union([Type.String({ maxLength: 400 }), ActionId])),
    name: optional(Type.String({ maxLength: 400 })),
    type: optional(choice(['events', 'actions'])),
    kind: optional(choice(['EventsNode', 'ActionsNode'])),
    properties: optional(Properties),
  },
  ['custom_name', 'order', 'uuid'],
)
export type Entity = Static<typeof Entity>
/** An entity whose action is resolved: `id` is the name of an event. */
export type ResolvedEntity = Omit<Entity, 'id'> & WithRules & { readonly id?: string | null }

export const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const
export type Period = (typeof PERIODS)[number]

const RetentionFilter = options(
  {
    ...displaySettings,
    period: optional(choice(PERIODS)),
    totalIntervals: optional(Type.Integer({ minimum: 2, maximum: 100 })),
    retentionType: optional(choice(['retention_recurring', 'retention_first_time'])),
    targetEntity: optional(Entity),
    returningEntity: optional(Entity),
    /** Counts persons who came back in the interval or later. */
    cumulative: optional(Type.Boolean()),
    minimumOccurrences: optional(Type.Literal(1)),
    timeWindowMode: optional(choice(['strict_calendar_dates'])),
  },
  [
    ...CHART_DISPLAY,
    'dashboardDisplay',
    'display',
    'meanRetentionCalculation',
    'retentionReference',
    'selectedInterval',
    'showMean',
  ],
)

export const RetentionQuery = options(
  {
    kind: choice(['RetentionQuery']),
    ...shared,
    ...grouped,
    breakdownFilter: optional(NoBreakdown),
    retentionFilter: optional(RetentionFilter),
  },
  QUERY_DISPLAY,
)
export type RetentionQuery = Static<typeof RetentionQuery>
