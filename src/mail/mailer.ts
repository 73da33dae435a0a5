import type { Transporter } from 'nodemailer'
import { withTimeout } from '../concurrency.ts'
import { sanitizeText } from '../db/sanitize.ts'
import type { Mail } from './mail.ts'

export interface MailSettings {
  readonly smtpUrl: string
  readonly from: string
}

export interface Mailer {
  /** False if no SMTP server is configured. */
  readonly isConfigured: boolean
  /** Never throws: returns the problem, or undefined if the mail server accepted the mail. */
  send(id: string, to: string, mail: Mail): Promise<string | undefined>
  close(): void
}

/** Limits each step: connecting, the greeting, and every pause after it. */
const STEP_MS = 10_000
/** Must be shorter than the lease of a delivery. */
const TOTAL_MS = 20_000
const MAX_PROBLEM_LENGTH = 500

export function createMailer(settings: MailSettings | undefined): Mailer {
  let transporter: Promise<Transporter> | undefined

  async function send(
    { smtpUrl, from }: MailSettings,
    id: string,
    to: string,
    content: Mail,
  ): Promise<void> {
    transporter ??= open(smtpUrl)
    const mail = { from, to: { name: '', address: to }, ...content }
    const headers = { 'X-Hedgerow-Delivery': id, 'Auto-Submitted': 'auto-generated' }
    const sending = (await transporter).sendMail({ ...mail, headers })
    await withTimeout(sending, TOTAL_MS, () => new Error(TOO_SLOW))
  }

  return {
    isConfigured: settings !== undefined,
    async send(id, to, content) {
      if (!settings) return 'HEDGEROW_SMTP_URL is not set.'
      try {
        await send(settings, id, to, content)
        return undefined
      } catch (error) {
        return toMailProblem(error as Error)
      }
    },
    close() {
      void transporter?.then((opened) => opened.close())
    },
  }
}

const TOO_SLOW = `The mail server took longer than ${TOTAL_MS / 1000} s.`

const toMailProblem = ({ message }: Error): string =>
  sanitizeText(message || 'The connection was lost.').slice(0, MAX_PROBLEM_LENGTH)

/** Loads nodemailer with the first mail, because many servers never send one. */
async function open(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
