import { MultiSelect, NumberInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { type DashboardItem, useDashboardSearch } from '../../dashboard-list/api.ts'
import { dashboardName } from '../../dashboard-list/dashboard-row.tsx'

interface TvDialogProps {
  readonly dashboardId: number
  readonly onClose: () => void
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** Lists the chosen dashboards, which the search may not find, before the others. */
function toChoices(
  chosen: readonly Choice[],
  found: readonly DashboardItem[],
  dashboardId: number,
): Choice[] {
  const known = new Set([`${dashboardId}`, ...chosen.map(({ value }) => value)])
  const others = found.map((item) => ({ value: `${item.id}`, label: dashboardName(item) }))
  return [...chosen, ...others.filter(({ value }) => !known.has(value))]
}

const toNothing = (search: string): string =>
  search ? 'No dashboards match' : 'No other dashboards'

/** Starts TV mode with this dashboard, or with several in turn. */
export function TvDialog({ dashboardId, onClose }: TvDialogProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useDashboardSearch(search)
  const [others, setOthers] = useState<readonly Choice[]>([])
  const [seconds, setSeconds] = useState<number | string>(30)
  const choices = toChoices(others, found.data?.results ?? [], dashboardId)
  const start = () => {
    const rotate =
      others.length > 0 ? [dashboardId, ...others.map(({ value }) => Number(value))] : undefined
    const turn = rotate && { rotate, seconds: Number(seconds) || 30 }
    void navigate({
      to: '.',
      search: (before) => ({ ...before, kiosk: true as const, ...turn }),
      replace: true,
    })
  }
  return (
    <FormDialog
      title="TV mode"
      yes="Start TV mode"
      yesProps={{ 'data-autofocus': true }}
      onSubmit={start}
      onClose={onClose}
    >
      <MultiSelect
        label="More dashboards"
        description="They take turns with this one."
        placeholder={others.length === 0 ? 'Only this dashboard' : undefined}
        data={choices}
        value={others.map(({ value }) => value)}
        onChange={(ids) =>
          setOthers(ids.flatMap((id) => choices.find(({ value }) => value === id) ?? []))
        }
        searchable
        searchValue={text}
        onSearchChange={setText}
        filter={({ options }) => options}
        hidePickedOptions
        nothingFoundMessage={found.isFetching ? 'Searching…' : toNothing(search)}
      />
      {others.length > 0 && (
        <NumberInput
          label="Seconds for each"
          min={5}
          max={3600}
          value={seconds}
          onChange={setSeconds}
        />
      )}
    </FormDialog>
  )
}
