import { Pill } from '@mantine/core'
import { describeFilter, type SavedFilter, STORED_NAMES } from './filters-model.ts'

interface FilterPillsProps {
  readonly filters: readonly SavedFilter[]
  readonly onRemove: ((filter: SavedFilter) => void) | undefined
}

/** Each filter in words, with its stored names in a tooltip and a button that removes it. */
export function FilterPills({ filters, onRemove }: FilterPillsProps) {
  return filters.map((filter) => {
    const words = describeFilter(filter)
    return (
      <Pill
        key={words}
        size="md"
        title={describeFilter(filter, STORED_NAMES)}
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
