import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorAlert } from '../page/states.tsx'

interface DangerDialogProps {
  readonly title: string
  /** Label of the red button. */
  readonly yes: string
  readonly running: { readonly isPending: boolean; readonly error: Error | null }
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for a choice before something that cannot be undone. It is no form, so Enter in a field does nothing. */
export function DangerDialog({ title, yes, running, onConfirm, ...props }: DangerDialogProps) {
  return (
    <Modal opened onClose={props.onClose} title={title}>
      <Stack>
        {running.error && <ErrorAlert error={running.error} />}
        {props.children}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={running.isPending} onClick={onConfirm}>
            {yes}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
