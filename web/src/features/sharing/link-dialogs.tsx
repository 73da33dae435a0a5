import { lazy, Suspense, useState } from 'react'
import type { PublicLink } from '#server/features/dashboards/links/schema.ts'
import type { LinkTarget } from './api.ts'

const LinkDialog = lazy(() => import('./link-dialog.tsx'))
const GuestsDialog = lazy(() => import('./guests-dialog.tsx'))
const ViewsDialog = lazy(() => import('./views-dialog.tsx'))

type OpenDialog =
  | { readonly kind: 'settings'; readonly link: PublicLink | undefined }
  | { readonly kind: 'guests' | 'views'; readonly link: PublicLink }

/** Opens the dialogs of links. A link that was saved for people asks for its guests next. */
export function useLinkDialogs(target: LinkTarget) {
  const [open, setOpen] = useState<OpenDialog>()
  const onClose = () => setOpen(undefined)
  const onSaved = (link: PublicLink) =>
    setOpen(link.audience === 'people' ? { kind: 'guests', link } : undefined)
  const dialogs = open && (
    <Suspense>
      {open.kind === 'settings' && (
        <LinkDialog target={target} link={open.link} onSaved={onSaved} onClose={onClose} />
      )}
      {open.kind === 'guests' && (
        <GuestsDialog target={target} link={open.link} onClose={onClose} />
      )}
      {open.kind === 'views' && <ViewsDialog target={target} link={open.link} onClose={onClose} />}
    </Suspense>
  )
  return { dialogs, open: setOpen }
}
