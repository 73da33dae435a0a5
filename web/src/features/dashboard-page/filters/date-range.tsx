import { Button, Group, Popover, Stack, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar, IconCheck } from '@tabler/icons-react'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { DashboardSearch } from '../../dashboard-list/search.ts'
import { loadDialogs } from '../load-dialogs.ts'
import classes from '../page.module.css'
import { DATE_PRESETS, rangeLabel } from './dates.ts'

const CustomDates = lazyComponent(async () => (await loadDialogs()).CustomDates)

export type SearchDates = Pick<DashboardSearch, 'date_from' | 'date_to'>

interface DateRangeProps {
  readonly range: SearchDates
  readonly onChange: (range: SearchDates) => void
}

export function DateRangePicker({ range, onChange }: DateRangeProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  const choose = (chosen: SearchDates) => {
    onChange(chosen)
    close()
  }
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCalendar size={16} />}
          aria-haspopup="dialog"
          // names the dialog too
          aria-label={`Dates: ${rangeLabel(range)}`}
          onClick={toggle}
        >
          {rangeLabel(range)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dates}>
        <Stack gap={2} className={classes.presets}>
          {DATE_PRESETS.map(({ label, ...preset }) => (
            <UnstyledButton
              key={label}
              className={classes.picked}
              fz="sm"
              onClick={() => choose({ date_from: preset.date_from, date_to: preset.date_to })}
            >
              <Group justify="space-between">
                {label}
                {label === rangeLabel(range) && <IconCheck size={14} aria-label="Selected" />}
              </Group>
            </UnstyledButton>
          ))}
        </Stack>
        <CustomDates range={range} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}
