import { Modal } from '@mantine/core'

interface ShareDialogProps {
  readonly dashboardId: number
  readonly opened: boolean
  readonly onClose: () => void
}

export function ShareDialog({ opened, onClose }: ShareDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Share">
      {null}
    </Modal>
  )
}
