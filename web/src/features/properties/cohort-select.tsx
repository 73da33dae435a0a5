import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCohortChoices } from './api.ts'
import type { Dropdown } from './property-picker.tsx'

interface CohortSelectProps {
  readonly value: number | undefined
  readonly error?: string | undefined
  readonly dropdown?: Dropdown
  readonly onChange: (cohort: { readonly id: number; readonly name: string }) => void
}

const WAIT_MS = 200

/** Selects a cohort by its name. */
export function CohortSelect({ value, error, dropdown = {}, onChange }: CohortSelectProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, WAIT_MS)
  const data = useCohortChoices(value === undefined ? [] : [value], settled)
  const chosen = data.find((each) => each.value === `${value}`)
  return (
    <Select
      aria-label="Cohort"
      placeholder="Cohort"
      data={data}
      value={chosen?.value ?? null}
      error={error}
      searchable
      allowDeselect={false}
      maxDropdownHeight={280}
      nothingFoundMessage="No cohorts match"
      // the field shows the selected name, which is not a search
      onSearchChange={(text) => setSearch(text === chosen?.label ? '' : text)}
      onChange={(_, option) => option && onChange({ id: Number(option.value), name: option.label })}
      comboboxProps={dropdown}
    />
  )
}
