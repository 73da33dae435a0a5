import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Empty } from '../ui/states.tsx'

export function NotFound() {
  return (
    <Empty
      icon={IconMapOff}
      title="Page not found"
      action={
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      }
    >
      It may have been deleted, or you may not have access to its project.
    </Empty>
  )
}
