import type { Transporter } from 'nodemailer'
import type { Mail } from './mail-text.ts'

export interface MailSettings {
  readonly smtpUrl: string
  readonly from: string
}

export interface Mailer {
  send(id: string, to: string, mail: Mail): Promise<void>
  close(): void
}

/** For each step: connecting, being greeted, and every silence after it. */
const STEP_MS = 10_000
/** Less than a delivery's lease. */
const WHOLE_MS = 20_000

export function createMailer({ smtpUrl, from }: MailSettings): Mailer {
  let transporter: Promise<Transporter> | undefined
  return {
    async send(id, to, letter) {
      transporter ??= open(smtpUrl)
      const mail = { from, to: { name: '', address: to }, ...letter }
      const headers = { 'X-Hedgerow-Delivery': id, 'Auto-Submitted': 'auto-generated' }
      const sending = (await transporter).sendMail({ ...mail, headers })
      sending.catch(() => {}) // it may end after we have given up
      await Promise.race([sending, tooLate(WHOLE_MS)])
    },
    close() {
      void transporter?.then((opened) => opened.close())
    },
  }
}

/** Loaded with the first mail: most servers send none for a long time. */
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

const tooLate = (ms: number): Promise<never> =>
  new Promise((_, reject) => {
    const late = () => reject(new Error(`The mail server took longer than ${ms / 1000} s.`))
    setTimeout(late, ms).unref()
  })
