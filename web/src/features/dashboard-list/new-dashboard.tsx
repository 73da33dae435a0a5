import { Button, Menu } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconBraces, IconChevronDown, IconFile, IconPlus, IconTemplate } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { useCreateFromJson } from './api.ts'
import { BlankDialog } from './blank-dialog.tsx'
import { JsonDialog } from './json-dialog.tsx'
import { useOpenDashboard } from './open-dashboard.ts'

/** Creates a blank dashboard, or one from a template or JSON; `n` opens the menu. */
export function NewDashboardButton() {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const open = useOpenDashboard()
  const create = useCreateFromJson()
  const [isMenuOpen, menu] = useDisclosure()
  const [isBlankOpen, blank] = useDisclosure()
  const [isJsonOpen, json] = useDisclosure()
  useHotkeys([['n', menu.open]])
  return (
    <>
      <Menu opened={isMenuOpen} onChange={(isOpen) => (isOpen ? menu.open() : menu.close())}>
        <Menu.Target>
          <Button leftSection={<IconPlus size={16} />} rightSection={<IconChevronDown size={14} />}>
            New dashboard
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFile size={16} />} onClick={blank.open}>
            Blank
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTemplate size={16} />}
            onClick={() =>
              void navigate({ to: '/project/$projectId/templates', params: { projectId } })
            }
          >
            From template
          </Menu.Item>
          <Menu.Item leftSection={<IconBraces size={16} />} onClick={json.open}>
            From JSON
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isBlankOpen && <BlankDialog onClose={blank.close} />}
      {isJsonOpen && (
        <JsonDialog
          title="New dashboard from JSON"
          yes="Create dashboard"
          create={create}
          onMade={open}
          onClose={json.close}
        />
      )}
    </>
  )
}
