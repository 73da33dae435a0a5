import { displayOf, nameOf, toOptions } from '#model/displays.ts'
import { kindOf, type Query, type QueryNode } from '#model/query-kinds/index.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { DateRangePicker } from '../../../../ui/form/date-range-picker.tsx'
import classes from '../editor.module.css'
import { useFieldError } from '../errors.tsx'

/** Fields that several kinds of query share. */
type ToolbarFields = Pick<TrendsQuery, 'dateRange' | 'interval' | 'compareFilter'>

interface ToolbarProps {
  readonly node: QueryNode
  readonly onChange: (node: QueryNode) => void
}

const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'].map((value) => ({
  value,
  label: `By ${value}`,
}))

const COMPARISONS = [
  { value: '', label: 'No comparison' },
  { value: 'previous', label: 'Previous period' },
  { value: '-1w', label: 'A week earlier' },
  { value: '-1m', label: 'A month earlier' },
  { value: '-1y', label: 'A year earlier' },
]

/** The server's default. */
const DEFAULT_FROM = '-7d'

/** Dates, interval, comparison and display, above the chart because they change most. */
export function Toolbar({ node, onChange }: ToolbarProps) {
  const { source } = node
  const set = (changed: Partial<Query>) =>
    onChange({ ...node, source: { ...source, ...changed } as Query })
  const datesError = useFieldError('dateRange')
  const intervalError = useFieldError('interval')
  const { fields, display } = kindOf(source) ?? {}
  const { dates, compare, hasInterval } = fields ?? {}
  const { dateRange, interval, compareFilter } = source as ToolbarFields
  if (!dates && !display) return null
  return (
    <div className={classes.toolbar}>
      {dates && (
        <DateRangePicker
          size="sm"
          dates={{ ...dateRange, date_from: dateRange?.date_from || DEFAULT_FROM }}
          hasError={datesError !== undefined}
          onChange={(dates) => set({ dateRange: dates })}
        />
      )}
      {hasInterval?.(source) && (
        <Choice
          aria-label="Interval"
          className={classes.short ?? ''}
          data={INTERVALS}
          value={interval ?? 'day'}
          error={intervalError}
          onChange={(chosen) => set({ interval: chosen })}
        />
      )}
      {compare && (
        <Choice
          aria-label="Compare with"
          className={classes.long ?? ''}
          data={COMPARISONS}
          value={toComparison(compareFilter)}
          onChange={(choice) => set({ compareFilter: toCompareFilter(choice) })}
        />
      )}
      {display && (
        <Choice
          aria-label="Display"
          className={classes.long ?? ''}
          data={toOptions(display.all)}
          value={nameOf(display.all, displayOf(display.all, node))}
          maxDropdownHeight={400}
          onChange={(value) => onChange(display.set(node, value) as QueryNode)}
        />
      )}
    </div>
  )
}

type CompareFilter = TrendsQuery['compareFilter']

function toComparison(filter: CompareFilter): string {
  if (!filter?.compare) return ''
  const { compare_to } = filter
  const isKnown = compare_to && COMPARISONS.some(({ value }) => value === compare_to)
  return isKnown ? compare_to : 'previous'
}

function toCompareFilter(choice: string): CompareFilter {
  if (choice === '') return null
  return choice === 'previous' ? { compare: true } : { compare: true, compare_to: choice }
}
