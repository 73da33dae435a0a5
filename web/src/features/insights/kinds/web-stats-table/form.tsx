import { Checkbox } from '@mantine/core'
import type { WebStatsTableQuery } from '#model/query-kinds/web-stats-table.schema.ts'
import { WEB_BREAKDOWNS, type WebBreakdown } from '#model/web-breakdowns.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { type FormProps, Section } from '../../editor/forms/section.tsx'

const CHOICES = Object.entries(WEB_BREAKDOWNS).map(([value, { label }]) => ({ value, label }))

export default function WebStatsTableForm({ source, onChange }: FormProps<WebStatsTableQuery>) {
  const { breakdownBy, includeBounceRate } = source
  return (
    <Section title="Visitors by">
      <Choice
        aria-label="Visitors by"
        data={CHOICES}
        value={breakdownBy}
        onChange={(chosen) =>
          onChange({
            ...source,
            breakdownBy: chosen as WebBreakdown,
            includeBounceRate: chosen === 'Page' ? null : includeBounceRate,
          })
        }
      />
      {breakdownBy !== 'Page' && (
        <Checkbox
          label="Show the bounce rate"
          checked={includeBounceRate ?? false}
          onChange={({ currentTarget }) =>
            onChange({ ...source, includeBounceRate: currentTarget.checked })
          }
        />
      )}
    </Section>
  )
}
