import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import { EmptyState } from '../ui/page/states.tsx'

export function NotFound() {
  useDocumentTitle('Page not found · Hedgerow')
  return (
    <EmptyState
      icon={IconMapOff}
      title="Page not found"
      action={
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      }
    >
      It may have been deleted, or you may not have access to its project.
    </EmptyState>
  )
}
