import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { toEventLabel } from '#model/names/event-label.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { filterNames, renderName, scrollingList } from '../../../ui/form/name-options.tsx'
import { useEventDefinitions } from '../../definitions/api.ts'
import { toEventOption } from '../../definitions/name-option.ts'

interface EventPickerProps {
  readonly label: string
  readonly isLabelShown?: boolean
  readonly value: string | null
  readonly onChange: (event: string | null) => void
  readonly error?: string | undefined
}

const WAIT_MS = 200
const ALL_EVENTS = 'All events'

/** Event names may be any text, so values of names start with `=`. */
const ANY = 'any'
const toValue = (name: string): string => `=${name}`

/** Selects a known event name, takes a typed one, or counts all events. */
export function EventPicker({ label, isLabelShown, value, onChange, error }: EventPickerProps) {
  const [search, setSearch] = useState('')
  // the field shows the selected event, which is not a search
  const shown = value === null ? ALL_EVENTS : toEventLabel(value)
  const typed = search === shown ? '' : search.trim()
  const [settled] = useDebouncedValue(typed, WAIT_MS)
  const listed = new Map(useEventDefinitions(settled).data?.map((each) => [each.name, each]))
  const known = [...new Set([...(value ? [value] : []), ...listed.keys()])]
  const isNew = typed !== '' && !known.includes(typed)
  const data = [
    { value: ANY, label: ALL_EVENTS },
    ...known.map((name) => ({
      ...toEventOption(name, listed.get(name)),
      value: toValue(name),
    })),
    ...(isNew ? [{ value: toValue(typed), label: `Use “${typed}”` }] : []),
  ]
  return (
    <Choice
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      error={error}
      title={value !== null && shown !== value ? value : undefined}
      data={data}
      value={value === null ? ANY : toValue(value)}
      onChange={(chosen) => onChange(chosen.startsWith('=') ? chosen.slice(1) : null)}
      searchable
      {...scrollingList}
      limit={100}
      filter={filterNames}
      renderOption={renderName}
      nothingFoundMessage="Type a name"
      selectFirstOptionOnChange
      onSearchChange={setSearch}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
