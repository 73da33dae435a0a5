import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useProject } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { Problem } from '../../../ui/states.tsx'
import { Part, Parts } from '../shared/section.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ProjectForm } from './form.tsx'
import { SendEvents } from './send-events.tsx'
import { TestAccounts } from './test-accounts.tsx'

export function ProjectSection() {
  const project = useProject()
  const mayChange = isAdmin(useMe())
  const [isDeleting, { open, close }] = useDisclosure()
  if (!project)
    return <Problem error={new Error('There is no such project, or it is not yours.')} />
  return (
    <Parts>
      <Part title="General" about={mayChange ? undefined : 'Admins and owners can change these.'}>
        {/* another project, another form */}
        <ProjectForm key={project.id} project={project} mayChange={mayChange} />
      </Part>
      <Part
        title="Send events"
        about="The token says which project an event is for. It is no secret: pages that send events show it."
      >
        <SendEvents project={project} mayChange={mayChange} />
      </Part>
      <Part
        title="Test accounts"
        about="Insights that leave out test accounts count only events that match all of these."
      >
        <TestAccounts key={project.id} project={project} mayChange={mayChange} />
      </Part>
      {mayChange && (
        <Part title="Danger zone" isDangerous>
          <Group justify="space-between">
            <Text size="sm" flex={1} miw={220}>
              Delete this project with its dashboards, insights, import apps and all events. This
              cannot be undone.
            </Text>
            <Button color="red" variant="outline" onClick={open}>
              Delete project…
            </Button>
          </Group>
        </Part>
      )}
      <DeleteProject project={project} isOpen={isDeleting} onClose={close} />
    </Parts>
  )
}
