import { escapeHtml } from '#server/html/html.ts'
import { type Mail, toMailHtml } from '#server/mail/mail.ts'
import type { ScheduledBackupRow } from './store.ts'

/** Tells admins that the last backup is too old. `address`: of the server, if it is known. */
export function toLateMail(
  { succeeded_at, failed_at, problem }: ScheduledBackupRow,
  address: string | undefined,
): Mail {
  const lines = [
    succeeded_at === null
      ? 'No scheduled backup of Hedgerow has succeeded yet.'
      : `The last backup of Hedgerow is from ${succeeded_at}, longer ago than twice the interval.`,
    failed_at === null
      ? 'No attempt has failed: check that a server with HEDGEROW_BACKUP_FOLDER is running.'
      : `The last attempt failed at ${failed_at}: ${problem}`,
    'Run `hedgerow doctor` on the server to find out more. This message is repeated daily until a backup succeeds.',
    ...(address === undefined ? [] : [`Server: ${address}`]),
  ]
  return {
    subject: 'Hedgerow: the last backup is too old',
    text: `${lines.join('\n\n')}\n`,
    html: toMailHtml(`${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}`),
  }
}
