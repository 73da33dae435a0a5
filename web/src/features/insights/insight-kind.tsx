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
import { kindOf, type QueryKindName } from '#model/query-kinds/index.ts'
import { displayOf } from '#model/query-node.ts'

type Icon = ComponentType<{ size?: number; stroke?: number }>

const ICONS: Readonly<Record<QueryKindName, Icon>> = {
  TrendsQuery: IconChartLine,
  FunnelsQuery: IconFilter,
  RetentionQuery: IconGridDots,
  PathsQuery: IconArrowsSplit2,
  LifecycleQuery: IconHeartbeat,
  StickinessQuery: IconCalendarRepeat,
  HogQLQuery: IconDatabase,
}

const TREND_DISPLAYS: ReadonlyMap<string, readonly [name: string, icon: Icon]> = new Map([
  ['BoldNumber', ['Number', IconNumber123]],
  ['ActionsBar', ['Bars', IconChartBar]],
  ['ActionsStackedBar', ['Bars', IconChartBar]],
  ['ActionsBarValue', ['Bars by value', IconChartBar]],
  ['ActionsPie', ['Pie', IconChartPie]],
  ['ActionsTable', ['Table', IconTable]],
])

/** Names the kind of an insight, or the display of a trend. */
export function insightKind(query: object): readonly [name: string, icon: Icon] {
  const known = kindOf(query)
  if (!known) return ['Insight', IconChartLine]
  const display = known.kind === 'TrendsQuery' && TREND_DISPLAYS.get(displayOf(query))
  return display || [known.name, ICONS[known.kind as QueryKindName]]
}

export function InsightKind({ query }: { readonly query: object }) {
  const [name, Icon] = insightKind(query)
  return (
    <Text component="span" c="dimmed" lh={0} role="img" aria-label={name} title={name}>
      <Icon size={18} stroke={1.6} />
    </Text>
  )
}
