import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import { type FormProps, Section } from '../../editor/forms/section.tsx'
import { SeriesList } from '../../editor/series/series-list.tsx'

export default function WebGoalsForm({ source, onChange }: FormProps<WebGoalsQuery>) {
  return (
    <Section title="Goals" about="Without any, the most frequent events of your own count.">
      <SeriesList
        series={source.goals ?? []}
        words={{ one: 'goal', mark: 'none' }}
        most={20}
        onChange={(goals) => onChange({ ...source, goals: goals.length > 0 ? goals : null })}
      />
    </Section>
  )
}
