import { Button, Group, Text } from '@mantine/core'
import { dismiss, notify } from '../dialog/notify.ts'

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

/** Moves to trash or restores, then offers to undo. Failures are shown by the mutation cache. */
export async function moveWithUndo(
  what: string,
  deleted: boolean,
  move: (deleted: boolean) => Promise<unknown>,
): Promise<void> {
  const tryMove = (to: boolean) =>
    move(to).then(
      () => true,
      () => false,
    )
  if (!(await tryMove(deleted))) return
  const message = deleted ? `${what} moved to trash` : `${what} restored`
  showUndo(message, () => void tryMove(!deleted))
}
