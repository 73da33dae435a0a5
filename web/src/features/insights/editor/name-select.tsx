import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'

interface NameSelectProps
  extends Pick<
    SelectProps,
    'label' | 'placeholder' | 'aria-label' | 'error' | 'size' | 'clearable'
  > {
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly names: readonly string[]
  readonly onSearch?: (search: string) => void
  /** What no name at all means: "All events". */
  readonly anyLabel?: string
}

/** Names may be anything, so what they stand for is told apart by a mark before them. */
const ANY = 'any'
const toOption = (name: string, label = name) => ({ value: `=${name}`, label })

/** One of the names that are known, or any other that is typed. */
export function NameSelect({
  value,
  onChange,
  names,
  onSearch,
  anyLabel,
  ...props
}: NameSelectProps) {
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
        // what was chosen stands in the field, too, and is not what is looked for
        onSearch?.(text === value || text === anyLabel ? '' : text)
      }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
