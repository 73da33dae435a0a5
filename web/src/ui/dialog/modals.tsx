import { ModalsProvider, modals } from '@mantine/modals'
import { useEffect } from 'react'

/** Resolves when the provider listens: a dialog opened earlier would be lost. */
let mounted = Promise.withResolvers<void>()

/** Renders imperative dialogs; loaded with the first one. */
export function Modals() {
  useEffect(() => {
    mounted.resolve()
    return () => {
      mounted = Promise.withResolvers()
    }
  }, [])
  return <ModalsProvider>{null}</ModalsProvider>
}

export async function openModal(settings: Parameters<typeof modals.open>[0]): Promise<void> {
  await mounted.promise
  modals.open(settings)
}

export async function openConfirm(
  settings: Parameters<typeof modals.openConfirmModal>[0],
): Promise<void> {
  await mounted.promise
  modals.openConfirmModal(settings)
}
