import { Button, Group } from '@mantine/core'
import { IconLayoutDashboard, IconTemplate } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProjectId } from '../../api/project.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { useDashboardContext } from './context.ts'

/** Shows an editor how to fill a dashboard. */
export function EmptyDashboard({ add }: { readonly add: ReactNode }) {
  const projectId = `${useProjectId()}`
  const { canEdit } = useDashboardContext()
  if (!canEdit) {
    return (
      <EmptyState icon={IconLayoutDashboard} title="This dashboard is empty">
        People who can edit it can add tiles.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconLayoutDashboard}
      title="This dashboard is empty"
      action={
        <Group gap="xs" justify="center">
          {add}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTemplate size={16} />}
            renderRoot={(props) => (
              <Link to="/project/$projectId/templates" params={{ projectId }} {...props} />
            )}
          >
            Browse templates
          </Button>
        </Group>
      }
    >
      Add an insight or a text, or start from a template.
    </EmptyState>
  )
}
