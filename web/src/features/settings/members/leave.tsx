import { Button, Group, Text } from '@mantine/core'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { useLeave } from './api.ts'

export function Leave({ organization }: { readonly organization: string }) {
  const leave = useLeave()
  const confirmAndLeave = () =>
    runIfConfirmed(() => leave.mutate(), {
      title: `Leave ${organization}?`,
      message:
        'You are signed out everywhere and your API keys stop working immediately. Your dashboards and insights stay. This cannot be undone.',
      yes: 'Leave organization',
      isDangerous: true,
    })
  return (
    <Panel title="Leave organization" isDangerous>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={220}>
          You will lose access to {organization} and all its projects.
        </Text>
        <Button color="red" variant="outline" loading={leave.isPending} onClick={confirmAndLeave}>
          Leave organization…
        </Button>
      </Group>
    </Panel>
  )
}
