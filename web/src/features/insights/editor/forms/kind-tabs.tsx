import { Tabs } from '@mantine/core'
import classes from '../editor.module.css'
import { KINDS, type Kind } from '../query-model.ts'

interface KindTabsProps {
  readonly kind: Kind
  readonly onChange: (kind: Kind) => void
}

export function KindTabs({ kind, onChange }: KindTabsProps) {
  return (
    <Tabs value={kind} onChange={(value) => onChange(value as Kind)}>
      <Tabs.List className={classes.tabs ?? ''} aria-label="Kind of insight">
        {KINDS.map(({ kind: value, name, about }) => (
          <Tabs.Tab key={value} value={value} title={about}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
