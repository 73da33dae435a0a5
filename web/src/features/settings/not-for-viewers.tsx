import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { EmptyState } from '../../ui/page/states.tsx'

/** Stands in for the pages that viewers of a project cannot open. */
export function NotForViewers() {
  const projectId = `${useProjectId()}`
  return (
    <EmptyState
      icon={IconEye}
      title="This page is not open to viewers"
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/project/$projectId/dashboards" params={{ projectId }} {...props} />
          )}
        >
          Show dashboards
        </Button>
      }
    >
      You can see the dashboards and insights of this project. Ask an admin to make you a member if
      you need more.
    </EmptyState>
  )
}
