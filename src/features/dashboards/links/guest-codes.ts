import { randomInt } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeUncached } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import {
  type ResetThrottle,
  requireFewRequests,
} from '#server/features/accounts/sessions/reset-mail.ts'
import { checkPassword, type PasswordThrottle } from '#server/features/accounts/sessions/sign-in.ts'
import { hashPassword, verifyPassword } from '#server/features/accounts/users/passwords.ts'
import { requireEmail } from '#server/features/accounts/users/users.ts'
import { mailInBackground } from '#server/mail/in-background.ts'
import { type Mail, toMailHtml } from '#server/mail/mail.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { LinkRow } from '../link-store.ts'
import { giveGuestPass } from './guest-pass.ts'
import { deleteCode, findGuest, replaceCode, takeTry } from './guest-store.ts'
import { findLinkInTime, requireOpen } from './open-link.ts'

interface MailDeps {
  readonly db: Db
  readonly mailer: Mailer
  readonly mailThrottle: ResetThrottle
}

interface Asked {
  readonly token: string
  readonly email: string
}

const toAddress = (email: string): string => requireEmail(email.trim()).toLowerCase()

/** Mails a code to an address if the link invites it. Nothing that the visitor sees or measures tells whether it does. */
export async function askForCode(
  { db, mailer, mailThrottle }: MailDeps,
  { ip, log }: FastifyRequest,
  { token, email }: Asked,
): Promise<void> {
  const { link } = requireOpen(await findLinkInTime(db, token))
  if (link.audience !== 'people') return
  if (!mailer.isConfigured) {
    throw invalid(null, 'This server cannot mail codes now. Ask the sender of the link.')
  }
  const address = toAddress(email)
  requireFewRequests(mailThrottle, ip, `link ${link.id} ${address}`)
  mailInBackground(log, 'The mail with the code of a public link was not sent', () =>
    mailCode({ db, mailer }, link, address),
  )
}

/** Stores a code for every address, so that entering one takes the same time for all of them. */
async function mailCode(
  { db, mailer }: Pick<MailDeps, 'db' | 'mailer'>,
  { id }: LinkRow,
  address: string,
): Promise<string | undefined> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const hash = await hashPassword(code)
  const guest = await changeUncached(db, async (tx) => {
    await replaceCode(tx, id, address, hash)
    return findGuest(tx, id, address)
  })
  return guest && mailer.send(uuid(), address, toMail(code))
}

function toMail(code: string): Mail {
  const intro = 'Your code to open the page that was shared with you:'
  const validity =
    'It can be used once, within ten minutes. If you did not ask for it, ignore this mail: nobody can open the page without the code.'
  return {
    subject: `${code} is your code for a shared page`,
    text: `${intro}\n\n${code}\n\n${validity}\n`,
    html: toMailHtml(`<p>${intro}</p><p><strong>${code}</strong></p><p>${validity}</p>`),
  }
}

interface EnterDeps {
  readonly db: Db
  readonly throttle: PasswordThrottle
}

interface Entered extends Asked {
  readonly code: string
}

/** Lets a browser pass whose guest has read the code. Wrong ones are counted by link and network. */
export async function enterCode(
  { db, throttle }: EnterDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, email, code }: Entered,
): Promise<boolean> {
  const { link } = requireOpen(await findLinkInTime(db, token))
  if (link.audience !== 'people') return true
  const address = toAddress(email)
  const attempt = { address: request.ip, email: `link ${link.id}` }
  return checkPassword(throttle, attempt, async () => {
    const hash = await changeUncached(db, (tx) => takeTry(tx, link.id, address))
    if (!(await verifyPassword(code.replace(/\s/g, ''), hash ?? null)) || !hash) return false
    const guest = await changeUncached(db, async (tx) =>
      (await deleteCode(tx, link.id, hash)) ? findGuest(tx, link.id, address) : undefined,
    )
    if (guest) giveGuestPass(request, reply, link, { id: guest.id, address })
    return guest !== undefined
  })
}
