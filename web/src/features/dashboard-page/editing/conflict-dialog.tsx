import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { useLatestActivity } from '../header/api.ts'
import type { DashboardEditor, EditorState } from './editor.ts'

interface ConflictDialogProps {
  readonly editor: DashboardEditor
  readonly state: EditorState
  readonly dashboardId: number
}

/** Asks which edits to keep when someone else saved first. Nothing is lost until the user chooses. */
export function ConflictDialog({ editor, state, dashboardId }: ConflictDialogProps) {
  const client = useQueryClient()
  const latest = useLatestActivity(dashboardId).data?.results[0]
  /** Either choice starts from the server's current state. */
  const afterRefetch = (then: () => void) => async () => {
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
      title="Someone else changed this dashboard"
    >
      <Stack gap="sm">
        <Text size="sm">
          {latest ? (
            <>
              <b>{latest.user.first_name}</b> changed it <TimeAgo time={latest.created_at} />
              {fields.length > 0 && <> ({fields.slice(0, 4).join(', ')})</>}, after you opened it.
            </>
          ) : (
            'It changed after you opened it.'
          )}{' '}
          Your unsaved changes:
        </Text>
        <List size="sm">
          {state.undo.slice(-state.pending.length).map(({ label }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two edits may have the same label
            <List.Item key={index}>{label}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          Keeping yours overwrites only the fields that you both changed.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={afterRefetch(editor.discard)}>
            Use theirs
          </Button>
          <Button onClick={afterRefetch(editor.retry)}>Keep mine</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
