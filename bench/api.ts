import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from './processes.ts'
import { BENCH_KEY } from './seed.ts'

type Server = Pick<Running, 'url'>

export const CONFIGS = '/api/projects/1/pipeline_import_apps_configs'

export async function call(
  { url }: Server,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: responses are only inspected
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${BENCH_KEY}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

export async function addConfig(server: Server, plugin: number, settings: object): Promise<number> {
  const { id } = await call(server, 'POST', CONFIGS, { plugin, enabled: true })
  await call(server, 'PATCH', `${CONFIGS}/${id}/settings`, { settings })
  return id
}

/** Reads the token that clients send events with. */
export const readToken = async (server: Server): Promise<string> =>
  (await call(server, 'GET', '/api/projects/1')).api_token

/** Waits until the run has succeeded. */
export async function runJob(server: Server, config: number, type: string, payload = {}) {
  const job = { type, payload }
  const { id } = await call(server, 'POST', `${CONFIGS}/${config}/job`, { job })
  for (;;) {
    const run = await call(server, 'GET', `${CONFIGS}/${config}/runs/${id}`)
    if (run.state === 'failed' || run.state === 'cancelled') throw new Error(run.message)
    if (run.state === 'succeeded') return run
    await wait(20)
  }
}
