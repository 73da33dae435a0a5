import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { findLinkPolicy } from '#server/features/accounts/projects/store.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { changesBetween, toChange } from '#server/features/activity/store.ts'
import type { RefreshPolicy } from '#server/features/results/cache/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import { requireId } from '#server/http/ids.ts'
import { requireTime } from '#server/http/times.ts'
import {
  deleteLink,
  deleteReplacedTokens,
  findLink,
  insertLink,
  type LinkRow,
  listGuestViews,
  listLinkRows,
  listViewDays,
  listViewDaysOfGuest,
  replaceToken,
  updateLink,
} from '../link-store.ts'
import { prepareAudience } from './audience.ts'
import { linkResource } from './fields.ts'
import { requireOrigins } from './origins.ts'
import type { GetOwner, LinkOwner } from './owners.ts'
import { requireAllowed, requireAllowedRules } from './policy.ts'
import type { LinkViews, PublicLink, PublicLinkWrite } from './schema.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import { replaceSnapshot } from './snapshot-store.ts'

/** More than anyone keeps apart. */
const MAX_LINKS = 100
const DAYS = 400
const VIEWERS = 1000

export interface LinkDeps {
  readonly db: Db
  readonly results: Results
  /** Waits for the results of a link that is to be frozen. */
  readonly policy: RefreshPolicy
  /** Whether the server can mail codes to the guests of links. */
  readonly canMail: boolean
}

/** The dashboard or insight whose links they are, as named in a path. */
interface OwnerPlace {
  readonly getOwner: GetOwner
  readonly ownerId: string
}

/** A link, as named in a path. */
export interface LinkPlace extends OwnerPlace {
  readonly linkId: string
}

export async function listLinks(
  db: Db,
  caller: Caller,
  { getOwner, ownerId }: OwnerPlace,
  { limit, offset }: PageRange,
): Promise<Slice<PublicLink>> {
  const owner = await getOwner(db, caller, ownerId)
  const rows = await listLinkRows(db, caller.projectId, owner.target)
  const shown = rows.slice(offset, offset + limit)
  return { count: rows.length, results: await toLinks(db, shown, () => owner.isShared) }
}

export async function getLink(db: Db, caller: Caller, place: LinkPlace): Promise<PublicLink> {
  const { owner, link } = await getLinkRow(db, caller, place)
  return toLink(db, owner, link)
}

export async function getLinkViews(
  db: Db,
  caller: Caller,
  { guest, ...place }: LinkPlace & { readonly guest: string | undefined },
): Promise<LinkViews> {
  const { link } = await getLinkRow(db, caller, place)
  const address = guest?.trim().toLowerCase()
  return {
    results: await (address === undefined
      ? listViewDays(db, link.id, DAYS)
      : listViewDaysOfGuest(db, link.id, address, DAYS)),
    guests: await listGuestViews(db, link.id, VIEWERS),
  }
}

export async function createLink(
  deps: LinkDeps,
  caller: Caller,
  { getOwner, ownerId, body }: OwnerPlace & { readonly body: PublicLinkWrite },
): Promise<PublicLink> {
  const { db, canMail } = deps
  const toAudience = await prepareAudience(body, canMail)
  const snapshot = await freeze(deps, caller, { getOwner, ownerId }, body, undefined)
  const columns = { ...toColumns(body), ...toAudience('anyone'), ...toMoment(snapshot) }
  requirePeriod(columns)
  requireWhole(body, columns)
  return changeProject(db, caller.projectId, async (tx) => {
    const owner = await getOwner(tx, caller, ownerId)
    await owner.requireEdit(tx)
    requireAllowed(await findLinkPolicy(tx), columns)
    if ((await listLinkRows(tx, caller.projectId, owner.target)).length >= MAX_LINKS) {
      throw conflict(
        `The ${owner.noun.toLowerCase()} has ${MAX_LINKS} public links. Revoke one first.`,
      )
    }
    const link = await insertLink(tx, {
      ...linkResource.empty,
      ...columns,
      ...owner.target,
      project_id: caller.projectId,
      is_first: 0,
      created_by: caller.userId,
      created_at: now(),
    })
    if (snapshot) await replaceSnapshot(tx, link.id, snapshot.parts)
    await owner.log(tx, 'public link added', [
      toChange(owner.noun, 'public link', null, toLogged(link)),
    ])
    return toLink(tx, owner, link)
  })
}

export async function patchLink(
  deps: LinkDeps,
  caller: Caller,
  { body, ...place }: LinkPlace & { readonly body: PublicLinkWrite },
): Promise<PublicLink> {
  const { db, canMail } = deps
  const toAudience = await prepareAudience(body, canMail)
  const snapshot = await freeze(deps, caller, place, body, place)
  const sent = { ...toColumns(body), ...toMoment(snapshot) }
  return changeLink(db, caller, place, async (tx, owner, before) => {
    const columns = { ...sent, ...toAudience(before.audience) }
    requirePeriod({ ...before, ...columns })
    requireWhole(body, { ...before, ...columns })
    requireAllowedRules(await findLinkPolicy(tx), columns)
    const after = await updateLink(tx, before, columns)
    if (snapshot !== undefined) await replaceSnapshot(tx, after.id, snapshot?.parts ?? [])
    const [from, to] = [toLogged(before), toLogged(after)]
    const isChanged = changesBetween(owner.noun, from, to).length > 0 || columns.password_hash
    if (isChanged) {
      await owner.log(tx, 'public link changed', [toChange(owner.noun, 'public link', from, to)])
    }
    return toLink(tx, owner, after)
  })
}

/** Ends a link at once. The first link of a dashboard is turned off, and its address is never used again. */
export function removeLink(db: Db, caller: Caller, place: LinkPlace): Promise<void> {
  return changeLink(db, caller, place, revokeLink)
}

export async function revokeLink(tx: Tx, owner: LinkOwner, link: LinkRow): Promise<void> {
  if (link.is_first) {
    await replaceToken(tx, link)
    await deleteReplacedTokens(tx, link)
    await owner.turnOff(tx)
  } else {
    await deleteLink(tx, link)
  }
  await owner.log(tx, 'public link revoked', [
    toChange(owner.noun, 'public link', toLogged(link), null),
  ])
}

export function changeLink<T>(
  db: Db,
  caller: Caller,
  place: LinkPlace,
  change: (tx: Tx, owner: LinkOwner, link: LinkRow) => Promise<T>,
): Promise<T> {
  return changeProject(db, caller.projectId, async (tx) => {
    const { owner, link } = await getLinkRow(tx, caller, place)
    await owner.requireEdit(tx)
    return change(tx, owner, link)
  })
}

export async function getLinkRow(db: Db, caller: Caller, { getOwner, ownerId, linkId }: LinkPlace) {
  const owner = await getOwner(db, caller, ownerId)
  const id = requireId(linkId, 'Public link')
  const link = await findLink(db, caller.projectId, owner.target, id)
  if (!link) throw notFound('Public link')
  return { owner, link }
}

function toColumns({ password: _, audience: __, snapshot_at: ___, ...body }: PublicLinkWrite) {
  const { starts_at, expires_at, embed_origins } = body
  return linkResource.toColumns({
    ...body,
    ...(starts_at && { starts_at: requireTime('starts_at', starts_at) }),
    ...(expires_at && { expires_at: requireTime('expires_at', expires_at) }),
    ...(embed_origins && { embed_origins: requireOrigins(embed_origins) }),
  })
}

/** Freezes what a link shows, outside the transaction, because its results may have to be computed. undefined: it stays as it is; null: it shows the current results. */
async function freeze(
  { db, results, policy }: LinkDeps,
  caller: Caller,
  { getOwner, ownerId }: OwnerPlace,
  { snapshot_at }: PublicLinkWrite,
  /** undefined: a new link. */
  place: LinkPlace | undefined,
): Promise<Snapshot | null | undefined> {
  if (snapshot_at === undefined || snapshot_at === null) return snapshot_at
  if (snapshot_at !== 'now') {
    const link = place && (await getLinkRow(db, caller, place)).link
    if (link && link.snapshot_at === snapshot_at) return undefined
    throw invalid('snapshot_at', 'Enter `now` to freeze what the link shows, or null.')
  }
  const owner = await getOwner(db, caller, ownerId)
  await owner.requireEdit(db)
  const page = { id: 0, dashboard_id: null, insight_id: null, ...owner.target, snapshot_at: null }
  return takeSnapshot(
    { db, results, policy },
    { ...page, project_id: caller.projectId, shows_annotations: 1 },
  )
}

const toMoment = (snapshot: Snapshot | null | undefined) =>
  snapshot === undefined ? {} : { snapshot_at: snapshot?.at ?? null }

/** The results of a frozen link are stored, so that nothing can narrow them. */
function requireWhole(
  { snapshot_at }: PublicLinkWrite,
  after: Partial<Pick<LinkRow, 'snapshot_at' | 'viewer_filters'>>,
): void {
  if (!after.snapshot_at || !after.viewer_filters) return
  throw invalid(
    snapshot_at === 'now' ? 'snapshot_at' : 'viewer_filters',
    'The results of a frozen link never change, so its viewers can change nothing.',
  )
}

function requirePeriod({ starts_at, expires_at }: Partial<LinkRow>): void {
  if (starts_at && expires_at && starts_at >= expires_at) {
    throw invalid('expires_at', 'The link must end after it starts.')
  }
}

/** Without the address, which grants access. */
const toLogged = (link: LinkRow): Record<string, unknown> => linkResource.toLogged(link)

const toLink = async (db: Db, { isShared }: LinkOwner, row: LinkRow): Promise<PublicLink> =>
  (await toLinks(db, [row], () => isShared))[0] as PublicLink

/** Reads rows as the links of responses. `isShared`: whether the first link beside a link is turned on. */
export async function toLinks<Row extends LinkRow>(
  db: Db,
  rows: readonly Row[],
  isShared: (row: Row) => boolean,
): Promise<PublicLink[]> {
  const users = await listUserTexts(
    db,
    rows.map((row) => row.created_by),
  )
  const policy = await findLinkPolicy(db)
  return rows.map((row) => linkResource.toItem(row, { users, policy, isShared: isShared(row) }))
}
