import { listOf } from '../json.ts'
import type { RetentionCohort } from '../query-results.ts'
import type { EventsNode } from './common.schema.ts'
import { ALL_EVENTS, isActionsNode, toActionsNode, toEventsNode } from './events.ts'
import type { QueryKind } from './query-kind.ts'
import type { Entity, RetentionQuery } from './retention.schema.ts'

const ANY_ENTITY = { id: null, name: 'All events', type: 'events' } as const

export const retention: QueryKind<RetentionQuery> = {
  id: 'retention',
  kind: 'RetentionQuery',
  name: 'Retention',
  description: 'How often people come back.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      totalIntervals: 8,
      retentionType: 'retention_first_time',
      targetEntity: ANY_ENTITY,
      returningEntity: ANY_ENTITY,
    },
  },
  fields: { filters: true },
  periodOf: ({ retentionFilter }) => retentionFilter?.period,
  listEvents({ retentionFilter }) {
    const { targetEntity, returningEntity } = retentionFilter ?? {}
    return [targetEntity, returningEntity].map(toEntityNode)
  },
  withEvents: (query, events) => ({
    ...query,
    retentionFilter: {
      ...query.retentionFilter,
      targetEntity: toEntity(events[0]),
      returningEntity: toEntity(events.at(-1)),
    },
  }),

  /** Periods are counted back from the end. */
  listNotApplied: () => ['date_from'],

  /** The first column of counts is the size of the cohort. */
  toRows(result) {
    const cohorts = listOf<RetentionCohort>(result)
    const longest = cohorts.reduce<RetentionCohort['values']>(
      (most, { values }) => (values.length > most.length ? values : most),
      [],
    )
    const rows = cohorts.map(({ date, label, values }) => [
      date,
      label,
      ...longest.map((_, at) => values[at]?.count ?? null),
    ])
    return [['date', 'cohort', ...longest.map(({ label }) => label)], ...rows]
  },

  toTextView: ({ result }) => ({ form: 'cohorts', cohorts: listOf(result) }),
  actors: { within: 'InsightActorsQuery', fields: ['interval', 'returned'] },
  loadDrawing: async () => (await import('../charts/retention.ts')).drawRetention,
  alert: { earlier: 'intervals' },
}

export const toEntity = (node: EventsNode = ALL_EVENTS) => {
  const isAction = isActionsNode(node)
  return {
    id: (isAction ? node.id : node.event) ?? null,
    name: node.name ?? ANY_ENTITY.name,
    type: isAction ? ('actions' as const) : ANY_ENTITY.type,
  }
}

export const toEntityNode = (entity: Entity | null | undefined): EventsNode =>
  entity?.type === 'actions'
    ? toActionsNode({ id: Number(entity.id), name: entity.name ?? '' })
    : toEventsNode((entity?.id as string | undefined) ?? null)
