import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useEventNames, usePropertyNames } from '../definitions-api.ts'

interface EventPickerProps {
  readonly label: string
  readonly isLabelShown?: boolean
  readonly value: string | null
  readonly onChange: (event: string | null) => void
  readonly error?: string | undefined
}

const WAIT_MS = 200

export function EventPicker({ label, isLabelShown, value, onChange, error }: EventPickerProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, WAIT_MS)
  return (
    <NameSelect
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      value={value}
      onChange={onChange}
      names={useEventNames(settled)}
      onSearch={setSearch}
      anyLabel="All events"
      error={error}
    />
  )
}

interface PropertyPickerProps extends EventPickerProps {
  /** Suggests the properties of this event. */
  readonly event?: string | null | undefined
  readonly placeholder?: string
  readonly clearable?: boolean
}

export function PropertyPicker({
  label,
  isLabelShown,
  event,
  placeholder = 'Property',
  ...props
}: PropertyPickerProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, WAIT_MS)
  return (
    <NameSelect
      {...props}
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      names={usePropertyNames(event, settled)}
      onSearch={setSearch}
    />
  )
}

interface NameSelectProps
  extends Pick<
    SelectProps,
    'label' | 'placeholder' | 'aria-label' | 'error' | 'size' | 'clearable'
  > {
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly names: readonly string[]
  readonly onSearch?: (search: string) => void
  /** Label of "no name": "All events". */
  readonly anyLabel?: string
}

/** Event names may be any text, so values of names start with `=`. */
const ANY = 'any'
const toOption = (name: string, label = name) => ({ value: `=${name}`, label })

/** Selects a known name or takes a typed one. */
function NameSelect({ value, onChange, names, onSearch, anyLabel, ...props }: NameSelectProps) {
  const [search, setSearch] = useState('')
  const known = [...new Set([...(value ? [value] : []), ...names])]
  const typed = search.trim()
  const isNew = typed !== '' && typed !== anyLabel && !known.includes(typed)
  const data = [
    ...(anyLabel ? [{ value: ANY, label: anyLabel }] : []),
    ...known.map((name) => toOption(name)),
    ...(isNew ? [toOption(typed, `Use “${typed}”`)] : []),
  ]
  return (
    <Select
      {...props}
      data={data}
      value={value === null ? (anyLabel ? ANY : null) : `=${value}`}
      onChange={(chosen) => onChange(chosen?.startsWith('=') ? chosen.slice(1) : null)}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      limit={100}
      nothingFoundMessage="Type a name"
      selectFirstOptionOnChange
      onSearchChange={(text) => {
        setSearch(text)
        // the field shows the selected name, which is not a search
        onSearch?.(text === value || text === anyLabel ? '' : text)
      }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
