import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFile, IconTemplate } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { useCreateFromJson } from './api.ts'
import { BlankDialog } from './blank-dialog.tsx'
import { JsonDialog } from './json-dialog.tsx'
import { NewMenu } from './new-menu.tsx'
import { useOpenDashboard } from './open-dashboard.ts'

/** Creates a blank dashboard, or one from a template or JSON. */
export function NewDashboardButton() {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const open = useOpenDashboard()
  const create = useCreateFromJson()
  const [isBlankOpen, blank] = useDisclosure()
  const [isJsonOpen, json] = useDisclosure()
  return (
    <>
      <NewMenu label="New dashboard" onJson={json.open}>
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
      </NewMenu>
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
