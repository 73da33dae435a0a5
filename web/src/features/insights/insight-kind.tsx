import { Text } from '@mantine/core'
import {
  IconAlignLeft,
  IconArrowsSplit2,
  IconCalendarRepeat,
  IconCalendarWeek,
  IconChartAreaLine,
  IconChartBar,
  IconChartCandle,
  IconChartLine,
  IconChartPie,
  IconDatabase,
  IconDeviceAnalytics,
  IconFilter,
  IconGauge,
  IconGridDots,
  IconHeartbeat,
  IconListDetails,
  IconNumber123,
  IconTable,
  IconTargetArrow,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { type Display, displayOf } from '#model/displays.ts'
import { kindOf, type QueryKindName } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'

type SymbolName = Display['form'] | QueryKindName

const ICONS: Readonly<Record<SymbolName, ComponentType<{ size?: number; stroke?: number }>>> = {
  TrendsQuery: IconChartLine,
  FunnelsQuery: IconFilter,
  RetentionQuery: IconGridDots,
  LifecycleQuery: IconHeartbeat,
  StickinessQuery: IconCalendarRepeat,
  PathsQuery: IconArrowsSplit2,
  HogQLQuery: IconDatabase,
  WebOverviewQuery: IconDeviceAnalytics,
  WebStatsTableQuery: IconListDetails,
  WebGoalsQuery: IconTargetArrow,
  line: IconChartLine,
  area: IconChartAreaLine,
  bar: IconChartBar,
  totals: IconAlignLeft,
  number: IconNumber123,
  gauge: IconGauge,
  pie: IconChartPie,
  table: IconTable,
  calendar: IconCalendarWeek,
  map: IconWorld,
  box: IconChartCandle,
}

/** Names the kind of an insight, or the display that its query chooses. */
function insightKind(query: object): readonly [name: string, symbol: SymbolName] {
  const kind = kindOf(query)
  if (!kind) return ['Insight', 'line']
  const all = kind.display?.all ?? {}
  const display = displayOf(all, unwrapQuery(query).source)
  const isDefault = display === Object.values(all)[0]
  return isDefault ? [kind.name, kind.kind] : [display.label, display.form]
}

export function InsightKind({ query }: { readonly query: object }) {
  const [name, symbol] = insightKind(query)
  const Icon = ICONS[symbol]
  return (
    <Text component="span" c="dimmed" lh={0} role="img" aria-label={name} title={name}>
      <Icon size={18} stroke={1.6} />
    </Text>
  )
}
