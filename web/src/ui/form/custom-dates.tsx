import { Button, Group, NumberInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { Choice } from './choice.tsx'
import { type Dates, toLast, UNITS } from './date-ranges.ts'
import { DayRange } from './day-range.tsx'

interface CustomDatesProps {
  readonly dates: Dates
  readonly onChoose: (dates: Dates) => void
}

/** Dates that are not in the list: any days of the calendar, or the last N of a unit. */
export function CustomDates({ dates, onChoose }: CustomDatesProps) {
  return (
    <Stack gap="xs">
      <DayRange
        from={dates.date_from}
        to={dates.date_to}
        onChange={(date_from, date_to) => onChoose({ date_from, date_to })}
      />
      <LastN dates={dates} onChoose={onChoose} />
    </Stack>
  )
}

function LastN({ dates, onChoose }: CustomDatesProps) {
  const now = toLast(dates)
  const [count, setCount] = useState<number | string>(now?.count ?? 60)
  const [letter, setLetter] = useState<string>(now?.unit.value ?? 'd')
  const max = UNITS.find(({ value }) => value === letter)?.max
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // a form of React above must not be sent too
        event.stopPropagation()
        if (count !== '') onChoose({ date_from: `-${count}${letter}` })
      }}
    >
      <Group gap={6} wrap="nowrap" fz="sm">
        Last
        <NumberInput
          aria-label="How many"
          size="xs"
          w={64}
          min={1}
          max={max}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={count}
          onChange={setCount}
        />
        <Choice
          aria-label="Unit"
          size="xs"
          w={96}
          comboboxProps={{ withinPortal: false }}
          data={UNITS.map(({ value, label }) => ({ value, label }))}
          value={letter}
          onChange={setLetter}
        />
        <Button type="submit" size="xs" variant="light" disabled={count === ''}>
          Apply
        </Button>
      </Group>
    </form>
  )
}
