import { NumberInput } from '@mantine/core'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import { CohortsSelect } from '../../../properties/cohorts-select.tsx'
import { PropertyPicker } from '../../../properties/property-picker.tsx'
import { useFieldError } from '../errors.tsx'
import { type FormProps, Section } from '../forms/section.tsx'
import { isByCohorts, listBreakdowns, readCohorts, withBreakdown } from './breakdown-model.ts'

interface BrokenDown {
  readonly breakdownFilter?: BreakdownFilter | null
  readonly series: readonly { readonly event?: string | null }[]
}

const MAX_BREAKDOWNS = 3
/** The server takes no more. */
const MAX_COHORTS = 25
const TYPES = ['event', 'person', 'session', 'event_metadata'] as const

/** Splits the result by up to three properties of events, persons or sessions, by persons, or by cohorts. */
export function BreakdownSection<S extends BrokenDown>(
  form: Pick<FormProps<S>, 'source' | 'onChange'>,
) {
  const breakdown = form.source.breakdownFilter
  const onChange = (breakdownFilter: BreakdownFilter | null) =>
    form.onChange({ ...form.source, breakdownFilter })
  const problem = useFieldError('breakdownFilter')
  const refs = listBreakdowns(breakdown)
  const hasCohorts = isByCohorts(breakdown)
  const shown = refs.length < MAX_BREAKDOWNS && !hasCohorts ? [...refs, undefined] : refs
  return (
    <Section title="Breakdown">
      {shown.map((ref, at) => (
        <PropertyPicker
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
          key={at}
          label={at === 0 ? 'Break down by' : 'Then by'}
          placeholder={at === 0 ? 'No breakdown' : 'Another property'}
          types={at === 0 && refs.length < 2 ? [...TYPES, 'cohort'] : TYPES}
          value={ref}
          event={form.source.series[0]?.event}
          taken={refs.filter((_, other) => other !== at)}
          clearable
          error={at === Math.max(0, refs.length - 1) && !hasCohorts ? problem : undefined}
          onChange={(chosen) => onChange(withBreakdown(breakdown ?? {}, at, chosen))}
        />
      ))}
      {hasCohorts && (
        <CohortsSelect
          value={readCohorts(breakdown)}
          max={MAX_COHORTS}
          error={problem}
          onChange={(cohorts) => onChange({ ...breakdown, breakdown: cohorts })}
        />
      )}
      {refs.length > 0 && !hasCohorts && (
        <NumberInput
          label="Max. values"
          min={1}
          max={500}
          allowDecimal={false}
          value={breakdown?.breakdown_limit ?? 25}
          onChange={(limit) =>
            typeof limit === 'number' && onChange({ ...breakdown, breakdown_limit: limit })
          }
        />
      )}
    </Section>
  )
}
