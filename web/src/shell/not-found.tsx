import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Empty } from '../ui/states.tsx'

export function NotFound() {
  return (
    <Empty
      icon={IconMapOff}
      title="There is no such page"
      action={
        <Button component="a" href="/" variant="default">
          To the start
        </Button>
      }
    >
      It may have been deleted, or it is in a project that you cannot see.
    </Empty>
  )
}
