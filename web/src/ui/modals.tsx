import { ModalsProvider, modals } from '@mantine/modals'
import { useEffect } from 'react'

let announce: (() => void) | undefined
const mounted = new Promise<void>((resolve) => {
  announce = resolve
})

/** Renders imperative dialogs; loaded with the first one. */
export function Modals() {
  useEffect(() => announce?.(), [])
  return <ModalsProvider>{null}</ModalsProvider>
}

export async function openModal(settings: Parameters<typeof modals.open>[0]): Promise<void> {
  await mounted
  modals.open(settings)
}

export async function openConfirm(
  settings: Parameters<typeof modals.openConfirmModal>[0],
): Promise<void> {
  await mounted
  modals.openConfirmModal(settings)
}
