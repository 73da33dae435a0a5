import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LogEntry, Run } from '#server/features/import-apps/runs/schema.ts'
import type { ListPage } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { openStream } from '../../../api/stream.ts'
import { isUnfinished, RUNS_SHOWN } from '../api.ts'
import { configKey, configsPath, runsKey } from '../keys.ts'

export interface LiveUpdates {
  readonly connection: 'connecting' | 'live' | 'broken'
  /** Lines since the page was opened, oldest first. */
  readonly lines: readonly LogEntry[]
}

const LINES_KEPT = 2000
/** Batches lines, since an app may log hundreds at once. */
const BATCH_MS = 100

/** Streams log lines and runs; runs are merged into the query cache. */
export function useLiveUpdates(id: number): LiveUpdates {
  const projectId = useProjectId()
  const client = useQueryClient()
  const [connection, setConnection] = useState<LiveUpdates['connection']>('connecting')
  const [lines, setLines] = useState<readonly LogEntry[]>([])

  useEffect(() => {
    let pending: LogEntry[] = []
    const timer = setInterval(() => {
      if (pending.length === 0) return
      const fresh = pending
      pending = []
      setLines((known) => [...known, ...fresh].slice(-LINES_KEPT))
    }, BATCH_MS)
    const close = openStream(`${configsPath(projectId)}/${id}/live`, {
      onConnection: (isConnected) => setConnection(isConnected ? 'live' : 'broken'),
      on: {
        log: (data) => pending.push(JSON.parse(data)),
        run: (data) => cacheRun(client, projectId, JSON.parse(data)),
      },
    })
    return () => {
      clearInterval(timer)
      close()
    }
  }, [client, projectId, id])

  return { connection, lines }
}

function cacheRun(client: QueryClient, projectId: number, run: Run): void {
  const key = [...runsKey(projectId, run.config_id), { offset: 0, limit: RUNS_SHOWN }]
  const before = client.getQueryData<ListPage<Run>>(key)
  if (!before) return
  const known = before.results.find(({ id }) => id === run.id)
  client.setQueryData(key, withRun(before, run))
  // a finished run changes the config's error and metrics
  const hasEnded = !isUnfinished(run) && known !== undefined && isUnfinished(known)
  if (hasEnded) void client.invalidateQueries({ queryKey: configKey(projectId, run.config_id) })
}

/** Inserts or replaces a run, newest first. */
function withRun(page: ListPage<Run>, run: Run): ListPage<Run> {
  if (page.results.some(({ id }) => id === run.id)) {
    return { ...page, results: page.results.map((known) => (known.id === run.id ? run : known)) }
  }
  const newest = page.results[0]
  if (newest && run.created_at < newest.created_at) return page
  return { ...page, count: page.count + 1, results: [run, ...page.results].slice(0, RUNS_SHOWN) }
}
