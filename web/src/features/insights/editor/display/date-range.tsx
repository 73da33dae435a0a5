import { Button, NavLink, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar } from '@tabler/icons-react'
import type { DateRange } from '#model/query-kinds/common.schema.ts'
import { DayRange } from '../../../../ui/form/day-range.tsx'
import classes from '../editor.module.css'
import { useFieldError } from '../errors.tsx'

const PRESETS: readonly { readonly name: string; readonly range: DateRange }[] = [
  { name: 'Today', range: { date_from: 'dStart' } },
  { name: 'Yesterday', range: { date_from: '-1dStart', date_to: '-1dEnd' } },
  { name: 'Last 24 hours', range: { date_from: '-24h' } },
  { name: 'Last 7 days', range: { date_from: '-7d' } },
  { name: 'Last 14 days', range: { date_from: '-14d' } },
  { name: 'Last 30 days', range: { date_from: '-30d' } },
  { name: 'Last 90 days', range: { date_from: '-90d' } },
  { name: 'Last 12 months', range: { date_from: '-12m' } },
  { name: 'This month', range: { date_from: 'mStart' } },
  { name: 'Last month', range: { date_from: '-1mStart', date_to: '-1mEnd' } },
  { name: 'This year', range: { date_from: 'yStart' } },
  { name: 'All time', range: { date_from: 'all' } },
]

/** The server's default. */
const DEFAULT_FROM = '-7d'

export function queryRangeLabel(range: DateRange | null | undefined): string {
  const from = range?.date_from || DEFAULT_FROM
  const to = range?.date_to || null
  const preset = PRESETS.find(
    ({ range: { date_from, date_to = null } }) => date_from === from && date_to === to,
  )
  if (preset) return preset.name
  return to ? `${from} – ${to}` : `Since ${from}`
}

interface DateRangeFieldProps {
  readonly range: DateRange | null | undefined
  readonly onChange: (range: DateRange) => void
}

export function DateRangeField({ range, onChange }: DateRangeFieldProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const problem = useFieldError('dateRange')
  const choose = (chosen: DateRange) => {
    onChange(chosen)
    close()
  }
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconCalendar size={16} />}
          aria-label={`Dates: ${queryRangeLabel(range)}`}
          color={problem ? 'red' : undefined}
          onClick={toggle}
        >
          {queryRangeLabel(range)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <div className={classes.dates}>
          <div className={classes.presets}>
            {PRESETS.map((preset) => (
              <NavLink
                key={preset.name}
                component="button"
                className={classes.preset ?? ''}
                label={preset.name}
                active={queryRangeLabel(range) === preset.name}
                onClick={() => choose(preset.range)}
              />
            ))}
          </div>
          <DayRange
            from={range?.date_from}
            to={range?.date_to}
            onChange={(date_from, date_to) => choose({ date_from, date_to })}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
