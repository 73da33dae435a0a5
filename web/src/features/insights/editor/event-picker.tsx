import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Choice } from '../../../ui/form/choice.tsx'
import { useEventNames } from '../definitions-api.ts'

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
const toOption = (name: string, label = name) => ({ value: `=${name}`, label })

/** Selects a known event name, takes a typed one, or counts all events. */
export function EventPicker({ label, isLabelShown, value, onChange, error }: EventPickerProps) {
  const [search, setSearch] = useState('')
  // the field shows the selected name, which is not a search
  const typed = search === value || search === ALL_EVENTS ? '' : search.trim()
  const [settled] = useDebouncedValue(typed, WAIT_MS)
  const names = useEventNames(settled)
  const known = [...new Set([...(value ? [value] : []), ...names])]
  const isNew = typed !== '' && !known.includes(typed)
  const data = [
    { value: ANY, label: ALL_EVENTS },
    ...known.map((name) => toOption(name)),
    ...(isNew ? [toOption(typed, `Use “${typed}”`)] : []),
  ]
  return (
    <Choice
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      error={error}
      data={data}
      value={value === null ? ANY : `=${value}`}
      onChange={(chosen) => onChange(chosen.startsWith('=') ? chosen.slice(1) : null)}
      searchable
      maxDropdownHeight={320}
      limit={100}
      nothingFoundMessage="Type a name"
      selectFirstOptionOnChange
      onSearchChange={setSearch}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
