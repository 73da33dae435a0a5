import { NumberInput } from '@mantine/core'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import { PropertyPicker } from '../pickers.tsx'
import { useFieldProblem } from '../problems.tsx'
import { listBreakdowns, withBreakdown } from './breakdown-model.ts'

interface BreakdownFieldProps {
  readonly breakdown: BreakdownFilter | null | undefined
  readonly event?: string | null | undefined
  readonly onChange: (breakdown: BreakdownFilter | null) => void
}

const MAX_BREAKDOWNS = 3

/** A line, bar or number for each value of a property, up to three together. */
export function BreakdownField({ breakdown, event, onChange }: BreakdownFieldProps) {
  const problem = useFieldProblem('breakdownFilter')
  const names = listBreakdowns(breakdown)
  const shown = names.length < MAX_BREAKDOWNS ? [...names, null] : names
  return (
    <>
      {shown.map((name, at) => (
        <PropertyPicker
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is known by
          key={at}
          label={at === 0 ? 'Break down by' : 'And by'}
          placeholder={at === 0 ? 'No breakdown' : 'And by another property'}
          value={name}
          event={event}
          clearable
          error={at === Math.max(0, names.length - 1) ? problem : undefined}
          onChange={(chosen) => onChange(withBreakdown(breakdown, at, chosen))}
        />
      ))}
      {names.length > 0 && (
        <NumberInput
          label="At most so many values"
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
