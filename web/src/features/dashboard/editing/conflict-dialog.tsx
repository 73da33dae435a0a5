import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { useLatestActivity } from '../api.ts'
import type { Editor, EditorState } from './editor.ts'

interface ConflictDialogProps {
  readonly editor: Editor
  readonly state: EditorState
  readonly dashboardId: number
}

/** Somebody else was faster. Nothing is lost before one of both is chosen. */
export function ConflictDialog({ editor, state, dashboardId }: ConflictDialogProps) {
  const client = useQueryClient()
  const latest = useLatestActivity(dashboardId).data?.results[0]
  /** Whatever is chosen, the newest has to be known first. */
  const withNewest = (then: () => void) => async () => {
    await client.refetchQueries({ queryKey: ['dashboard'], type: 'active' })
    then()
  }
  const fields = latest?.detail.changes?.flatMap(({ field }) => field ?? []) ?? []
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Somebody else changed this dashboard"
    >
      <Stack gap="sm">
        <Text size="sm">
          {latest ? (
            <>
              <b>{latest.user.first_name}</b> changed it <TimeAgo time={latest.created_at} />
              {fields.length > 0 && <> ({fields.slice(0, 4).join(', ')})</>}, after you opened it.
            </>
          ) : (
            'It was changed after you opened it.'
          )}{' '}
          Not saved yet of yours:
        </Text>
        <List size="sm">
          {state.undo.slice(-state.pending.length).map(({ label }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may have been done twice
            <List.Item key={index}>{label}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          Keeping yours writes them over theirs where both changed the same, and leaves the rest of
          theirs as it is.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={withNewest(editor.discard)}>
            Take theirs
          </Button>
          <Button onClick={withNewest(editor.retry)}>Keep mine</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
