import { createThrottle, type Throttle } from '#server/access/throttle.ts'
import type { Db } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import { findUser } from '#server/features/accounts/users/store.ts'
import { escapeHtml } from '#server/html/html.ts'
import { type Mail, oneLine, toMailHtml } from '#server/mail/mail.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Written } from './comments.ts'

/** Each is a mail, which a script must not send by the thousand. */
const MENTIONS_PER_HOUR = 100

export const createMentionThrottle = (clock: () => number = Date.now): Throttle =>
  createThrottle(clock, { maxFailures: MENTIONS_PER_HOUR, windowMs: 3_600_000 })

/** Counts the mentions of a request, and throws if the user has sent too many. */
export function requireFewMentions(
  throttle: Throttle,
  userId: number,
  mentions: readonly number[] = [],
): void {
  const author = `user ${userId}`
  for (const _ of mentions) {
    throttle.require(author)
    throttle.countFailure(author)
  }
}

interface MailDeps {
  readonly db: Db
  readonly mailer: Mailer
  /** The public URL; undefined: links cannot be mailed. */
  readonly url: string | undefined
}

/** Mails a comment to the users whom it mentions, and returns the first problem of the mail server. */
export async function mailMentions(
  { db, mailer, url }: MailDeps,
  { projectId, userId }: { readonly projectId: number; readonly userId: number },
  { id, content, dashboard, mentioned }: Written,
): Promise<string | undefined> {
  const others = mentioned.filter((user) => user.id !== userId)
  if (!mailer.isConfigured || url === undefined || others.length === 0) return undefined
  const author = (await findUser(db, userId))?.first_name ?? ''
  const link = `${url}/project/${projectId}/dashboards/${dashboard.id}?comments=${id}`
  const mail = toMentionMail({ author, dashboard: dashboard.name, content, link })
  const problems = await Promise.all(others.map(({ email }) => mailer.send(uuid(), email, mail)))
  return problems.find((problem) => problem !== undefined)
}

interface MentionText {
  readonly author: string
  readonly dashboard: string
  readonly content: string
  readonly link: string
}

function toMentionMail({ author, dashboard, content, link }: MentionText): Mail {
  const intro = oneLine(`${author} mentioned you in a comment on ${dashboard || 'a dashboard'}`)
  return {
    subject: intro,
    text: `${intro}:\n\n${content}\n\nReply: ${link}\n`,
    html: toMailHtml(
      `<p>${escapeHtml(intro)}:</p><blockquote style="white-space: pre-wrap">${escapeHtml(content)}</blockquote><p><a href="${escapeHtml(link)}">Reply</a></p>`,
    ),
  }
}
