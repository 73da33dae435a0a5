import { describe, expect, it } from 'vitest'
import { type Incidents, nextIncidents } from './incidents.ts'
import type { Watched } from './schema.ts'

const SINCE = '2026-01-01T00:00:00.000Z'
const ALL: readonly Watched[] = ['failed', 'recovered', 'stale', 'skipped', 'schema_changed']
const problem = (...kinds: string[]) => ({
  isPaused: false,
  problems: Object.fromEntries(kinds.map((kind) => [kind, { message: kind, since: SINCE }])),
})

describe('the incidents of an import', () => {
  it.each<[string, Incidents, string[], readonly Watched[], Incidents, string[]]>([
    ['nothing is wrong', {}, [], ALL, {}, []],
    ['it fails', {}, ['failed'], ALL, { broken: 'failed' }, ['import.failed']],
    ['it still fails', { broken: 'failed' }, ['failed'], ALL, { broken: 'failed' }, []],
    ['it fails and is late', {}, ['failed', 'stale'], ALL, { broken: 'failed' }, ['import.failed']],
    ['it is late and then fails', { broken: 'stale' }, ['failed'], ALL, { broken: 'stale' }, []],
    ['it works again', { broken: 'stale' }, [], ALL, {}, ['import.recovered']],
    ['nobody asked for the end', { broken: 'failed' }, [], ['failed'], {}, []],
    ['nobody asked for failures', {}, ['failed'], ['stale'], {}, []],
    [
      'it is late while it fails',
      {},
      ['failed', 'stale'],
      ['stale'],
      { broken: 'stale' },
      ['import.stale'],
    ],
    ['rows were skipped', {}, ['skipped'], ALL, { skipped: 'skipped' }, ['import.skipped']],
    ['no rows are skipped now', { skipped: 'skipped' }, [], ALL, {}, ['import.recovered']],
    [
      'it has two problems',
      {},
      ['failed', 'skipped'],
      ALL,
      { broken: 'failed', skipped: 'skipped' },
      ['import.failed', 'import.skipped'],
    ],
    [
      'its events changed',
      {},
      ['schema_changed'],
      ALL,
      { schema_changed: 'schema_changed' },
      ['import.schema_changed'],
    ],
    ['its events stay as they are', { schema_changed: 'schema_changed' }, [], ALL, {}, []],
  ])('when %s', (_, before, kinds, watched, incidents, events) => {
    const next = nextIncidents(before, problem(...kinds), watched, false)

    expect(next.incidents).toEqual(incidents)
    expect(next.messages.map(({ event }) => event)).toEqual(events)
  })

  it('end without a message when it is paused', () => {
    const found = { ...problem('failed'), isPaused: true }

    expect(nextIncidents({ broken: 'failed' }, found, ALL, false)).toEqual({
      incidents: {},
      messages: [],
    })
  })

  it('begin again after a snooze', () => {
    const { messages } = nextIncidents({ broken: 'failed' }, problem('failed'), ALL, true)

    expect(messages).toEqual([{ event: 'import.failed', message: 'failed', since: SINCE }])
  })
})
