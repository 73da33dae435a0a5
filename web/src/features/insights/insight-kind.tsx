import { Text } from '@mantine/core'
import { displayOf, findDisplay } from '#model/displays.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import * as ICONS from './icons.ts'

/** Names the kind of an insight, or the display that its query chooses. */
function insightKind(query: object) {
  const kind = kindOf(query)
  if (!kind) return { label: 'Insight', icon: 'IconChartLine' } as const
  const all = kind.display?.all ?? {}
  const display = displayOf(all, unwrapQuery(query).source)
  const isDefault = display === findDisplay(all, undefined)
  return isDefault ? { label: kind.name, icon: kind.icon } : display
}

export function InsightKind({ query }: { readonly query: object }) {
  const { label, icon } = insightKind(query)
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: icons.ts exports only these icons
  const Icon = ICONS[icon]
  return (
    <Text component="span" c="dimmed" lh={0} role="img" aria-label={label} title={label}>
      <Icon size={18} stroke={1.6} />
    </Text>
  )
}
