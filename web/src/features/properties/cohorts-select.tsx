import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCohortChoices } from './api.ts'

/** Stands for everyone in a breakdown. */
const ALL = { value: 'all', label: 'All persons' }

/** The ID of a cohort, or `all`. */
export type CohortKey = string | number

interface CohortsSelectProps {
  readonly value: readonly CohortKey[]
  readonly max: number
  readonly error?: string | undefined
  readonly onChange: (cohorts: CohortKey[]) => void
}

const WAIT_MS = 200

/** Selects several cohorts by their names, and everyone. */
export function CohortsSelect({ value, max, error, onChange }: CohortsSelectProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), WAIT_MS)
  const ids = value.map(Number).filter(Number.isSafeInteger)
  const cohorts = useCohortChoices(ids, settled)
  return (
    <MultiSelect
      aria-label="Cohorts"
      placeholder={value.length === 0 ? 'Choose cohorts' : ''}
      data={[ALL, ...cohorts]}
      value={value.map(String)}
      error={error}
      searchable
      clearable
      maxValues={max}
      maxDropdownHeight={280}
      nothingFoundMessage="No cohorts match"
      onSearchChange={setSearch}
      onChange={(keys) => onChange(keys.map((key) => (key === ALL.value ? key : Number(key))))}
    />
  )
}
