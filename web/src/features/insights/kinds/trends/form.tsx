import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { BreakdownSection } from '../../editor/breakdown/breakdown-section.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'
import { Section } from '../../editor/forms/section.tsx'
import { FormulaFields } from '../../editor/formula/formula-fields.tsx'
import { SeriesList } from '../../editor/series/series-list.tsx'

/** One for each letter of a formula. */
const MAX_SERIES = 26

export default function TrendsForm({ source, onChange }: FormProps<TrendsQuery>) {
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
      <Section title="Formula" about="Replaces the series, e.g. A / B.">
        <FormulaFields
          filter={source.trendsFilter}
          onChange={(trendsFilter) => onChange({ ...source, trendsFilter })}
        />
      </Section>
      <BreakdownSection source={source} onChange={onChange} />
    </>
  )
}
