import { useUnsavedGuard } from '../../../ui/form/unsaved-guard.ts'

/** Guards the page while it has unsaved edits. */
export function UnsavedGuard({ settled }: { readonly settled: () => Promise<boolean> }) {
  useUnsavedGuard(true, settled)
  return null
}
