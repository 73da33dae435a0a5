import { Button, Group, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { CopyIcon } from '../../../ui/page/copy-button.tsx'
import { useRotateToken } from './api.ts'

interface SendEventsProps {
  readonly project: Project
  readonly canEdit: boolean
}

export function SendEvents({ project, canEdit }: SendEventsProps) {
  const rotate = useRotateToken(project.id)
  const confirmAndRotate = () =>
    runIfConfirmed(() => rotate.mutate(), {
      title: 'Rotate project token?',
      message: 'Events sent with the old token will be rejected. Update your clients.',
      yes: 'Rotate token',
      isDangerous: true,
    })
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="Project token"
        readOnly
        flex={1}
        miw={220}
        value={project.api_token}
        rightSection={<CopyIcon value={project.api_token} label="Copy project token" />}
      />
      {canEdit && (
        <Button variant="default" loading={rotate.isPending} onClick={confirmAndRotate}>
          Rotate token…
        </Button>
      )}
      <Button
        variant="light"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/project/$projectId/connect"
            params={{ projectId: `${project.id}` }}
          />
        )}
      >
        Show code samples
      </Button>
    </Group>
  )
}
