import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

/** Says what was done, with a way back for as long as it stays. */
export function showUndo(message: string, onUndo: () => void): void {
  const id = notifications.show({
    autoClose: 8000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            onUndo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
