import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { findLinkPolicy } from '#server/features/accounts/projects/store.ts'
import { hashPassword, requirePassword } from '#server/features/accounts/users/passwords.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { changesBetween, toChange } from '#server/features/activity/store.ts'
import { requireId } from '#server/http/ids.ts'
import { requireTime } from '#server/http/times.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { getDashboardRow } from '../dashboards/dashboards.ts'
import { type DashboardRow, updateDashboard } from '../dashboards/store.ts'
import {
  deleteLink,
  deleteReplacedTokens,
  findLink,
  insertLink,
  type LinkRow,
  listLinkRows,
  listViewDays,
  replaceToken,
  updateLink,
} from '../link-store.ts'
import { requireEdit } from '../rights.ts'
import { linkResource } from './fields.ts'
import { requireOrigins } from './origins.ts'
import { requireAllowed, requireAllowedRules } from './policy.ts'
import type { LinkViews, PublicLink, PublicLinkWrite } from './schema.ts'

/** More than anyone keeps apart. */
const MAX_LINKS = 100
const DAYS = 400

/** A link, or the dashboard whose links they are, as named in a path. */
interface Place {
  readonly dashboardId: number
  readonly linkId: string
}

export async function listLinks(
  db: Db,
  caller: Caller,
  dashboardId: number,
  { limit, offset }: PageRange,
): Promise<Slice<PublicLink>> {
  const dashboard = await getDashboardRow(db, caller, dashboardId, 'Dashboard')
  const rows = await listLinkRows(db, caller.projectId, dashboardId)
  const shown = rows.slice(offset, offset + limit)
  return { count: rows.length, results: await toLinks(db, shown, () => dashboard) }
}

export async function getLink(db: Db, caller: Caller, place: Place): Promise<PublicLink> {
  const { dashboard, link } = await getLinkRow(db, caller, place)
  return toLink(db, dashboard, link)
}

export async function getLinkViews(db: Db, caller: Caller, place: Place): Promise<LinkViews> {
  const { link } = await getLinkRow(db, caller, place)
  return { results: await listViewDays(db, link.id, DAYS) }
}

export async function createLink(
  db: Db,
  caller: Caller,
  { dashboardId, body }: { readonly dashboardId: number; readonly body: PublicLinkWrite },
): Promise<PublicLink> {
  const columns = await toColumns(body)
  requirePeriod(columns)
  return changeProject(db, caller.projectId, async (tx) => {
    const dashboard = await getDashboardRow(tx, caller, dashboardId, 'Dashboard')
    requireEdit(caller, dashboard)
    requireAllowed(await findLinkPolicy(tx), columns)
    if ((await listLinkRows(tx, caller.projectId, dashboardId)).length >= MAX_LINKS) {
      throw conflict(`The dashboard has ${MAX_LINKS} public links. Revoke one first.`)
    }
    const link = await insertLink(tx, {
      ...linkResource.empty,
      ...columns,
      project_id: caller.projectId,
      dashboard_id: dashboardId,
      is_first: 0,
      created_by: caller.userId,
      created_at: now(),
    })
    await logDashboard(tx, caller, dashboard, 'public link added', [
      toChange('Dashboard', 'public link', null, toLogged(link)),
    ])
    return toLink(tx, dashboard, link)
  })
}

export async function patchLink(
  db: Db,
  caller: Caller,
  { body, ...place }: Place & { readonly body: PublicLinkWrite },
): Promise<PublicLink> {
  const columns = await toColumns(body)
  return changeLink(db, caller, place, async (tx, dashboard, before) => {
    requirePeriod({ ...before, ...columns })
    requireAllowedRules(await findLinkPolicy(tx), columns)
    const after = await updateLink(tx, before, columns)
    const [from, to] = [toLogged(before), toLogged(after)]
    const isChanged = changesBetween('Dashboard', from, to).length > 0 || 'password_hash' in columns
    if (isChanged) {
      await logDashboard(tx, caller, dashboard, 'public link changed', [
        toChange('Dashboard', 'public link', from, to),
      ])
    }
    return toLink(tx, dashboard, after)
  })
}

/** Ends a link at once. The first link of a dashboard is turned off, and its address is never used again. */
export function removeLink(db: Db, caller: Caller, place: Place): Promise<void> {
  return changeLink(db, caller, place, (tx, dashboard, link) =>
    revokeLink(tx, caller, dashboard, link),
  )
}

export async function revokeLink(
  tx: Tx,
  caller: Caller,
  dashboard: DashboardRow,
  link: LinkRow,
): Promise<void> {
  if (link.is_first) {
    await replaceToken(tx, link)
    await deleteReplacedTokens(tx, link)
    await updateDashboard(tx, dashboard, { is_shared: 0 })
  } else {
    await deleteLink(tx, link)
  }
  await logDashboard(tx, caller, dashboard, 'public link revoked', [
    toChange('Dashboard', 'public link', toLogged(link), null),
  ])
}

function changeLink<T>(
  db: Db,
  caller: Caller,
  place: Place,
  change: (tx: Tx, dashboard: DashboardRow, link: LinkRow) => Promise<T>,
): Promise<T> {
  return changeProject(db, caller.projectId, async (tx) => {
    const { dashboard, link } = await getLinkRow(tx, caller, place)
    requireEdit(caller, dashboard)
    return change(tx, dashboard, link)
  })
}

async function getLinkRow(db: Db, caller: Caller, { dashboardId, linkId }: Place) {
  const dashboard = await getDashboardRow(db, caller, dashboardId, 'Dashboard')
  const id = requireId(linkId, 'Public link')
  const link = await findLink(db, caller.projectId, dashboardId, id)
  if (!link) throw notFound('Public link')
  return { dashboard, link }
}

/** Hashes the password outside the transaction, because that takes long. */
async function toColumns({ password, ...body }: PublicLinkWrite) {
  if (typeof password === 'string') requirePassword('password', password)
  const { starts_at, expires_at, embed_origins } = body
  return {
    ...linkResource.toColumns({
      ...body,
      ...(starts_at && { starts_at: requireTime('starts_at', starts_at) }),
      ...(expires_at && { expires_at: requireTime('expires_at', expires_at) }),
      ...(embed_origins && { embed_origins: requireOrigins(embed_origins) }),
    }),
    ...(password !== undefined && (await toAudience(password))),
  }
}

const toAudience = async (password: string | null) =>
  password === null
    ? { audience: 'anyone' as const, password_hash: null }
    : { audience: 'password' as const, password_hash: await hashPassword(password) }

function requirePeriod({ starts_at, expires_at }: Partial<LinkRow>): void {
  if (starts_at && expires_at && starts_at >= expires_at) {
    throw invalid('expires_at', 'The link must end after it starts.')
  }
}

/** Without the address, which grants access. */
const toLogged = (link: LinkRow): Record<string, unknown> => linkResource.toLogged(link)

const toLink = async (db: Db, dashboard: DashboardRow, row: LinkRow): Promise<PublicLink> =>
  (await toLinks(db, [row], () => dashboard))[0] as PublicLink

/** Reads rows as the links of responses. `toDashboard`: the dashboard that a link opens. */
export async function toLinks<Row extends LinkRow>(
  db: Db,
  rows: readonly Row[],
  toDashboard: (row: Row) => Pick<DashboardRow, 'is_shared'>,
): Promise<PublicLink[]> {
  const users = await listUserTexts(
    db,
    rows.map((row) => row.created_by),
  )
  const policy = await findLinkPolicy(db)
  return rows.map((row) => {
    const isShared = toDashboard(row).is_shared === 1
    return linkResource.toItem(row, { users, policy, isShared })
  })
}
