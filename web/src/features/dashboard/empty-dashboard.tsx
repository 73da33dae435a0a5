import { Button, Group } from '@mantine/core'
import { IconLayoutDashboard, IconTemplate } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { EmptyState } from '../../ui/states.tsx'
import { useDashboardContext } from './context.ts'
import { AddMenu } from './header/add-menu.tsx'

export function EmptyDashboard() {
  const projectId = `${useProjectId()}`
  const { canEdit } = useDashboardContext()
  if (!canEdit) {
    return (
      <EmptyState icon={IconLayoutDashboard} title="Nothing on it yet">
        Whoever can edit this dashboard has put no tiles on it.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconLayoutDashboard}
      title="An empty dashboard"
      action={
        <Group gap="xs" justify="center">
          <AddMenu label="Add the first tile" />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTemplate size={16} />}
            renderRoot={(props) => (
              <Link to="/project/$projectId/templates" params={{ projectId }} {...props} />
            )}
          >
            See the templates
          </Button>
        </Group>
      }
    >
      Put an insight on it to see numbers, or a text to say what they mean. A template makes a
      dashboard that is filled already.
    </EmptyState>
  )
}
