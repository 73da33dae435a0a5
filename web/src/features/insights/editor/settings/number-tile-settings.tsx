import { Switch } from '@mantine/core'
import { Section } from '../forms/section.tsx'
import type { SettingsProps } from './settings.ts'

/** The colors of a number that is compared with the previous period. */
export function NumberTileSettings({ settings, set, display }: SettingsProps) {
  if (display?.form !== 'number') return null
  return (
    <Section title="Comparison">
      <Switch
        label="Lower is better"
        checked={settings.lowerIsBetter ?? false}
        onChange={({ currentTarget }) => set({ lowerIsBetter: currentTarget.checked })}
      />
    </Section>
  )
}
