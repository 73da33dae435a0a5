import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { useState } from 'react'
import { toZoneTime } from '#model/zone-time.ts'
import { useProject } from '../../api/project.ts'

/** Days as `2026-03-10`. */
interface DayRangeProps {
  readonly from: string | null | undefined
  readonly to: string | null | undefined
  /** Called once both days are chosen. */
  readonly onChange: (from: string, to: string) => void
}

const BUTTONS = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
}

const toDay = (text: string | null | undefined): string | null =>
  text && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : null

/** Returns today's date in the zone of the project, after which there is nothing to show. */
const toToday = (timeZone = 'UTC'): string => toZoneTime(new Date(), timeZone).slice(0, 10)

/** A calendar for a first and a last day, which may be the same. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  const [chosen, setChosen] = useState<[string | null, string | null]>([toDay(from), toDay(to)])
  const project = useProject()
  const isMonday = project?.week_start_day === 1
  return (
    <DatePicker
      aria-label="First and last day"
      firstDayOfWeek={isMonday ? 1 : 0}
      type="range"
      size="sm"
      allowSingleDateInRange
      weekendDays={[]}
      highlightToday
      maxDate={toToday(project?.timezone)}
      hideOutsideDates
      ariaLabels={BUTTONS}
      value={chosen}
      onChange={(days) => {
        setChosen(days)
        if (days[0] && days[1]) onChange(days[0], days[1])
      }}
    />
  )
}
