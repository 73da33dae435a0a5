import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SearchDates } from './date-range.tsx'

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

export function CustomDates({
  range,
  onChoose,
}: {
  readonly range: SearchDates
  readonly onChoose: (range: SearchDates) => void
}) {
  const [from, setFrom] = useState(isDay(range.date_from) ? range.date_from : '')
  const [to, setTo] = useState(isDay(range.date_to) ? range.date_to : '')
  const isBackwards = from !== '' && to !== '' && to < from
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (from && !isBackwards) onChoose({ date_from: from, date_to: to || undefined })
      }}
    >
      <Divider my="xs" />
      <Stack gap="xs">
        <TextInput
          type="date"
          size="xs"
          label="Start date"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          type="date"
          size="xs"
          label="End date (optional)"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={isBackwards && 'The end date is before the start date.'}
        />
        <Button size="xs" type="submit" disabled={!from || isBackwards}>
          Apply
        </Button>
      </Stack>
    </form>
  )
}
