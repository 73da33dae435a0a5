import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../page/states.tsx'

interface NothingFoundProps {
  /** Singular noun: "dashboard". */
  readonly thing: string
  /** The fields that are searched. */
  readonly searched?: string
  readonly onClear: () => void
}

export function NothingFound({
  thing,
  searched = 'name, description or tag',
  onClear,
}: NothingFoundProps) {
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
      No {searched} matches.
    </EmptyState>
  )
}
