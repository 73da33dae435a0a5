import { Button } from '@mantine/core'
import { IconBolt, IconFilterOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { EmptyState } from '../../ui/page/states.tsx'

export function NoMatches({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No events found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No events match these filters.
    </EmptyState>
  )
}

export function NoEvents() {
  const projectId = `${useProjectId()}`
  return (
    <EmptyState
      icon={IconBolt}
      title="Waiting for the first event"
      action={
        <Button
          renderRoot={(props) => (
            <Link {...props} to="/project/$projectId/connect" params={{ projectId }} />
          )}
        >
          Connect your data
        </Button>
      }
    >
      Send events from a site or program, or import them. They appear here as they arrive.
    </EmptyState>
  )
}
