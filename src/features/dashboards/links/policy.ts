import type { LinkState } from '#model/public-links.ts'
import { now } from '#server/db/values.ts'
import { forbidden, invalid } from '#server/errors.ts'
import type { LinkPolicy } from '#server/features/accounts/projects/store.ts'
import type { LinkRow } from '../link-store.ts'

const DAY_MS = 86_400_000

/** The fields of a link that decide whether it opens. */
export type LinkRules = Pick<
  LinkRow,
  | 'audience'
  | 'starts_at'
  | 'expires_at'
  | 'max_views'
  | 'views'
  | 'is_first'
  | 'enabled_at'
  | 'created_at'
>

/** Tells whether a link opens. `isShared`: whether the first link of its dashboard is turned on. */
export function stateOf(link: LinkRules, isShared: boolean, policy: LinkPolicy): LinkState {
  const at = now()
  if (link.is_first && !isShared) return 'off'
  if (refuses(policy, link)) return 'refused'
  if (link.starts_at && link.starts_at > at) return 'not_started'
  const end = endOf(link, policy)
  if (end && end <= at) return 'ended'
  return link.max_views !== null && link.views >= link.max_views ? 'used_up' : 'open'
}

/** Returns when a link ends: by its own rules, or earlier by those of the organization. */
export function endOf(
  { expires_at, enabled_at, created_at }: LinkRules,
  { public_link_max_days: days }: LinkPolicy,
): string | null {
  if (days === null) return expires_at
  const last = new Date(Date.parse(enabled_at ?? created_at) + days * DAY_MS).toISOString()
  return expires_at && expires_at < last ? expires_at : last
}

const refuses = (policy: LinkPolicy, { audience }: Pick<LinkRules, 'audience'>): boolean =>
  policy.allow_publicly_shared_resources === 0 ||
  (policy.public_links_require_password === 1 && audience === 'anyone')

/** Refuses a new link, or the turned on first one, that the organization does not allow. */
export function requireAllowed(policy: LinkPolicy, link: Partial<LinkRules>): void {
  if (!policy.allow_publicly_shared_resources) {
    throw forbidden('The organization does not allow public links.')
  }
  requireAllowedRules(policy, { audience: 'anyone', ...link })
}

/** Refuses rules that were sent for a link and that the organization does not allow. */
export function requireAllowedRules(
  policy: LinkPolicy,
  { audience, expires_at }: Partial<LinkRules>,
): void {
  if (policy.public_links_require_password && audience === 'anyone') {
    throw invalid(
      'password',
      'The organization requires a password for public links, or a list of people.',
    )
  }
  const days = policy.public_link_max_days
  if (days !== null && expires_at && Date.parse(expires_at) > Date.now() + days * DAY_MS) {
    throw invalid('expires_at', `The organization lets public links last ${days} days at most.`)
  }
}
