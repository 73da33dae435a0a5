import type { Caller } from '#server/access/guard.ts'
import { hashApiKey } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds, json, now, randomText, uuid } from '#server/db/values.ts'
import { ApiError, invalid, notFound } from '#server/errors.ts'
import { requireName } from '#server/http/names.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { getOrganizationRow } from '../projects/projects.ts'
import { listProjectIds } from '../projects/store.ts'
import { requireCanChangeLevel } from '../users/may-change.ts'
import type { Account } from '../users/members-store.ts'
import {
  ORGANIZATION_LEVELS,
  type OrganizationLevel,
  organizationLevelName,
} from '../users/organization-levels.ts'
import { hashPassword, requirePassword } from '../users/passwords.ts'
import { addUser, requireEmail, requireFreeEmail } from '../users/users.ts'
import { toInviteMail } from './mail.ts'
import type { InviteAccept, InviteCreate, InviteInfo, InviteWithLink } from './schema.ts'
import {
  deleteExpiredInvites,
  deleteInvite,
  findInvite,
  type InviteRow,
  insertInvite,
  toInvites,
} from './store.ts'

const VALID_S = 7 * 24 * 3600

export async function createInvite(
  db: Db,
  mailer: Mailer,
  caller: Caller,
  origin: string,
  { email: address, level, projects = [] }: InviteCreate,
): Promise<InviteWithLink> {
  requireCanChangeLevel(caller.level, ORGANIZATION_LEVELS.member, level)
  const email = address == null ? null : requireEmail(address)
  const token = randomText(43)
  const link = `${origin}/invite/${token}`
  const { invite, organization } = await changeAccess(db, async (tx) => {
    if (email !== null) await requireFreeEmail(tx, email)
    await requireProjects(tx, projects)
    await deleteExpiredInvites(tx)
    const row = await insertInvite(tx, {
      ...{ id: uuid(), hash: hashApiKey(token), email, level },
      projects: json([...new Set(projects)]),
      created_by: caller.userId,
      created_at: now(),
      expires_at: inSeconds(VALID_S),
    })
    const [made] = await toInvites(tx, [row])
    if (!made) throw new Error('An invite was lost')
    return { invite: made, organization: (await getOrganizationRow(tx)).name }
  })
  const isMailed = email !== null && mailer.isConfigured
  const mail = toInviteMail(organization, organizationLevelName(level), link)
  const problem = isMailed ? await mailer.send(invite.id, email, mail) : undefined
  const mailed = isMailed && problem === undefined
  return { ...invite, link, mailed, mail_problem: problem ?? null }
}

async function requireProjects(db: Db, ids: readonly number[]): Promise<void> {
  const known = await listProjectIds(db)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  throw invalid('projects', `There is no project ${unknown}.`, 'does_not_exist')
}

export const removeInvite = (db: Db, id: string): Promise<void> =>
  changeAccess(db, async (tx) => {
    if (!(await deleteInvite(tx, id))) throw notFound()
  })

export async function getInviteInfo(db: Db, token: string): Promise<InviteInfo> {
  const { email, level } = await getInvite(db, token)
  return { organization: (await getOrganizationRow(db)).name, email, level }
}

/** Makes the user. Of two who accept the same link at once, one does. */
export async function acceptInvite(db: Db, token: string, body: InviteAccept): Promise<Account> {
  const invite = await getInvite(db, token) // before the password: hashing it is work
  const firstName = requireName('first_name', body.first_name, 150)
  const email = requireEmail(body.email)
  if (invite.email !== null && invite.email.toLowerCase() !== email.toLowerCase()) {
    throw invalid('email', `This invitation is for ${invite.email}.`)
  }
  requirePassword('password', body.password)
  const passwordHash = await hashPassword(body.password)
  return changeAccess(db, async (tx) => {
    if (!(await deleteInvite(tx, invite.id))) throw noInvite()
    const known = await listProjectIds(tx)
    const wanted: number[] = JSON.parse(invite.projects)
    return addUser(tx, {
      ...{ email, firstName, lastName: '', passwordHash },
      level: invite.level as OrganizationLevel,
      projects: wanted.filter((id) => known.includes(id)),
    })
  })
}

async function getInvite(db: Db, token: string): Promise<InviteRow> {
  const invite = await findInvite(db, hashApiKey(token))
  if (!invite) throw noInvite()
  return invite
}

const noInvite = (): ApiError =>
  new ApiError(
    'not_found',
    'This invitation does not exist: it was used, withdrawn, or is older than 7 days. Ask for a new one.',
  )
