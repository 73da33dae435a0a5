import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readText } from '../../tools/sources.ts'
import { useApp } from '../support/app/app.ts'
import { startCapturing } from '../support/data/capture.ts'
import { RECORDS } from './posthog-records.ts'

const run = promisify(execFile)

const GUIDE = readText('docs/move-from-posthog.md')
const [EVENTS = '', DASHBOARDS = ''] = [...GUIDE.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code,
)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedgerow-move-'))
  await writeFile(join(folder, 'move-events.mjs'), EVENTS)
  await writeFile(join(folder, 'move-dashboards.mjs'), DASHBOARDS)
  return () => rm(folder, { recursive: true })
})

/** Runs a script of the guide and returns the lines that it prints. */
async function runScript(env: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, args, { cwd: folder, env })
  return stdout.trimEnd().split('\n')
}

const toLines = (rows: readonly object[]): string =>
  rows.map((row) => JSON.stringify(row)).join('\n')

const exported = (uuid: string, event: string, distinct_id: string, properties: object) => ({
  ...{ uuid, event, distinct_id, properties },
  timestamp: `2026-03-01T09:30:0${uuid.at(-1)}.123456+00:00`,
  person_id: '0191aaaa-0000-7000-8000-000000000001',
  person_properties: { plan: 'free' },
  elements_chain: '',
  created_at: '2026-03-01T09:31:00+00:00',
  _inserted_at: '2026-03-01T09:31:02+00:00',
})

const person = (distinct_id: string, is_deleted = false) => ({
  ...{ team_id: 2, distinct_id, is_deleted, properties: { plan: 'pro' } },
  person_id: '0191aaaa-0000-7000-8000-000000000001',
  created_at: '2026-03-01T09:30:00+00:00',
})

/** Serves the records as PostHog's API does, lists in pages of two. */
async function startPostHog(): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, `http://${headers.host}`)
    const found = RECORDS[pathname]
    const offset = Number(searchParams.get('offset'))
    const next = `http://${headers.host}${pathname}?offset=${offset + 2}`
    const page = Array.isArray(found) && {
      results: found.slice(offset, offset + 2),
      next: offset + 2 < found.length ? next : null,
    }
    response.writeHead(found && headers.authorization === 'Bearer phx_posthog' ? 200 : 404)
    response.end(JSON.stringify(page || found || { detail: 'Not found.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/projects/12345`
}

describe('the scripts of the guide for moving from PostHog', () => {
  it('move events and persons, and store nothing twice', async () => {
    const api = await startCapturing()
    const ids = ['1', '2', '3'].map((end) => `01912e51-73a5-7000-8a6b-00000000000${end}`)
    const events = [
      exported(ids[0] as string, '$pageview', 'anonymous-1', { $ip: '203.0.113.7' }),
      exported(ids[1] as string, '$identify', 'ada', { $anon_distinct_id: 'anonymous-1' }),
      exported(ids[2] as string, 'order paid', 'ada', { amount: 42 }),
    ]
    const persons = [person('anonymous-1'), person('ada'), person('phone'), person('gone', true)]
    await writeFile(join(folder, 'events.jsonl'), toLines(events))
    await writeFile(join(folder, 'persons.jsonl'), toLines(persons))
    const env = { HEDGEROW_URL: api.url, HEDGEROW_TOKEN: api.token }
    const files = ['events.jsonl', 'persons.jsonl']

    const printed = await runScript(env, 'move-events.mjs', ...files)
    await runScript(env, 'move-events.mjs', ...files)

    expect(printed).toEqual(['events.jsonl: 3 lines', 'persons.jsonl: 4 lines'])
    const stored = await api.stored()
    expect(stored.map(({ event }) => event).sort()).toEqual([
      '$identify',
      '$merge_dangerously',
      '$merge_dangerously',
      '$pageview',
      '$set',
      'order paid',
    ])
    expect(stored[0]).toMatchObject({ id: ids[2], properties: { amount: 42, $ip: null } })
    expect(stored.at(-4)).toMatchObject({
      timestamp: '2026-03-01T09:30:01.123Z',
      properties: { $ip: '203.0.113.7' },
    })
    const { results } = (await api.get('persons')).body
    expect(results).toMatchObject([{ properties: { plan: 'pro' } }])
    expect(results[0].distinct_ids.sort()).toEqual(['ada', 'anonymous-1', 'phone'])
  })

  it('names the file, the line and the reason when events are refused', async () => {
    const api = await startCapturing()
    const events = [exported('01912e51-73a5-7000-8a6b-000000000001', '', 'ada', {})]
    await writeFile(join(folder, 'refused.jsonl'), toLines(events))

    const moving = runScript(
      { HEDGEROW_URL: api.url, HEDGEROW_TOKEN: api.token },
      'move-events.mjs',
      'refused.jsonl',
    )

    await expect(moving).rejects.toThrow(
      'refused.jsonl, up to line 1: 400 {"type":"validation_error"',
    )
  })

  it('move cohorts, insights, dashboards and annotations, and name what is refused', async () => {
    const api = await useApp()
    const { key } = await api.as({
      scopes: [
        'action:write',
        'cohort:write',
        'insight:write',
        'dashboard:write',
        'annotation:write',
        'query:read',
      ],
    })

    const printed = await runScript(
      {
        ...{ POSTHOG_URL: await startPostHog(), POSTHOG_KEY: 'phx_posthog' },
        ...{ HEDGEROW_URL: api.address(''), HEDGEROW_KEY: key },
      },
      'move-dashboards.mjs',
    )

    expect(printed).toEqual([
      'Not moved: action 4 "Clicks": steps__0__selector: "selector" cannot be applied. Remove it.',
      'Not moved: cohort 33 "Regulars": filters__properties__values__0__value: "performed_event_regularly" is not a valid choice.',
      'Not moved: insight 812 "Clicks": It uses action 4, which was not moved.',
      'Not moved: insight 813 "Regulars by day": It uses cohort 33, which was not moved.',
      expect.stringMatching(
        /^Not moved: insight 840 "Visits": query__source__kind: "WebVitalsQuery" is not a kind of query\. There are /,
      ),
      'Not moved: annotation 4 "Clicks moved": It uses insight 812, which was not moved.',
      'Moved: actions 1, cohorts 3, insights 2, dashboards 1, annotations 2',
    ])
    expect(GUIDE).toContain(`\n${printed[0]}\n`)
    const cohorts = (await api.get('cohorts')).body.results
    const toId = (name: string) => cohorts.find((one: { name: string }) => one.name === name).id
    const insights = (await api.get('insights')).body.results
    const named = (name: string) => insights.find((one: { name: string }) => one.name === name)
    const insight = named('Visitors')
    const [action] = (await api.get('actions')).body.results
    expect(action).toMatchObject({ name: 'Bought', steps: [{ url: '/shop' }] })
    expect(named('Buyers').query.source.series).toEqual([{ kind: 'ActionsNode', id: action.id }])
    expect(insight).toMatchObject({ name: 'Visitors', tags: ['web'], favorited: true })
    expect(insight.query.source).toMatchObject({
      properties: [{ type: 'cohort', value: toId('Paying') }],
      breakdownFilter: { breakdown: [toId('Paying'), 'all'] },
    })
    const [{ id }] = (await api.get('dashboards')).body.results
    expect((await api.get(`dashboards/${id}`)).body).toMatchObject({
      ...{ name: 'Growth', pinned: true, tags: ['weekly'], filters: { date_from: '-30d' } },
      tiles: [
        { color: 'blue', layouts: { sm: { x: 0, w: 6 } }, insight: { id: insight.id } },
        { layouts: { sm: { x: 6, w: 6 } }, text: { body: 'Numbers of the **website**.' } },
      ],
    })
    expect((await api.get('annotations')).body.results).toMatchObject([
      { content: 'Release 2', scope: 'dashboard_item', dashboard_item: insight.id },
      { content: 'Release 1', scope: 'project' },
    ])
  })
})
