import { lazy, Suspense, useState } from 'react'
import type { LinkTarget } from './api.ts'
import type { LinkDialogName } from './open-link-dialog.tsx'

const OpenLinkDialog = lazy(() => import('./open-link-dialog.tsx'))

/** Opens the dialogs of links. */
export function useLinkDialogs(target: LinkTarget) {
  const [open, setOpen] = useState<LinkDialogName>()
  const dialogs = open && (
    <Suspense>
      <OpenLinkDialog target={target} open={open} onOpen={setOpen} />
    </Suspense>
  )
  return { dialogs, open: setOpen }
}
