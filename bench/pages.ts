import { fork } from 'node:child_process'
import { once } from 'node:events'

export const RECORDS_PER_PAGE = 100

/** Serves pages of a JSON API in a process of its own, whose memory does not count, with a connector that reads them. */
export async function servePages(pages: number) {
  const server = fork(new URL('pages-server.ts', import.meta.url), [
    `${pages}`,
    `${RECORDS_PER_PAGE}`,
  ])
  const [port] = await once(server, 'message')
  const connector = `
base_url: http://127.0.0.1:${port}
streams:
  - name: orders
    path: /orders
    records: records
    paginate: { page: { parameter: page } }
    primary_key: id
    to: { event: order, person: email, time: at }`
  return { connector, pid: server.pid, close: () => void server.kill() }
}
