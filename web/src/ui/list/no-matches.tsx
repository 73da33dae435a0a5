import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { EmptyState } from '../page/states.tsx'

interface NoMatchesProps {
  /** Plural noun: "events". */
  readonly things: string
  readonly onClear: () => void
}

/** Says that filters leave nothing, and clears them. */
export const NoMatches = ({ things, onClear }: NoMatchesProps) => (
  <EmptyState
    icon={IconFilterOff}
    title={`No ${things} found`}
    action={
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    }
  >
    No {things} match these filters.
  </EmptyState>
)
