import { Button, Divider, Group, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { DashboardSearch } from '../../dashboards/search.ts'
import classes from '../page.module.css'
import { labelOf, PRESETS } from './dates.ts'

type Range = Pick<DashboardSearch, 'date_from' | 'date_to'>

interface DateRangeProps {
  readonly range: Range
  readonly onChange: (range: Range) => void
}

export function DateRange({ range, onChange }: DateRangeProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const choose = (chosen: Range) => {
    onChange(chosen)
    close()
  }
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-start" width={260} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCalendar size={16} />}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          {labelOf(range)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Dates">
        <Stack gap={2}>
          {PRESETS.map(({ label, ...preset }) => (
            <UnstyledButton
              key={label}
              className={classes.picked}
              fz="sm"
              onClick={() => choose({ date_from: preset.date_from, date_to: preset.date_to })}
            >
              <Group justify="space-between">
                {label}
                {label === labelOf(range) && <IconCheck size={14} aria-label="chosen" />}
              </Group>
            </UnstyledButton>
          ))}
        </Stack>
        <Divider my="xs" />
        <CustomDates range={range} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

function CustomDates({
  range,
  onChoose,
}: {
  readonly range: Range
  readonly onChoose: (range: Range) => void
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
      <Stack gap="xs">
        <TextInput
          type="date"
          size="xs"
          label="From"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          type="date"
          size="xs"
          label="To, or empty for today"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={isBackwards && 'This is before the first day.'}
        />
        <Button size="xs" type="submit" disabled={!from || isBackwards}>
          Apply
        </Button>
      </Stack>
    </form>
  )
}
