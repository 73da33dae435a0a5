import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { projectsQuery } from '../api/session.ts'

export function ProjectPicker() {
  const current = useProject()
  const { results } = useSuspenseQuery(projectsQuery).data
  const navigate = useNavigate()
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          rightSection={<IconChevronDown size={14} />}
          maw={{ base: 150, sm: 260 }}
        >
          {current?.name ?? 'Select project'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {results.map(({ id, name }) => (
          <Menu.Item
            key={id}
            rightSection={id === current?.id && <IconCheck size={14} />}
            onClick={() =>
              void navigate({ to: '/project/$projectId', params: { projectId: `${id}` } })
            }
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
