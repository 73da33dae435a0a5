import type { Target } from './abuse-load.ts'
import { runLoad } from './processes.ts'
import { BENCH_KEY } from './seed.ts'

const HEADERS = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' }
const SECONDS = 4

/** Watches live events on 200 connections while events arrive. */
export async function openStreams({ url, token }: Target): Promise<void> {
  const end = AbortSignal.timeout(SECONDS * 1000)
  const watch = async () => {
    try {
      const response = await fetch(`${url}/api/projects/1/events/live`, {
        headers: HEADERS,
        signal: end,
      })
      await response.text()
    } catch {
      // the stream ends when the time is up
    }
  }
  const capture = async () => {
    while (!end.aborted) {
      const batch = Array.from({ length: 20 }, () => ({ event: 'visited', distinct_id: 'ada' }))
      const body = JSON.stringify({ api_key: token, batch })
      await (await fetch(`${url}/batch`, { method: 'POST', body })).arrayBuffer()
    }
  }
  await Promise.all([...Array.from({ length: 200 }, watch), capture()])
}

/** Requests 50 exports at the same moment. */
export async function requestExports({ url }: Target): Promise<void> {
  const formats = ['png', 'pdf', 'csv', 'json']
  const request = async (index: number) => {
    const format = formats[index % formats.length]
    const path = `/api/environments/1/dashboards/${1 + (index % 10)}/export.${format}`
    await (await fetch(url + path, { headers: HEADERS })).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 50 }, (_, index) => request(index)))
}

/** Sends 2,000 queries a second, 200 different ones. */
export async function floodQueries({ url }: Target): Promise<void> {
  const requests = Array.from({ length: 200 }, (_, index) => ({
    method: 'POST',
    path: '/api/projects/1/query',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: { kind: 'HogQLQuery', query: `select count() + ${index} from events` },
    }),
  }))
  const load = { url, key: BENCH_KEY, requests, connections: 100, seconds: SECONDS, rate: 2000 }
  await runLoad('bench/load.ts', load)
}
