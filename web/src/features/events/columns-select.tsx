import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { type EventColumn, toColumnText } from '#model/event-columns.ts'
import { usePropertyNames } from '../properties/api.ts'
import { MAX_SHOWN } from './use-columns.ts'

interface ColumnsSelectProps {
  readonly columns: readonly EventColumn[]
  /** Suggests the properties of this event. */
  readonly event: string | undefined
  readonly onChange: (columns: string[]) => void
}

const WAIT_MS = 200

const toOption = (column: EventColumn) => ({ value: toColumnText(column), label: column.key })

/** Chooses properties of events and persons as columns; the server searches them, from the first open on. */
export function ColumnsSelect({ columns, event, onChange }: ColumnsSelectProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), WAIT_MS)
  const [isUsed, setUsed] = useState(false)
  const once = { enabled: isUsed }
  const known = {
    event: usePropertyNames('event', event, settled, once).names,
    person: usePropertyNames('person', null, settled, once).names,
  }
  const listOptions = (type: EventColumn['type']) => {
    const chosen = columns.filter((column) => column.type === type).map(({ key }) => key)
    return [...new Set([...chosen, ...known[type].keys()])].map((key) => toOption({ type, key }))
  }
  return (
    <MultiSelect
      aria-label="Property columns"
      placeholder={columns.length > 0 ? undefined : 'Property columns'}
      leftSection={<IconColumns3 size={16} aria-hidden />}
      data={[
        { group: 'Event properties', items: listOptions('event') },
        { group: 'Person properties', items: listOptions('person') },
      ]}
      value={columns.map(toColumnText)}
      onChange={onChange}
      onSearchChange={setSearch}
      onDropdownOpen={() => setUsed(true)}
      maxValues={MAX_SHOWN}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear columns' }}
      nothingFoundMessage="No matching properties"
      maxDropdownHeight={320}
      flex="1 1 220px"
    />
  )
}
