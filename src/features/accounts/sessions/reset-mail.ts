import { toNetwork } from '#server/access/network.ts'
import { createThrottle, type Throttle } from '#server/access/throttle.ts'
import { changeUncached } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import { escapeHtml } from '#server/html/html.ts'
import { type Mail, toMailHtml } from '#server/mail/mail.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { ORGANIZATION_LEVELS } from '../members/organization-levels.ts'
import { findUserByEmail } from '../users/store.ts'
import { insertOneTimeToken } from './one-time-tokens-store.ts'
import type { ProviderDoor } from './password-door.ts'

const HOUR_S = 3600
/** A person asks again when a mail is late, and a whole office may share one network. */
export const MAILS_PER_ACCOUNT = 3
const MAILS_PER_NETWORK = 20

export interface ResetThrottle {
  readonly byAccount: Throttle
  readonly byNetwork: Throttle
}

export const createResetThrottle = (clock: () => number = Date.now): ResetThrottle => {
  const windowMs = HOUR_S * 1000
  return {
    byAccount: createThrottle(clock, { maxFailures: MAILS_PER_ACCOUNT, windowMs }),
    byNetwork: createThrottle(clock, { maxFailures: MAILS_PER_NETWORK, windowMs }),
  }
}

/** Counts a request, whether or not the account exists. */
export function requireFewRequests(throttle: ResetThrottle, address: string, email: string): void {
  const counters = [
    [throttle.byNetwork, toNetwork(address)],
    [throttle.byAccount, email.trim().toLowerCase()],
  ] as const
  for (const [counter, subject] of counters) counter.require(subject)
  for (const [counter, subject] of counters) counter.countFailure(subject)
}

interface MailDeps {
  readonly db: Db
  readonly mailer: Mailer
  /** The public URL of the service. */
  readonly url: string
  readonly oidc: ProviderDoor | undefined
}

/**
 * Mails a link to an account that has a password; others sign in with a provider. Returns the problem of the mail
 * server, if there is one.
 */
export async function mailResetLink(
  { db, mailer, url, oidc }: MailDeps,
  email: string,
): Promise<string | undefined> {
  const user = await findUserByEmail(db, email.trim())
  if (!user || user.password_hash === null) return undefined
  if (oidc?.isOnly && user.level < ORGANIZATION_LEVELS.owner) return undefined
  const token = await changeUncached(db, (tx) =>
    insertOneTimeToken(tx, 'reset_password', user.id, HOUR_S),
  )
  return mailer.send(uuid(), user.email, toResetMail(`${url}/reset-password#token=${token}`))
}

function toResetMail(link: string): Mail {
  const intro = 'Someone asked to reset the password of your Hedgerow account.'
  const validity =
    'The link can be used once and expires in one hour. If it was not you, ignore this mail: nothing has changed.'
  return {
    subject: 'Reset your Hedgerow password',
    text: `${intro}\n\n${link}\n\n${validity}\n`,
    html: toMailHtml(
      `<p>${intro}</p><p><a href="${escapeHtml(link)}">Set a new password</a></p><p>${validity}</p>`,
    ),
  }
}
