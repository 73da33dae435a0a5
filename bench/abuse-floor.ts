/** The baseline of the abuse figures: a node:http server that responds at once and reads no body. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})

server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`)
})
