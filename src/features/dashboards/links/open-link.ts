import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeInGroup } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError, notFound } from '#server/errors.ts'
import { findLinkPolicy } from '#server/features/accounts/projects/store.ts'
import { findLinkByToken, insertView, type LinkRow } from '../link-store.ts'
import { findPassedGuest } from './guest-pass.ts'
import { givePass, readPass } from './pass.ts'
import { stateOf } from './policy.ts'
import { findShown, type Shown } from './shown.ts'

const TOKEN = /^[\w-]{20,100}$/

/** The rules of a page for visitors. The page of a link has those of the link. */
export interface PageRules
  extends Pick<
    LinkRow,
    | 'project_id'
    | 'shows_annotations'
    | 'allows_exports'
    | 'embed_origins'
    | 'viewer_filters'
    | 'snapshot_at'
  > {
  /** Names what is counted for it. */
  readonly id: number | string
}

export interface OpenPage {
  readonly link: PageRules
  readonly shown: Shown
  /** The address of the visitor of a link for people. */
  readonly guest?: string
}

export interface OpenLink extends OpenPage {
  readonly link: LinkRow
}

/** Why a link does not open: it is unknown, was revoked or refused or has not started; it has ended; it asks for its password, or for a code that is mailed to its guests. */
export interface ClosedLink {
  readonly closed: 'unknown' | 'ended' | 'locked' | 'guests'
}

/** Looks up a link that has started and not ended, for visitors who may open it and for others. */
export async function findLinkInTime(db: Db, token: string): Promise<OpenLink | ClosedLink> {
  const link = TOKEN.test(token) ? await findLinkByToken(db, token) : undefined
  const shown = link && (await findShown(db, link))
  if (!shown) return { closed: 'unknown' }
  const state = stateOf(link, shown.isShared, await findLinkPolicy(db))
  if (state === 'ended') return { closed: 'ended' }
  // one that is used up still opens for browsers that viewed it a moment ago
  return state === 'open' || state === 'used_up' ? { link, shown } : { closed: 'unknown' }
}

/** Looks a link up for a visitor, who may have to enter its password or a code first. Counts no view. */
export async function findOpenLink(
  db: Db,
  request: FastifyRequest,
  token: string,
): Promise<OpenLink | ClosedLink> {
  const found = await findLinkInTime(db, token)
  if ('closed' in found) return found
  const { link } = found
  if (link.audience === 'anyone') return found
  if (link.audience === 'password') {
    return readPass(request, link, 'entered') === undefined ? { closed: 'locked' } : found
  }
  const guest = await findPassedGuest(db, request, link)
  return guest === undefined ? { closed: 'guests' } : { ...found, guest }
}

/** A header that the script of an open page sends when it refreshes the page's data, which is no new view. */
const LIVE_PAGE = 'x-live-page'

/** Opens a link and counts the view, unless the browser has viewed it within the hour or refreshes an open page. */
export async function openLink(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<OpenLink | ClosedLink> {
  const found = await findOpenLink(db, request, token)
  return 'closed' in found ? found : view(db, request, reply, found)
}

async function view(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  found: OpenLink,
): Promise<OpenLink | ClosedLink> {
  const { link } = found
  if (!isNewView(request, link)) return found
  const counting = changeInGroup(db, (tx) => insertView(tx, link.id, found.guest))
  // without a limit the link opens even if the view cannot be stored, as on a full disk
  const isCounted = await (link.max_views === null ? counting.catch(() => true) : counting)
  if (!isCounted) return { closed: 'ended' }
  if (link.max_views !== null) givePass(request, reply, link, 'viewed')
  return found
}

/** A frame on another site has no cookies, so it can remember neither a password or guest nor a view that was counted. */
export const opensAlone = ({ audience, max_views }: LinkRow): boolean =>
  audience !== 'anyone' || max_views !== null

/** Opens a link in a frame. One that opens in its own window only is found without a password, a guest or a view. */
export async function openFrame(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<OpenLink | ClosedLink> {
  const found = await findLinkInTime(db, token)
  return 'closed' in found || opensAlone(found.link) ? found : view(db, request, reply, found)
}

/** A limit does not trust the header, only the pass. */
const isNewView = (request: FastifyRequest, link: LinkRow): boolean =>
  link.max_views === null
    ? request.headers[LIVE_PAGE] === undefined
    : readPass(request, link, 'viewed') === undefined

const NEEDED = {
  locked: 'This link needs a password. Send it to the link first.',
  guests: 'This link is for the people it invites. Send your e-mail address to the link first.',
} as const

/** Refuses a closed link in the words of the API. */
export function requireOpen(found: OpenLink | ClosedLink): OpenLink {
  if (!('closed' in found)) return found
  if (found.closed === 'unknown') throw notFound()
  if (found.closed === 'ended') throw new ApiError('gone', 'This link has ended.')
  throw new ApiError('not_authenticated', NEEDED[found.closed])
}
