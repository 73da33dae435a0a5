/** The baseline: a node:http server that only sends recorded bytes by method and path. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Recorded {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

const recorded = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'))
const answers = new Map<string, Recorded>(Object.entries(recorded))

const server = createServer((request, response) => {
  const answer = answers.get(`${request.method} ${request.url}`)
  if (!answer) {
    response.writeHead(404).end()
    return
  }
  const send = () => response.writeHead(answer.status, answer.headers).end(answer.body)
  if (request.method === 'GET') {
    send()
    return
  }
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    JSON.parse(body)
    send()
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`)
})
