import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { BreakdownField } from '../breakdown/breakdown-field.tsx'
import { FormulaFields } from '../formula/formula-fields.tsx'
import { SeriesList } from '../series/series-list.tsx'
import type { FormProps } from './form.ts'
import { Section } from './section.tsx'

/** One for each letter that a formula can name. */
const MAX_SERIES = 26

export function TrendsForm({ source, onChange }: FormProps<TrendsQuery>) {
  return (
    <>
      <Section title="Series">
        <SeriesList
          series={source.series}
          words={{ one: 'series', mark: 'letter' }}
          hasMath
          most={MAX_SERIES}
          onChange={(series) => onChange({ ...source, series })}
        />
      </Section>
      <Section title="Formula" about="Computed from the letters of the series, instead of them.">
        <FormulaFields
          filter={source.trendsFilter}
          onChange={(trendsFilter) => onChange({ ...source, trendsFilter })}
        />
      </Section>
      <Section title="Breakdown">
        <BreakdownField
          breakdown={source.breakdownFilter}
          event={source.series[0]?.event}
          onChange={(breakdownFilter) => onChange({ ...source, breakdownFilter })}
        />
      </Section>
    </>
  )
}
