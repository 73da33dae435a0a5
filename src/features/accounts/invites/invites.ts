import type { Caller } from '#server/access/guard.ts'
import { hashApiKey } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds, json, now, randomText, uuid } from '#server/db/values.ts'
import { ApiError, invalid, notFound } from '#server/errors.ts'
import { requireLength, requireName } from '#server/http/names.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { addUser } from '../members/create-user.ts'
import {
  ORGANIZATION_LEVELS,
  type OrganizationLevel,
  organizationLevelName,
  requireCanChangeLevel,
  requireLevelOfMember,
} from '../members/organization-levels.ts'
import type { Account } from '../members/store.ts'
import { getOrganizationRow } from '../projects/organization.ts'
import { requireProjects } from '../projects/projects.ts'
import { listProjectIds } from '../projects/store.ts'
import { hashPassword, requirePassword } from '../users/passwords.ts'
import { requireEmail, requireFreeEmail } from '../users/users.ts'
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
const NO_ORIGIN =
  'The server does not know its public URL. Set HEDGEROW_URL to send links by e-mail.'

export interface InviteDeps {
  readonly db: Db
  readonly mailer: Mailer
  /** The URL that links start with. undefined: the server does not know its public address. */
  readonly origin: string | undefined
}

export async function createInvite(
  { db, mailer, origin }: InviteDeps,
  caller: Caller,
  { email: address, level, projects = [], access_level }: InviteCreate,
): Promise<InviteWithLink> {
  requireCanChangeLevel(caller.level, ORGANIZATION_LEVELS.member, level)
  requireLevelOfMember(level, access_level, 'access_level')
  const email = address == null ? null : requireEmail(address)
  const token = randomText(43)
  const link = `${origin ?? ''}/invite/${token}`
  const { invite, organization } = await changeAccess(db, async (tx) => {
    if (email !== null) await requireFreeEmail(tx, email)
    await requireProjects(tx, projects, 'projects')
    await deleteExpiredInvites(tx)
    const row = await insertInvite(tx, {
      id: uuid(),
      hash: hashApiKey(token),
      email,
      level,
      projects: json([...new Set(projects)]),
      access_level,
      created_by: caller.userId,
      created_at: now(),
      expires_at: inSeconds(VALID_S),
    })
    const [created] = await toInvites(tx, [row])
    if (!created) throw new Error(`The invite ${row.id} was not inserted`)
    return { invite: created, organization: (await getOrganizationRow(tx)).name }
  })
  if (email === null || !mailer.isConfigured) {
    return { ...invite, link, mailed: false, mail_problem: null }
  }
  const mail = toInviteMail(organization, organizationLevelName(level), link)
  const problem = origin === undefined ? NO_ORIGIN : await mailer.send(invite.id, email, mail)
  return { ...invite, link, mailed: problem === undefined, mail_problem: problem ?? null }
}

export const removeInvite = (db: Db, id: string): Promise<void> =>
  changeAccess(db, async (tx) => {
    if (!(await deleteInvite(tx, id))) throw notFound()
  })

export async function getInviteInfo(db: Db, token: string): Promise<InviteInfo> {
  const { email, level } = await getInvite(db, token)
  return { organization: (await getOrganizationRow(db)).name, email, level }
}

/** Creates the user. One of two concurrent requests with the same link succeeds. */
export async function acceptInvite(db: Db, token: string, body: InviteAccept): Promise<Account> {
  const invite = await getInvite(db, token) // before the password, since hashing it is slow
  const firstName = requireName('first_name', body.first_name, 150)
  const lastName = requireLength('last_name', body.last_name ?? '', 150)
  const email = requireEmail(body.email)
  if (invite.email !== null && invite.email.toLowerCase() !== email.toLowerCase()) {
    throw invalid('email', `This invitation is for ${invite.email}.`)
  }
  requirePassword('password', body.password)
  const passwordHash = await hashPassword(body.password)
  return changeAccess(db, async (tx) => {
    if (!(await deleteInvite(tx, invite.id))) throw inviteNotFound()
    const existing = await listProjectIds(tx)
    const invited: number[] = JSON.parse(invite.projects)
    return addUser(tx, {
      email,
      firstName,
      lastName,
      passwordHash,
      level: invite.level as OrganizationLevel,
      projects: invited.filter((id) => existing.includes(id)),
      accessLevel: invite.access_level,
    })
  })
}

async function getInvite(db: Db, token: string): Promise<InviteRow> {
  const invite = await findInvite(db, hashApiKey(token))
  if (!invite) throw inviteNotFound()
  return invite
}

const inviteNotFound = (): ApiError =>
  new ApiError(
    'not_found',
    'This invitation is no longer valid: it was used, withdrawn or has expired. Ask for a new one.',
  )
