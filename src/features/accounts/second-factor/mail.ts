import type { Db } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import { escapeHtml } from '#server/html/html.ts'
import { mailInBackground } from '#server/mail/in-background.ts'
import { type Mail, toMailHtml } from '#server/mail/mail.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { findUser } from '../users/store.ts'

/** Changes and uses of a second factor, in the words of the mail. */
const EVENTS = {
  added: 'A second factor was set up for your Hedgerow account.',
  replaced: 'The second factor of your Hedgerow account was replaced.',
  removed: 'The second factor of your Hedgerow account was removed.',
  reset: 'An operator of the server removed the second factors of your Hedgerow account.',
  newCodes:
    'New recovery codes were created for your Hedgerow account. The old ones no longer work.',
  passkeyAdded: 'A passkey was added to your Hedgerow account. It signs in without your password.',
  passkeyRemoved: 'A passkey of your Hedgerow account was deleted.',
  codeUsed: 'Someone signed in to your Hedgerow account with a recovery code.',
} as const

export type SecondFactorEvent = keyof typeof EVENTS

interface MailDeps {
  readonly db: Db
  readonly mailer: Mailer
}

/** Tells a user. Returns the problem of the mail server, if there is one. */
export async function mailSecondFactorEvent(
  { db, mailer }: MailDeps,
  userId: number,
  event: SecondFactorEvent,
): Promise<string | undefined> {
  const user = mailer.isConfigured && (await findUser(db, userId))
  return user ? mailer.send(uuid(), user.email, toMail(EVENTS[event])) : undefined
}

/** Tells a user after the response. */
export const tellSecondFactorEvent = (
  deps: MailDeps,
  log: Parameters<typeof mailInBackground>[0],
  userId: number,
  event: SecondFactorEvent,
): void =>
  mailInBackground(log, 'The mail about a second factor was not sent', () =>
    mailSecondFactorEvent(deps, userId, event),
  )

function toMail(event: string): Mail {
  const advice =
    'If it was not you, set a new password, sign out everywhere in Settings, Account, and tell an admin.'
  return {
    subject: 'Your second factor on Hedgerow',
    text: `${event}\n\n${advice}\n`,
    html: toMailHtml(`<p>${escapeHtml(event)}</p><p>${advice}</p>`),
  }
}
