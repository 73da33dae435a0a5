import { Pill } from '@mantine/core'
import type { SearchFilter } from '../../dashboard-list/search.ts'
import { describeFilter } from '../../properties/filters-model.ts'

interface FilterPillsProps {
  readonly filters: readonly SearchFilter[]
  readonly onRemove: ((filter: SearchFilter) => void) | undefined
}

/** Each filter in words, with a button that removes it. */
export function FilterPills({ filters, onRemove }: FilterPillsProps) {
  return filters.map((filter) => {
    const words = describeFilter(filter)
    return (
      <Pill
        key={words}
        size="md"
        withRemoveButton={onRemove !== undefined}
        onRemove={() => onRemove?.(filter)}
        removeButtonProps={{
          'aria-label': `Remove filter: ${words}`,
          // Mantine leaves the button out of the keyboard's reach
          'aria-hidden': false,
          tabIndex: 0,
        }}
      >
        {words}
      </Pill>
    )
  })
}
