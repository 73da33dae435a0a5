import { Collapse, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import type { DisplaySettings } from '#model/display-settings.ts'
import { settingsOf } from '#model/display-settings.ts'
import { displayOf } from '#model/displays.ts'
import { kindOf, type Query, type QueryNode } from '#model/query-kinds/index.ts'
import { Card } from '../../../../ui/page/card.tsx'
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
  /** The result that the chart shows, whose series have colors. */
  readonly result: unknown
  readonly onChange: (node: QueryNode) => void
}

/** The display settings of a chart, closed until they are needed. */
export function DisplaySection({ node, result, onChange }: DisplaySectionProps) {
  const [isOpen, { toggle }] = useDisclosure()
  const { source } = node
  const { settingsField, display } = kindOf(source) ?? {}
  if (!settingsField) return null
  const settings = settingsOf(source)
  const set = (changed: DisplaySettings) =>
    onChange({
      ...node,
      source: { ...source, [settingsField]: { ...settings, ...changed } } as Query,
    })
  const props: SettingsProps = {
    settings,
    set,
    path: settingsField,
    display: display && displayOf(display.all, node),
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
          <SeriesSettings {...props} result={result} />
        </Stack>
      </Collapse>
    </Card>
  )
}
