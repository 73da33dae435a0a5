import { Button, Group, Popover, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar, IconCheck } from '@tabler/icons-react'
import { lazyComponent } from '../page/lazy-component.tsx'
import classes from './date-range-picker.module.css'
import { DATE_PRESETS, type Dates, datesLabel } from './date-ranges.ts'

const CustomDates = lazyComponent(async () => (await import('./custom-dates.tsx')).CustomDates)

interface DateRangePickerProps {
  readonly dates: Dates
  /** Names the choice of no dates, which is offered first. */
  readonly none?: string
  readonly size?: string
  readonly hasError?: boolean
  readonly onChange: (dates: Dates) => void
}

/** Chooses dates for a dashboard or an insight. */
export function DateRangePicker({
  dates,
  none,
  size = 'xs',
  hasError = false,
  onChange,
}: DateRangePickerProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const label = datesLabel(dates, none ?? '')
  const choose = ({ date_from, date_to }: Dates) => {
    onChange({ date_from, date_to })
    close()
  }
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          size={size}
          variant="default"
          leftSection={<IconCalendar size={16} />}
          aria-haspopup="dialog"
          // names the dialog too
          aria-label={`Dates: ${label}`}
          color={hasError ? 'red' : undefined}
          onClick={toggle}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dates}>
        <div className={classes.presets}>
          {[...(none ? [{ label: none }] : []), ...DATE_PRESETS].map((preset) => (
            <UnstyledButton
              key={preset.label}
              className={classes.preset}
              fz="sm"
              onClick={() => choose(preset)}
            >
              <Group justify="space-between" wrap="nowrap">
                {preset.label}
                {preset.label === label && <IconCheck size={14} aria-label="Selected" />}
              </Group>
            </UnstyledButton>
          ))}
        </div>
        <CustomDates dates={dates} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}
