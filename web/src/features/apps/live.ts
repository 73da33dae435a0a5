import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LogEntry, Run } from '#server/features/import-apps/runs/schema.ts'
import type { Page } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { configKey, configsPath, isUnfinished, RUNS_SHOWN, runsKey } from './api.ts'

export interface Live {
  readonly connection: 'connecting' | 'live' | 'broken'
  /** Since the page was opened, oldest first. */
  readonly lines: readonly LogEntry[]
}

const LINES_KEPT = 2000
/** An app may log hundreds of lines at once: they are shown together. */
const GATHER_MS = 100

/** What a config's app does while it is watched. Its runs go where the lists of runs are. */
export function useLive(id: number): Live {
  const projectId = useProjectId()
  const client = useQueryClient()
  const [connection, setConnection] = useState<Live['connection']>('connecting')
  const [lines, setLines] = useState<readonly LogEntry[]>([])

  useEffect(() => {
    const source = new EventSource(`${configsPath(projectId)}/${id}/live`)
    let gathered: LogEntry[] = []
    const timer = setInterval(() => {
      if (gathered.length === 0) return
      const fresh = gathered
      gathered = []
      setLines((known) => [...known, ...fresh].slice(-LINES_KEPT))
    }, GATHER_MS)
    source.onopen = () => setConnection('live')
    source.onerror = () => setConnection('broken') // and it tries again by itself
    source.addEventListener('log', ({ data }) => gathered.push(JSON.parse(data)))
    source.addEventListener('run', ({ data }) => keepRun(client, projectId, JSON.parse(data)))
    return () => {
      clearInterval(timer)
      source.close()
    }
  }, [client, projectId, id])

  return { connection, lines }
}

function keepRun(client: QueryClient, projectId: number, run: Run): void {
  const key = [...runsKey(projectId, run.config_id), { offset: 0, limit: RUNS_SHOWN }]
  const before = client.getQueryData<Page<Run>>(key)
  if (!before) return
  const known = before.results.find(({ id }) => id === run.id)
  client.setQueryData(key, withRun(before, run))
  // the config's error and its figures follow from how runs end
  const hasEnded = !isUnfinished(run) && known !== undefined && isUnfinished(known)
  if (hasEnded) void client.invalidateQueries({ queryKey: configKey(projectId, run.config_id) })
}

/** Newest first, as the list has them. */
function withRun(page: Page<Run>, run: Run): Page<Run> {
  if (page.results.some(({ id }) => id === run.id)) {
    return { ...page, results: page.results.map((known) => (known.id === run.id ? run : known)) }
  }
  const newest = page.results[0]
  if (newest && run.created_at < newest.created_at) return page
  return { ...page, count: page.count + 1, results: [run, ...page.results].slice(0, RUNS_SHOWN) }
}
