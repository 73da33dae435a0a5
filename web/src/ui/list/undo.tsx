import { Button, Group, Text } from '@mantine/core'
import { dismiss, notify } from '../notify.ts'

let shown = 0

/** Shows a toast with an Undo button. */
export function showUndo(message: string, onUndo: () => void): void {
  shown++
  const id = `undo-${shown}`
  notify({
    id,
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
            dismiss(id)
            onUndo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
