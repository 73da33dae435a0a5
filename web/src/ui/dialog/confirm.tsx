import { Text } from '@mantine/core'
import { loadModals } from './on-demand.tsx'

interface Confirmation {
  readonly title: string
  /** Says what will happen and whether it can be undone. */
  readonly message: string
  readonly yes: string
  readonly isDangerous?: boolean
}

/**
 * Asks for confirmation in a dialog; resolves to false when it is dismissed. While the server cannot be reached, the
 * browser shows its own dialog, because unsaved input must not be lost without asking.
 */
export async function confirm({
  title,
  message,
  yes,
  isDangerous = false,
}: Confirmation): Promise<boolean> {
  const loaded = await loadModals().catch(() => undefined)
  if (!loaded) return window.confirm(`${title}\n\n${message}`)
  return new Promise((resolve) => {
    void loaded.openConfirm({
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

/** Does something after asking for confirmation. */
export function runIfConfirmed(run: () => void, confirmation: Confirmation): void {
  void confirm(confirmation).then((isConfirmed) => isConfirmed && run())
}
