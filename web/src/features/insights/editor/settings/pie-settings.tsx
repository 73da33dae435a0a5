import { Choice } from '../../../../ui/form/choice.tsx'
import { Section } from '../forms/section.tsx'
import type { SettingsProps } from './settings.ts'

const SHAPES = [
  { value: 'ring', label: 'Ring with the total' },
  { value: 'full', label: 'Full circle' },
] as const

export function PieSettings({ settings, set, display }: SettingsProps) {
  if (display?.form !== 'pie') return null
  return (
    <Section title="Pie">
      <Choice
        label="Shape"
        data={SHAPES}
        value={settings.pieShape ?? 'ring'}
        onChange={(pieShape) => set({ pieShape })}
      />
    </Section>
  )
}
