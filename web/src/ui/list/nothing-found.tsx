import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { Empty } from '../states.tsx'

interface NothingFoundProps {
  /** Singular noun: "dashboard". */
  readonly thing: string
  readonly onClear: () => void
}

export function NothingFound({ thing, onClear }: NothingFoundProps) {
  return (
    <Empty
      icon={IconSearchOff}
      title={`No ${thing}s found`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No name, description or tag matches.
    </Empty>
  )
}
