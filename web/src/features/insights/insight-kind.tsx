import { Text } from '@mantine/core'
import {
  IconChartBar,
  IconChartLine,
  IconChartPie,
  IconNumber123,
  IconTable,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { kindOf } from '#model/query-kinds/index.ts'
import { displayOf, unwrapQuery } from '#model/query-node.ts'

type Icon = ComponentType<{ size?: number; stroke?: number }>

/** The icon of each query kind, found by the kind's id. */
const ICONS = import.meta.glob<Icon>('./kinds/*/icon.ts', { eager: true, import: 'default' })

/** The displays that a query itself can choose. */
const DISPLAYS: ReadonlyMap<string, readonly [name: string, icon: Icon]> = new Map([
  ['BoldNumber', ['Number', IconNumber123]],
  ['ActionsBar', ['Bars', IconChartBar]],
  ['ActionsStackedBar', ['Bars', IconChartBar]],
  ['ActionsBarValue', ['Bars by value', IconChartBar]],
  ['ActionsPie', ['Pie', IconChartPie]],
  ['ActionsTable', ['Table', IconTable]],
])

/** Names the kind of an insight, or the display that its query chooses. */
export function insightKind(query: object): readonly [name: string, icon: Icon] {
  const kind = kindOf(query)
  if (!kind) return ['Insight', IconChartLine]
  const display = DISPLAYS.get(displayOf(unwrapQuery(query).source))
  return display ?? [kind.name, ICONS[`./kinds/${kind.id}/icon.ts`] ?? IconChartLine]
}

export function InsightKind({ query }: { readonly query: object }) {
  const [name, Icon] = insightKind(query)
  return (
    <Text component="span" c="dimmed" lh={0} role="img" aria-label={name} title={name}>
      <Icon size={18} stroke={1.6} />
    </Text>
  )
}
