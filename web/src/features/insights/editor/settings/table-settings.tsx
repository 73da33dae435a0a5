import { Switch } from '@mantine/core'
import { Choice } from '../../../../ui/form/choice.tsx'
import { Section } from '../forms/section.tsx'
import { isOverTime } from './axis-settings.tsx'
import type { SettingsProps } from './settings.ts'

const CELLS = [
  { value: 'plain', label: 'Plain' },
  { value: 'bars', label: 'Bars' },
  { value: 'colors', label: 'Colors' },
] as const

const LAST = [
  { value: 'total', label: 'Total' },
  { value: 'median', label: 'Median' },
  { value: 'average', label: 'None' },
] as const

/** The cells of a table, or the table below a chart over time. */
export function TableSettings({ settings, set, path, display }: SettingsProps) {
  if (display?.form === 'table') {
    return (
      <Section title="Table">
        <Choice
          label="Numbers on"
          data={CELLS}
          value={settings.tableCells ?? 'plain'}
          onChange={(tableCells) => set({ tableCells })}
        />
      </Section>
    )
  }
  if (path !== 'trendsFilter' || !isOverTime(display)) return null
  return (
    <Section title="Table below the chart">
      <Switch
        label="Minimum, average and maximum"
        checked={settings.showDetailedResults ?? false}
        onChange={({ currentTarget }) => set({ showDetailedResults: currentTarget.checked })}
      />
      {settings.showDetailedResults && (
        <Choice
          label="Last column"
          data={LAST}
          value={settings.detailedResultsAggregationType ?? 'total'}
          onChange={(type) => set({ detailedResultsAggregationType: type })}
        />
      )}
    </Section>
  )
}
