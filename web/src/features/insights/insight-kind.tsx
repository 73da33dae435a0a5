import { Text } from '@mantine/core'
import {
  IconArrowsSplit2,
  IconCalendarRepeat,
  IconChartBar,
  IconChartLine,
  IconChartPie,
  IconDatabase,
  IconFilter,
  IconGridDots,
  IconHeartbeat,
  IconNumber123,
  IconTable,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

type Icon = ComponentType<{ size?: number; stroke?: number }>
type Free = Readonly<Record<string, unknown>>

const KINDS: Readonly<Record<string, readonly [name: string, icon: Icon]>> = {
  TrendsQuery: ['Trend', IconChartLine],
  FunnelsQuery: ['Funnel', IconFilter],
  RetentionQuery: ['Retention', IconGridDots],
  PathsQuery: ['Paths', IconArrowsSplit2],
  LifecycleQuery: ['Lifecycle', IconHeartbeat],
  StickinessQuery: ['Stickiness', IconCalendarRepeat],
  HogQLQuery: ['SQL', IconDatabase],
}

const DISPLAYS: Readonly<Record<string, readonly [name: string, icon: Icon]>> = {
  BoldNumber: ['Number', IconNumber123],
  ActionsBar: ['Bars', IconChartBar],
  ActionsStackedBar: ['Bars', IconChartBar],
  ActionsBarValue: ['Bars by value', IconChartBar],
  ActionsPie: ['Pie', IconChartPie],
  ActionsTable: ['Table', IconTable],
}

const toRecord = (value: unknown): Free =>
  typeof value === 'object' && value !== null ? (value as Free) : {}

/** Name and icon of the display or the query kind. */
export function insightKind(query: Free): readonly [name: string, icon: Icon] {
  const source = query.source === undefined ? query : toRecord(query.source)
  const display = String(toRecord(source.trendsFilter).display)
  return DISPLAYS[display] ?? KINDS[String(source.kind)] ?? ['Insight', IconChartLine]
}

export function InsightKind({ query }: { readonly query: Free }) {
  const [name, Icon] = insightKind(query)
  return (
    <Text component="span" c="dimmed" lh={0} role="img" aria-label={name} title={name}>
      <Icon size={18} stroke={1.6} />
    </Text>
  )
}
