import { Button } from '@mantine/core'
import { IconFilterOff, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { EmptyState } from '../../ui/page/states.tsx'

export const NoMatches = ({ onClear }: { readonly onClear: () => void }) => (
  <EmptyState
    icon={IconFilterOff}
    title="No visits found"
    action={
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    }
  >
    No visits match these filters.
  </EmptyState>
)

/** Says how to send page views. */
export function NoVisits() {
  const projectId = `${useProjectId()}`
  return (
    <EmptyState
      icon={IconWorld}
      title="No page views in these dates"
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
      Add the snippet to your site: it sends page views, which appear here within seconds. Are there
      older ones? Choose other dates above.
    </EmptyState>
  )
}
