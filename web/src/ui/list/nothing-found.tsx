import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../states.tsx'

interface NothingFoundProps {
  /** Singular noun: "dashboard". */
  readonly thing: string
  readonly onClear: () => void
}

export function NothingFound({ thing, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No ${thing}s found`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No name, description or tag matches.
    </EmptyState>
  )
}
