import { Button, Group, Stack, Tabs, TextInput } from '@mantine/core'
import type { Project } from '#server/features/people/projects/schema.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { CopyIcon } from '../../../ui/copy-button.tsx'
import { Snippet } from '../shared/snippet.tsx'
import { useRotateToken } from './api.ts'
import { toSnippets } from './snippets.ts'

interface SendEventsProps {
  readonly project: Project
  readonly canEdit: boolean
}

export function SendEvents({ project, canEdit }: SendEventsProps) {
  const rotate = useRotateToken(project.id)
  const snippets = toSnippets(location.origin, project.api_token)
  async function confirmAndRotate() {
    const isConfirmed = await confirm({
      title: 'Rotate project token?',
      message: 'Events sent with the old token will be rejected. Update your clients.',
      yes: 'Rotate token',
      isDangerous: true,
    })
    if (isConfirmed) rotate.mutate()
  }
  return (
    <Stack>
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
          <Button
            variant="default"
            loading={rotate.isPending}
            onClick={() => void confirmAndRotate()}
          >
            Rotate token…
          </Button>
        )}
      </Group>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm">
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name}>
            <Snippet code={code} label={`Send an event with ${name}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
