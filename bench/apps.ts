import { readdir, readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { readBuiltInApps } from '#server/features/import-apps/plugins/built-in.ts'
import { compileConnector } from '#server/features/import-apps/plugins/package/connector.ts'
import type { AppAttachment, AppServices, AppSpec } from '#server/runtime/contract.ts'
import { createRuntime } from '#server/runtime/runtime.ts'
import { RECORDS_PER_PAGE, servePages } from './pages.ts'

interface AppFigures {
  readonly app: string
  readonly events: number
  readonly perSecond: number
  /** The peak memory of the app's process and this one, in MB. */
  readonly appPeak: number
  readonly ownPeak: number
}

const PIECE = 64 * 1024

/** Runs a built-in app's job once. */
async function measureApp(name: string, events: number): Promise<AppFigures> {
  const app = (await readBuiltInApps()).find(({ row }) => row.name === name)
  if (!app) throw new Error(`There is no app '${name}'.`)
  const [job = ''] = Object.keys(JSON.parse(app.row.public_jobs))
  const config = { events: String(events), event: 'event' }
  const attachments = { file: csvOf(events) }
  return measureJob(job, events, {
    ...SPEC,
    pluginName: name,
    code: await app.compile(),
    config,
    attachments,
  })
}

/** Reads pages of a JSON API by a connector. */
async function measureConnector(pages: number): Promise<AppFigures> {
  const server = await servePages(pages)
  const code = await compileConnector(server.connector, [])
  const pluginName = `connector, ${pages} pages`
  const spec = { ...SPEC, pluginName, code }
  const figures = await measureJob('Import now', pages * RECORDS_PER_PAGE, spec, server.pid)
  server.close()
  return figures
}

const SPEC = {
  ...{ configId: 1, projectId: 1, pluginId: 1, version: '1' },
  ...{ config: {}, secrets: [], attachments: {} },
}

/** Runs a job once, with a store that only counts. The memory of the process `other` does not count. */
async function measureJob(
  job: string,
  events: number,
  spec: AppSpec,
  other?: number,
): Promise<AppFigures> {
  const counted = { events: 0 }
  const runtime = createRuntime({
    allowedHosts: ['127.0.0.1'],
    requireSandbox: false,
    warn: console.warn,
  })
  const start = performance.now()
  const task = { kind: 'job', name: job, payload: {} } as const
  const outcome = await runtime.run(spec, countInto(counted), task, new AbortController().signal)
  const seconds = (performance.now() - start) / 1000
  const appPeak = Math.max(
    ...(await Promise.all(
      (await listChildren(process.pid)).filter((pid) => pid !== other).map(measurePeak),
    )),
  )
  const ownPeak = await measurePeak(process.pid)
  await runtime.close()
  if (outcome.ended !== 'succeeded' || counted.events !== events) {
    throw new Error(`${counted.events} of ${events} events: ${JSON.stringify(outcome)}`)
  }
  return { app: spec.pluginName, events, perSecond: Math.round(events / seconds), appPeak, ownPeak }
}

/** Streams a CSV of ten columns, some quoted, generated while it is read. */
function csvOf(rows: number): AppAttachment {
  async function* read() {
    let text = 'distinct_id,timestamp,event,amount,country,plan,note,flag,zip,url\n'
    for (let row = 0; row < rows; row += 1) {
      text += `user_${row % 50_000},2024-01-0${1 + (row % 9)}T10:00:00Z,bought,${row / 100},DE,team,"a ""quoted"", note ${row}",true,0${row % 9000},https://example.com/${row % 100}\n`
      if (text.length < PIECE) continue
      yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(text)
  }
  // a small file would be loaded before the run
  return { content_type: 'text/csv', file_name: 'events.csv', size: 2 ** 30, read }
}

function countInto(counted: { events: number }): AppServices {
  const nothing = async () => {}
  return {
    storage: {
      get: async () => undefined,
      set: nothing,
      delete: nothing,
      setIfAbsent: nothing,
      increment: async () => 0,
    },
    cache: {} as AppServices['cache'],
    capture: async (events) => {
      counted.events += events.length
    },
    captureLarge: nothing,
    enqueue: nothing,
    skip: nothing,
    log: () => {},
    progress: () => {},
    apiAccess: () => Promise.reject(new Error('There is none.')),
  }
}

/** A process belongs to the thread that started it. */
async function listChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const texts = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')),
  )
  return texts.flatMap((text) => text.match(/\d+/g) ?? []).map(Number)
}

async function measurePeak(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const figures = []
  for (const events of [100_000, 1_000_000]) figures.push(await measureApp('CSV', events))
  figures.push(await measureApp('Demo data', 1_000_000))
  figures.push(await measureConnector(10_000))
  console.table(figures)
}
