import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useEventNames, usePropertyNames } from '../definitions-api.ts'
import { NameSelect } from './name-select.tsx'

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
  /** Whose properties are suggested. */
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
