import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'

export interface ReceivedMail {
  readonly to: readonly string[]
  /** The raw message. */
  readonly source: string
}

export interface MailServer {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  waitFor(count: number): Promise<readonly ReceivedMail[]>
}

/** Accepts mails from clients that know this name and password. */
export async function startMailServer(user = 'jo', password = 'pass'): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password: given }, _session, done) =>
      username === user && given === password
        ? done(null, { user })
        : done(new Error('Wrong name or password')),
    onData: (stream, { envelope }, done) => {
      text(stream).then((source) => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), source })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    mails,
    waitFor: (count) => until(() => mails.length >= count && mails),
  }
}
