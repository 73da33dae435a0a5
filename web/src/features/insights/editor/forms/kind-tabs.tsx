import { Tabs } from '@mantine/core'
import { QUERY_KINDS, type QueryKindName } from '#model/query-kinds/index.ts'
import classes from '../editor.module.css'

interface KindTabsProps {
  readonly kind: QueryKindName
  readonly onChange: (kind: QueryKindName) => void
}

export function KindTabs({ kind, onChange }: KindTabsProps) {
  const offered = QUERY_KINDS.filter((each) => !each.isOfWebPage || each.kind === kind)
  return (
    <Tabs value={kind} onChange={(value) => onChange(value as QueryKindName)}>
      <Tabs.List className={classes.tabs ?? ''} aria-label="Kind of insight">
        {offered.map(({ kind: value, name, description }) => (
          <Tabs.Tab key={value} value={value} title={description}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
