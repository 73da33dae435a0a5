import type { PublicLink } from '#server/features/dashboards/links/schema.ts'
import type { LinkTarget } from './api.ts'
import { GuestsDialog } from './guests-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { ViewsDialog } from './views-dialog.tsx'

/** A dialog of a link. Its settings can be those of a new one. */
export type LinkDialogName =
  | { readonly kind: 'settings'; readonly link: PublicLink | undefined }
  | { readonly kind: 'guests' | 'views'; readonly link: PublicLink }

interface OpenLinkDialogProps {
  readonly target: LinkTarget
  readonly open: LinkDialogName
  readonly onOpen: (next: LinkDialogName | undefined) => void
}

/** The dialogs of links, loaded together. A link that was saved for people asks for its guests next. */
export default function OpenLinkDialog({ target, open, onOpen }: OpenLinkDialogProps) {
  const { kind, link } = open
  const onClose = () => onOpen(undefined)
  if (kind === 'guests') return <GuestsDialog target={target} link={link} onClose={onClose} />
  if (kind === 'views') return <ViewsDialog target={target} link={link} onClose={onClose} />
  const onSaved = (saved: PublicLink) =>
    onOpen(saved.audience === 'people' ? { kind: 'guests', link: saved } : undefined)
  return <LinkDialog target={target} link={link} onSaved={onSaved} onClose={onClose} />
}
