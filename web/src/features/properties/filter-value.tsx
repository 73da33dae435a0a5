import { Group, NumberInput, TagsInput, TextInput } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { toValueLabel } from '#model/names/event-label.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { filterNames, NamePill, renderName, scrollingList } from '../../ui/form/name-options.tsx'
import { usePropertyValueNames } from './api.ts'
import { CohortSelect } from './cohort-select.tsx'
import { filterValues, type SavedFilter, toCurrentForm, toPropertyRef } from './filters-model.ts'
import type { Dropdown } from './property-picker.tsx'

interface FilterValueProps {
  readonly filter: PropertyFilter
  readonly event?: string | null | undefined
  readonly error?: string | undefined
  readonly dropdown: Dropdown
  readonly onChange: (value: Pick<SavedFilter, 'value' | 'cohort_name'>) => void
}

/** The value field that the operator needs. */
export function FilterValue(props: FilterValueProps) {
  const { filter, error, dropdown } = props
  const onChange = (value: PropertyFilter['value']) => props.onChange({ value })
  const [first = '', second = ''] = filterValues(filter)
  switch (toCurrentForm(filter)) {
    case 'none':
      return null
    case 'list':
      return <ValueList {...props} />
    case 'cohort':
      return (
        <CohortSelect
          value={first === '' ? undefined : Number(first)}
          error={error}
          dropdown={dropdown}
          onChange={({ id, name }) => props.onChange({ value: id, cohort_name: name })}
        />
      )
    case 'number':
      return (
        <NumberInput
          aria-label="Value"
          placeholder="Number"
          value={first}
          error={error}
          onChange={(value) => onChange(value === '' ? null : Number(value))}
        />
      )
    case 'range':
      return (
        <Group gap="xs" grow wrap="nowrap" align="flex-start">
          <NumberInput
            aria-label="From"
            placeholder="From"
            value={first}
            error={error}
            onChange={(value) => onChange([String(value), second])}
          />
          <NumberInput
            aria-label="To"
            placeholder="To"
            value={second}
            onChange={(value) => onChange([first, String(value)])}
          />
        </Group>
      )
    case 'date':
      return (
        <DateInput
          aria-label="Date"
          placeholder="Date"
          value={first || null}
          error={error}
          popoverProps={dropdown}
          onChange={onChange}
        />
      )
    default:
      return (
        <TextInput
          aria-label="Value"
          placeholder="Regular expression"
          value={first}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
  }
}

const toOption = (value: string) => ({ value, name: value, label: toValueLabel(value) })

const NO_PROPERTY = { type: 'event', key: '' } as const

function ValueList({ filter, event, error, dropdown, onChange }: FilterValueProps) {
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [settled] = useDebouncedValue(search, 200)
  const found = usePropertyValueNames(toPropertyRef(filter) ?? NO_PROPERTY, event, settled)
  return (
    <TagsInput
      aria-label="Values"
      placeholder={filterValues(filter).length === 0 ? 'Value' : ''}
      data={[...new Set(found)].map(toOption)}
      value={[...filterValues(filter)]}
      error={error}
      onChange={(values) => onChange({ value: values.length === 0 ? null : values })}
      onSearchChange={setSearch}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // most filters have one value, and the list would cover what comes next
      onOptionSubmit={() => setOpen(false)}
      acceptValueOnBlur
      limit={50}
      filter={filterNames}
      renderOption={renderName}
      renderPill={({ option, onRemove }) => (
        <NamePill
          name={`${option.value}`}
          label={toValueLabel(`${option.value}`)}
          onRemove={onRemove}
        />
      )}
      {...scrollingList}
      comboboxProps={dropdown}
    />
  )
}
