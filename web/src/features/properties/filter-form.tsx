import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { FilterRow, type FilterRowProps } from './filter-row.tsx'
import { isComplete, NEW_FILTER, type SavedFilter } from './filters-model.ts'

const INSIDE = { withinPortal: false }

export interface FilterFormProps extends Pick<FilterRowProps, 'types' | 'groupType'> {
  readonly onAdd: (filter: SavedFilter) => void
  readonly onCancel: () => void
}

export function FilterForm({ onAdd, onCancel, ...offered }: FilterFormProps) {
  const [filter, setFilter] = useState<SavedFilter>(NEW_FILTER)
  const isReady = isComplete(filter)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onAdd(filter)
      }}
      onKeyDown={({ key, target }) => {
        const isListOpen = (target as HTMLElement).getAttribute('aria-expanded') === 'true'
        if (key === 'Escape' && !isListOpen) onCancel()
      }}
    >
      <Stack gap="xs">
        <FilterRow {...offered} filter={filter} dropdown={INSIDE} onChange={setFilter} />
        {/* stays in reach: a typed value is complete only once Tab leaves it, which would lead back to the property */}
        <Button
          size="xs"
          type="submit"
          data-disabled={!isReady || undefined}
          aria-disabled={!isReady}
        >
          Apply filter
        </Button>
      </Stack>
    </form>
  )
}
