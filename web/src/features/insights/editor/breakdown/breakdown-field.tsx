import { NumberInput } from '@mantine/core'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import { useFieldError } from '../errors.tsx'
import { PropertyPicker } from '../pickers.tsx'
import { listBreakdowns, withBreakdown } from './breakdown-model.ts'

interface BreakdownFieldProps {
  readonly breakdown: BreakdownFilter | null | undefined
  readonly event?: string | null | undefined
  readonly onChange: (breakdown: BreakdownFilter | null) => void
}

const MAX_BREAKDOWNS = 3

/** Splits the result by up to three properties. */
export function BreakdownField({ breakdown, event, onChange }: BreakdownFieldProps) {
  const problem = useFieldError('breakdownFilter')
  const names = listBreakdowns(breakdown)
  const shown = names.length < MAX_BREAKDOWNS ? [...names, null] : names
  return (
    <>
      {shown.map((name, at) => (
        <PropertyPicker
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
          key={at}
          label={at === 0 ? 'Break down by' : 'Then by'}
          placeholder={at === 0 ? 'No breakdown' : 'Another property'}
          value={name}
          event={event}
          clearable
          error={at === Math.max(0, names.length - 1) ? problem : undefined}
          onChange={(chosen) => onChange(withBreakdown(breakdown, at, chosen))}
        />
      ))}
      {names.length > 0 && (
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
    </>
  )
}
