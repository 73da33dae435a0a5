import type { Db, Tx } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import { forbidden } from '#server/errors.ts'
import { escapeHtml } from '#server/html/html.ts'
import { mailInBackground } from '#server/mail/in-background.ts'
import { type Mail, oneLine, toMailHtml } from '#server/mail/mail.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { ORGANIZATION_LEVELS } from '../members/organization-levels.ts'
import { listOwnerEmails } from '../members/store.ts'
import { findUser } from '../users/store.ts'

/** The identity provider as the ways around it know it. */
export interface ProviderDoor {
  /** The display name of the provider. */
  readonly name: string
  /** Whether everything else is for owners in an emergency only. */
  readonly isOnly: boolean
}

/** Refuses users who have to sign in with the provider. Call it after the proof of the password or the link. */
export async function requireEmergencyDoor(
  tx: Tx,
  door: ProviderDoor | undefined,
  userId: number,
): Promise<void> {
  if (!door?.isOnly) return
  const user = await findUser(tx, userId)
  if (user?.level === ORGANIZATION_LEVELS.owner) return
  throw forbidden(`Sign in with ${door.name}. Only owners can sign in here, in an emergency.`)
}

/** Refuses new passwords of people who would have to sign in with the provider anyway. */
export function requireOtherWaysIn(door: ProviderDoor | undefined): void {
  if (!door?.isOnly) return
  throw forbidden(`Invites set passwords, and people here sign in with ${door.name} only.`)
}

interface MailDeps {
  readonly db: Db
  readonly mailer: Mailer
}

/** Tells all owners that one of them signed in without the provider, after the response. */
export function tellEmergencyDoor(
  { db, mailer }: MailDeps,
  door: ProviderDoor | undefined,
  log: Parameters<typeof mailInBackground>[0],
  session: { readonly userId: number; readonly address: string },
): void {
  if (!door?.isOnly || !mailer.isConfigured) return
  mailInBackground(log, 'The mail about a sign-in without the provider was not sent', async () => {
    const user = await findUser(db, session.userId)
    const mail = toMail(door.name, user?.email ?? '', session.address)
    const owners = await listOwnerEmails(db)
    const problems = await Promise.all(owners.map((email) => mailer.send(uuid(), email, mail)))
    return problems.find((problem) => problem !== undefined)
  })
}

function toMail(provider: string, email: string, address: string): Mail {
  const event = `${email} signed in to Hedgerow from ${address} without ${provider}, which is the only way in for everyone but owners in an emergency.`
  const advice =
    'If nobody of you did this, sign that account out everywhere, set a new password and look at its API keys.'
  return {
    subject: oneLine(`An owner signed in to Hedgerow without ${provider}`),
    text: `${event}\n\n${advice}\n`,
    html: toMailHtml(`<p>${escapeHtml(event)}</p><p>${advice}</p>`),
  }
}
