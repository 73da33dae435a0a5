import { toAgo } from '#model/ago.ts'
import { pluralize } from '#model/pluralize.ts'
import type { LinkState } from '#model/public-links.ts'
import type { PublicLink } from '#server/features/dashboards/links/schema.ts'

/** Says why a link does not open. */
export const CLOSED: Readonly<Record<LinkState, string | undefined>> = {
  open: undefined,
  off: 'Off',
  refused: 'Not allowed',
  not_started: 'Not started',
  ended: 'Ended',
  used_up: 'Used up',
}

/** Says whom a link asks for more than its address. */
export const AUDIENCES = { password: 'Password', people: 'Guests' } as const

export const nameOf = ({ label, is_first }: Pick<PublicLink, 'label' | 'is_first'>): string =>
  label || (is_first ? 'First link' : 'Link without a label')

/** Says how often a link was opened, and until when it can be. */
export function describeUse(
  { state, starts_at, ends_at, max_views, views, last_viewed_at, snapshot_at }: PublicLink,
  toText: (time: string) => string,
): string {
  const viewed =
    max_views === null
      ? pluralize(views, 'view')
      : `${views.toLocaleString('en')} of ${pluralize(max_views, 'view')}`
  const about = [
    viewed,
    last_viewed_at && `last ${toAgo(last_viewed_at)}`,
    snapshot_at && `as of ${toText(snapshot_at)}`,
    state === 'not_started' && starts_at && `starts ${toText(starts_at)}`,
    ends_at && `${state === 'ended' ? 'ended' : 'ends'} ${toText(ends_at)}`,
  ]
  return about.filter(Boolean).join(' · ')
}
