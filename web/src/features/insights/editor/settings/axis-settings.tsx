import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useFieldError } from '../errors.tsx'
import { Section } from '../forms/section.tsx'
import { type SettingsProps, toNumberOrNull } from './settings.ts'

/** Titles, ends and scale of the axes, or the ends of a gauge. */
export function AxisSettings({ settings, set, path, display }: SettingsProps) {
  const maxError = useFieldError(`${path}__yAxisMax`)
  const isGauge = display?.form === 'gauge'
  if (!isOverTime(display) && !isGauge) return null
  const { xAxisLabel, yAxisLabel, yAxisMin, yAxisMax, yAxisScaleType } = settings
  return (
    <Section title={isGauge ? 'Scale' : 'Axes'}>
      <SimpleGrid cols={2} spacing="xs">
        {!isGauge && (
          <>
            <TextInput
              label="Y axis title"
              maxLength={100}
              value={yAxisLabel ?? ''}
              onChange={({ currentTarget }) => set({ yAxisLabel: currentTarget.value })}
            />
            <TextInput
              label="X axis title"
              maxLength={100}
              value={xAxisLabel ?? ''}
              onChange={({ currentTarget }) => set({ xAxisLabel: currentTarget.value })}
            />
          </>
        )}
        <NumberInput
          label={isGauge ? 'Minimum' : 'Y axis minimum'}
          placeholder="Automatic"
          value={yAxisMin ?? ''}
          onChange={(value) => set({ yAxisMin: toNumberOrNull(value) })}
        />
        <NumberInput
          label={isGauge ? 'Maximum' : 'Y axis maximum'}
          placeholder="Automatic"
          value={yAxisMax ?? ''}
          error={maxError}
          onChange={(value) => set({ yAxisMax: toNumberOrNull(value) })}
        />
      </SimpleGrid>
      {display?.form !== 'box' && !isGauge && !display?.stacked && (
        <Switch
          label="Logarithmic scale"
          checked={yAxisScaleType === 'log10'}
          onChange={({ currentTarget }) =>
            set({ yAxisScaleType: currentTarget.checked ? 'log10' : 'linear' })
          }
        />
      )}
    </Section>
  )
}

/** Tells whether a display has axes. Kinds without displays are bars. */
export const isOverTime = (display: SettingsProps['display']): boolean =>
  !display || ['line', 'area', 'bar', 'box'].includes(display.form)
