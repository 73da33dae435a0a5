import { Button, Divider, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useProject } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { Panel, PanelStack } from '../../../ui/page/panel.tsx'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { RemoveDemo } from '../../demo/settings-panel.tsx'
import { DeleteProject } from './delete-project.tsx'
import { Embeds } from './embeds.tsx'
import { ProjectForm } from './form.tsx'
import { SendEvents } from './send-events.tsx'
import { TestAccounts } from './test-accounts.tsx'

export function ProjectSection() {
  const project = useProject()
  const canEdit = isAdmin(useMe())
  const [isDeleting, { open, close }] = useDisclosure()
  if (!project)
    return <ErrorAlert error={new Error("Project not found, or you don't have access.")} />
  return (
    <PanelStack>
      <Panel title="General" about={canEdit ? undefined : 'Only admins and owners can edit these.'}>
        {/* resets the form when the project changes */}
        <ProjectForm key={project.id} project={project} canEdit={canEdit} />
      </Panel>
      <Panel
        title="Send events"
        about="Clients send events with this token. It is public, not a secret."
      >
        <SendEvents project={project} canEdit={canEdit} />
      </Panel>
      <Panel
        title="Test accounts"
        about="“Exclude test accounts” keeps only events that match all of these rules."
      >
        <TestAccounts key={project.id} project={project} canEdit={canEdit} />
      </Panel>
      {canEdit && <Embeds key={`embeds ${project.id}`} projectId={project.id} />}
      {canEdit && (
        <Panel title="Danger zone" isDangerous>
          {project.is_demo && (
            <>
              <RemoveDemo />
              <Divider my="md" />
            </>
          )}
          <Group justify="space-between">
            <Text size="sm" flex={1} miw={220}>
              Delete this project and all its data. This cannot be undone.
            </Text>
            <Button color="red" variant="outline" onClick={open}>
              Delete project…
            </Button>
          </Group>
        </Panel>
      )}
      <DeleteProject project={project} isOpen={isDeleting} onClose={close} />
    </PanelStack>
  )
}
