import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { Empty } from '../states.tsx'

interface NothingFoundProps {
  /** "dashboard". */
  readonly thing: string
  readonly onClear: () => void
}

export function NothingFound({ thing, onClear }: NothingFoundProps) {
  return (
    <Empty
      icon={IconSearchOff}
      title={`No ${thing} found`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and tags
        </Button>
      }
    >
      Nothing here has that in its name, description or tags.
    </Empty>
  )
}
