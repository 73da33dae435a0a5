import { Button, Group, Text } from '@mantine/core'
import { confirm } from '../../../ui/confirm.tsx'
import { Part } from '../shared/section.tsx'
import { useLeave } from './api.ts'

export function Leave({ organization }: { readonly organization: string }) {
  const leave = useLeave()
  async function askAndLeave() {
    const isSure = await confirm({
      title: `Leave ${organization}?`,
      message:
        'You are signed out everywhere, and your API keys stop working at once. What you made stays. This cannot be undone: you would have to be invited again.',
      yes: 'Leave',
      isDangerous: true,
    })
    if (isSure) leave.mutate()
  }
  return (
    <Part title="Leave" isDangerous>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={220}>
          You lose access to {organization} and all of its projects.
        </Text>
        <Button
          color="red"
          variant="outline"
          loading={leave.isPending}
          onClick={() => void askAndLeave()}
        >
          Leave…
        </Button>
      </Group>
    </Part>
  )
}
