import { Text } from '@mantine/core'
import { loadModals } from './on-demand.tsx'

interface Confirmation {
  readonly title: string
  /** Says what will happen and whether it can be undone. */
  readonly message: string
  readonly yes: string
  readonly isDangerous?: boolean
}

/** Asks for confirmation in a dialog; resolves to false when it is dismissed. */
export async function confirm({
  title,
  message,
  yes,
  isDangerous = false,
}: Confirmation): Promise<boolean> {
  const { openConfirm } = await loadModals()
  return new Promise((resolve) => {
    void openConfirm({
      title,
      children: <Text size="sm">{message}</Text>,
      labels: { confirm: yes, cancel: 'Cancel' },
      confirmProps: isDangerous ? { color: 'red' } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    })
  })
}
