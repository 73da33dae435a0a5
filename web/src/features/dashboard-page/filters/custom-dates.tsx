import { DayRange } from '../../../ui/form/day-range.tsx'
import type { SearchDates } from './date-range.tsx'

export function CustomDates({
  range,
  onChoose,
}: {
  readonly range: SearchDates
  readonly onChoose: (range: SearchDates) => void
}) {
  return (
    <DayRange
      from={range.date_from}
      to={range.date_to}
      onChange={(date_from, date_to) => onChoose({ date_from, date_to })}
    />
  )
}
