import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface RawRequest {
  readonly method: string
  /** Sent unchanged, while fetch would normalize it. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

/** Sends a request that is valid HTTP but that fetch would not send. */
export function send(url: string, { method, path, headers, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { hostname, port, method, path, headers: { ...length, ...headers } },
      (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming
        if (received['content-type']?.startsWith('text/event-stream')) {
          incoming.destroy() // the stream would not end
          return resolve({ status, headers: received, text: '' })
        }
        text(incoming).then((got) => resolve({ status, headers: received, text: got }), reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends any bytes on a socket and returns everything until the server disconnects. */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const got = await text(socket)
  const [head = '', ...rest] = got.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(': ')
    return [name.toLowerCase(), value.join(': ')]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: rest.join('\r\n\r\n'),
  }
}
