import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../test/support/app/app.ts'
import { installPlugin } from '../../test/support/app/plugin.ts'
import { storageOptions } from '../../test/support/app/storage.ts'
import { startCapturing } from '../../test/support/data/capture.ts'
import { ROOT } from '../../tools/sources.ts'

const read = (path: string): string => readFileSync(join(ROOT, 'docs', path), 'utf8')

async function scrape(api: Pick<TestApp, 'get'>): Promise<string> {
  return (await api.get('/metrics')).text
}

const typesIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  )

/** Reads one series. */
const readSeries = (text: string, series: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? Number.NaN)
}

describe('metrics', () => {
  it('are those that the documentation lists', async () => {
    const types = typesIn(await scrape(await startApp()))
    const rows = [...read('operating.md').matchAll(/^\| `(hedgerow_\w+)` \| (\w+) \|/gm)]

    const documented = rows.map(([, name, type]) => `${name} ${type}`)
    const exposed = [...types].map(([name, type]) => `${name} ${type}`)

    expect(documented.sort()).toEqual(exposed.filter((name) => name.startsWith('hedgerow_')).sort())
  })

  it.each(['alerts.yml', 'grafana-dashboard.json'])('exist if %s names them', async (file) => {
    const types = typesIn(await scrape(await startApp()))
    const text = read(`operating/${file}`)
    if (file.endsWith('.json')) JSON.parse(text)

    const named = text.match(/\b(?:hedgerow|process|nodejs)_\w+/g) ?? []

    const toName = (name: string) =>
      types.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !types.has(toName(name)))).toEqual([])
  })

  it('alert with rules that each have an expression, a time and an action', () => {
    const rules = read('operating/alerts.yml')
      .split(/^ {6}- alert: /m)
      .slice(1)

    expect(rules.length).toBeGreaterThan(5)
    for (const rule of rules) {
      expect(rule).toMatch(/^Hedgerow\w+\n {8}expr: .*\n[\s\S]* {8}for: \d+[mh]\n {8}labels: /)
      expect(rule).toMatch(/ {10}summary: ".+"\n {10}action: ".+"\n/)
    }
  })

  it('count events, refusals, queries and cache reads', async () => {
    const options = await storageOptions()
    const env = { HEDGEROW_DATA: options.dataFolder }
    const api = await startCapturing(startApp(undefined, env, options))
    const batch = [{ event: 'a', distinct_id: 'b', properties: {} }]
    await api.send('/batch', { api_key: api.token, batch })
    await api.send('/batch', { api_key: 'phc_unknown', batch })
    const query = { kind: 'HogQLQuery', query: 'select count() from events' }
    await api.post('query', { query })
    await api.post('query', { query })
    await api.get('dashboards')
    await api.get('dashboards')

    const text = await scrape(api)

    const values = {
      stored: readSeries(text, 'hedgerow_events_stored_total'),
      accepted: readSeries(text, 'hedgerow_capture_requests_total{status="200"}'),
      refused: readSeries(text, 'hedgerow_capture_requests_total{status="401"}'),
      queries: readSeries(text, 'hedgerow_queries_total{kind="HogQLQuery",outcome="succeeded"}'),
      resultHits: readSeries(text, 'hedgerow_cache_reads_total{cache="results",result="hit"}'),
      resultMisses: readSeries(text, 'hedgerow_cache_reads_total{cache="results",result="miss"}'),
      responseHits: readSeries(text, 'hedgerow_cache_reads_total{cache="responses",result="hit"}'),
      running: readSeries(text, 'hedgerow_queries_running'),
      failedGroups: readSeries(text, 'hedgerow_metrics_failed_groups'),
    }
    expect(values).toEqual({
      ...{ stored: 1, accepted: 1, refused: 1, queries: 1, resultHits: 1, resultMisses: 1 },
      ...{ responseHits: 1, running: 0, failedGroups: 0 },
    })
    expect(readSeries(text, 'hedgerow_store_size_bytes{store="database"}')).toBeGreaterThan(1000)
    expect(readSeries(text, 'hedgerow_store_size_bytes{store="events"}')).toBeGreaterThan(1000)
    expect(readSeries(text, 'hedgerow_disk_free_bytes')).toBeGreaterThan(0)
  })

  it('have one series for all routes and IDs of a collection', async () => {
    const api = await startApp()
    for (const path of ['dashboards', 'dashboards/1', 'dashboards/2/sharing', '/api/nowhere']) {
      await api.get(path)
      await api.patch(path, {})
    }

    const text = await scrape(api)

    const routes = [...text.matchAll(/^hedgerow_http_route_\w+_count{route="(.*)"} (\d+)$/gm)]
    const counts = Object.fromEntries(routes.map(([, route, count]) => [route, Number(count)]))
    expect(counts).toEqual({ '/api/environments/:project_id/dashboards': 5, none: 3 })
    expect(text).not.toContain('method=')
  })

  it('tell how many runs wait, and for how long', async () => {
    const api = await startApp()
    const plugin = await installPlugin(api.db, { public_jobs: { work: {} } })
    await api.post(CONFIGS, { plugin, enabled: true })
    await api.post(`${CONFIGS}/1/job`, { job: { type: 'work', payload: {} } })
    const run_at = new Date(Date.now() - 60_000).toISOString()
    await api.db.updateTable('runs').set({ run_at }).execute()

    const text = await scrape(api)

    expect(readSeries(text, 'hedgerow_runs{state="queued"}')).toBe(1)
    expect(readSeries(text, 'hedgerow_runs{state="running"}')).toBe(0)
    expect(readSeries(text, 'hedgerow_run_queue_age_seconds')).toBeGreaterThan(59)
    const finished_at = new Date().toISOString()
    await api.db.updateTable('runs').set({ state: 'failed', finished_at }).execute()
    expect(readSeries(await scrape(api), 'hedgerow_runs_last_hour{state="failed"}')).toBe(1)
  })
})
