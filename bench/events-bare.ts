/** The baseline of capture: a node:http server that reads each body and responds. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const parses = process.argv[2] === 'parse'
const ANSWER = '{"status":1}'
const HEADERS = { 'content-type': 'application/json', 'content-length': ANSWER.length }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (parses) JSON.parse(body.toString())
    response.writeHead(200, HEADERS).end(ANSWER)
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`)
})
