import { DateInput, type DateInputProps } from '@mantine/dates'
import '@mantine/dates/styles.css'

type DayInputProps = Omit<DateInputProps, 'value' | 'onChange'> & {
  /** `2026-03-10`, or empty. */
  readonly value: string
  readonly onDay: (day: string) => void
}

export const DayInput = ({ value, onDay, ...props }: DayInputProps) => (
  <DateInput
    {...props}
    valueFormat="YYYY-MM-DD"
    clearable
    value={value || null}
    onChange={(day) => onDay(day ?? '')}
  />
)
