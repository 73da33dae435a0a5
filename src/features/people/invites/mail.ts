import { escapeHtml } from '#server/html/escape.ts'
import { type Mail, oneLine } from '#server/mail/mail.ts'

export function toInviteMail(organization: string, level: string, link: string): Mail {
  const says = `You are invited to join ${oneLine(organization)} on Hedgerow as ${level}.`
  const until = 'The link works once, and for 7 days.'
  return {
    subject: `Join ${oneLine(organization)} on Hedgerow`,
    text: `${says}\n\n${link}\n\n${until}\n`,
    html: `<!doctype html><html><body style="font-family: sans-serif"><p>${escapeHtml(says)}</p><p><a href="${escapeHtml(link)}">Accept the invitation</a></p><p>${until}</p></body></html>`,
  }
}
