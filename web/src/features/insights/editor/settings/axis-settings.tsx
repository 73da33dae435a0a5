import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useFieldError } from '../errors.tsx'
import { Section } from '../forms/section.tsx'
import { type SettingsProps, toNumberOrNull } from './settings.ts'

/** Titles, ends and scale of the axes. */
export function AxisSettings({ settings, set, path, display }: SettingsProps) {
  const maxError = useFieldError(`${path}__yAxisMax`)
  if (!isOverTime(display)) return null
  const { xAxisLabel, yAxisLabel, yAxisMin, yAxisMax, yAxisScaleType } = settings
  return (
    <Section title="Axes">
      <SimpleGrid cols={2} spacing="xs">
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
        <NumberInput
          label="Y axis minimum"
          placeholder="Automatic"
          value={yAxisMin ?? ''}
          onChange={(value) => set({ yAxisMin: toNumberOrNull(value) })}
        />
        <NumberInput
          label="Y axis maximum"
          placeholder="Automatic"
          value={yAxisMax ?? ''}
          error={maxError}
          onChange={(value) => set({ yAxisMax: toNumberOrNull(value) })}
        />
      </SimpleGrid>
      {!display?.stacked && (
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
  !display || ['line', 'area', 'bar'].includes(display.form)
