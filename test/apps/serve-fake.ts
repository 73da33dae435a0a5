import { startServer } from '../runtime/apps.ts'
import type { FakeResponse } from './fake-app.ts'

type Respond = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
) => FakeResponse | undefined

/** Starts a server that responds like a fake. The fake sees the origin of its service, if that is given. */
export async function serveFake(respond: Respond, origin?: string) {
  const server = await startServer((request, response) => {
    const url = new URL(request.url ?? '/', origin ?? `http://${request.headers.host}`)
    const sent = respond(
      url,
      request.headers as Readonly<Record<string, string>>,
      server.requests.at(-1)?.body ?? '',
    )
    const { status = 200, headers, body } = sent ?? { status: 404 }
    response.writeHead(status, headers).end(body)
  })
  return server
}
