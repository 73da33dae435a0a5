import { Collapse, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import type { DisplaySettings } from '#model/display-settings.ts'
import { SQL_SETTINGS, settingsOf } from '#model/display-settings.ts'
import { displayOf } from '#model/displays.ts'
import { kindOf, type Query, type QueryNode } from '#model/query-kinds/index.ts'
import { readTable } from '#model/query-kinds/sql-table.ts'
import { Card } from '../../../../ui/page/card.tsx'
import type { QueryResponse } from '../api.ts'
import classes from '../editor.module.css'
import { AxisSettings } from './axis-settings.tsx'
import { ChartSettings } from './chart-settings.tsx'
import { ColorRuleSettings } from './color-rule-settings.tsx'
import { GoalSettings } from './goal-settings.tsx'
import { NumberSettings } from './number-settings.tsx'
import { NumberTileSettings } from './number-tile-settings.tsx'
import { PieSettings } from './pie-settings.tsx'
import { SeriesSettings } from './series-settings.tsx'
import type { SettingsProps } from './settings.ts'
import { TableSettings } from './table-settings.tsx'

interface DisplaySectionProps {
  readonly node: QueryNode
  /** The result that the chart shows, whose series have colors and whose columns have rules. */
  readonly shown: Pick<QueryResponse, 'results' | 'columns'> | undefined
  readonly onChange: (node: QueryNode) => void
}

/** The display settings of a chart, closed until they are needed. */
export function DisplaySection({ node, shown, onChange }: DisplaySectionProps) {
  const [isOpen, { toggle }] = useDisclosure()
  const { source } = node
  const { settingsField, display } = kindOf(source) ?? {}
  if (!settingsField) return null
  const isSql = settingsField === SQL_SETTINGS
  const table = isSql ? readTable({ title: '', query: node, result: shown }) : undefined
  const settings = settingsOf(node)
  const set = (changed: DisplaySettings) => {
    const all = { [settingsField]: { ...settings, ...changed } }
    onChange(isSql ? { ...node, ...all } : { ...node, source: { ...source, ...all } as Query })
  }
  const props: SettingsProps = {
    settings,
    set,
    path: settingsField,
    display: display && (table?.display ?? displayOf(display.all, node)),
    columns: table ? table.columns.filter((_, at) => table.isNumber[at]) : [],
  }
  return (
    <Card>
      <UnstyledButton className={classes.disclosure ?? ''} aria-expanded={isOpen} onClick={toggle}>
        <Text component="h2" size="sm" fw={600} m={0}>
          Display
        </Text>
        <IconChevronRight size={16} />
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Stack gap="lg" pt="md">
          <NumberSettings {...props} />
          <NumberTileSettings {...props} />
          <AxisSettings {...props} />
          <ChartSettings {...props} />
          <PieSettings {...props} />
          <GoalSettings {...props} />
          <TableSettings {...props} />
          <ColorRuleSettings {...props} />
          {!isSql && <SeriesSettings {...props} result={shown?.results} />}
        </Stack>
      </Collapse>
    </Card>
  )
}
