import { NumberInput, Switch } from '@mantine/core'
import { Choice } from '../../../../ui/form/choice.tsx'
import { Section } from '../forms/section.tsx'
import { isOverTime } from './axis-settings.tsx'
import { type SettingsProps, toNumberOrNull } from './settings.ts'

const LINE_SHAPES = [
  { value: 'straight', label: 'Straight' },
  { value: 'smooth', label: 'Smooth' },
  { value: 'step', label: 'Steps' },
] as const

/** The parts of a chart over time beside its values. */
export function ChartSettings({ settings, set, display }: SettingsProps) {
  if (!isOverTime(display)) return null
  const isLine = display?.form === 'line' || display?.form === 'area'
  const canAverage = display && !display.stacked
  const { showLegend, showValuesOnSeries, showPercentStackView, showMovingAverage } = settings
  return (
    <Section title="Chart">
      {isLine && (
        <Choice
          label="Lines"
          data={LINE_SHAPES}
          value={settings.lineShape ?? 'straight'}
          onChange={(lineShape) => set({ lineShape })}
        />
      )}
      <Choice
        label="Legend"
        data={LEGENDS}
        value={showLegend === true ? 'on' : showLegend === false ? 'off' : 'auto'}
        onChange={(choice) => set({ showLegend: choice === 'auto' ? null : choice === 'on' })}
      />
      <Switch
        label="Show values"
        checked={showValuesOnSeries ?? false}
        onChange={({ currentTarget }) => set({ showValuesOnSeries: currentTarget.checked })}
      />
      {display?.stacked && (
        <Switch
          label="Stack to 100%"
          checked={showPercentStackView ?? false}
          onChange={({ currentTarget }) => set({ showPercentStackView: currentTarget.checked })}
        />
      )}
      {canAverage && (
        <Switch
          label="Moving average"
          checked={showMovingAverage ?? false}
          onChange={({ currentTarget }) => set({ showMovingAverage: currentTarget.checked })}
        />
      )}
      {canAverage && showMovingAverage && (
        <NumberInput
          label="Intervals to average"
          placeholder="7"
          min={2}
          max={100}
          allowDecimal={false}
          value={settings.movingAverageIntervals ?? ''}
          onChange={(value) => set({ movingAverageIntervals: toNumberOrNull(value) })}
        />
      )}
    </Section>
  )
}

const LEGENDS = [
  { value: 'auto', label: 'With several series' },
  { value: 'on', label: 'Always' },
  { value: 'off', label: 'Never' },
] as const
