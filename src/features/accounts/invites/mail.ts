import { escapeHtml } from '#server/html/html.ts'
import { type Mail, oneLine, toMailHtml } from '#server/mail/mail.ts'

export function toInviteMail(organization: string, level: string, link: string): Mail {
  const article = level === 'member' ? 'a' : 'an'
  const intro = `You have been invited to join ${oneLine(organization)} on Hedgerow as ${article} ${level}.`
  const validity = 'The link can be used once and expires in 7 days.'
  return {
    subject: `Join ${oneLine(organization)} on Hedgerow`,
    text: `${intro}\n\n${link}\n\n${validity}\n`,
    html: toMailHtml(
      `<p>${escapeHtml(intro)}</p><p><a href="${escapeHtml(link)}">Accept the invitation</a></p><p>${validity}</p>`,
    ),
  }
}
