import { readBuiltInApps } from '#server/features/import-apps/plugins/built-in.ts'
import type { AppAttachment, AppTask } from '#server/runtime/contract.ts'
import { job, type Recorded, recordServices, run, startRuntime } from '../runtime/apps.ts'

export interface AppToRun {
  readonly config?: Readonly<Record<string, unknown>>
  readonly attachments?: Readonly<Record<string, AppAttachment>>
  readonly secrets?: readonly string[]
}

/** Compiles a built-in app as a server start does, and runs it with a config in the real runtime. */
export async function startBuiltIn(name: string, options: AppToRun = {}, services?: Recorded) {
  const app = (await readBuiltInApps()).find(({ row }) => row.name === name)
  if (!app) throw new Error(`There is no built-in app '${name}'.`)
  const runtime = startRuntime({ allowedHosts: ['127.0.0.1'] })
  const recorded = services ?? recordServices()
  const spec = {
    configId: app.row.id,
    projectId: 1,
    pluginId: app.row.id,
    pluginName: name,
    version: '1',
    code: await app.compile(),
    config: {},
    secrets: [],
    attachments: {},
    ...options,
  }
  const [publicJob = ''] = Object.keys(JSON.parse(app.row.public_jobs))
  // each run has its own services, as in a worker
  return {
    recorded,
    runtime,
    runJob: (payload: unknown = {}, signal?: AbortSignal) =>
      run(runtime, spec, { ...recorded }, job(publicJob, payload), signal),
    runSchedule: () => run(runtime, spec, { ...recorded }, SCHEDULE),
  }
}

const SCHEDULE: AppTask = { kind: 'schedule', name: 'runEveryHour', payload: undefined }

export function attached(text: string, file_name = 'events.csv'): AppAttachment {
  const bytes = Buffer.from(text)
  return {
    content_type: 'text/csv',
    file_name,
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    },
  }
}
