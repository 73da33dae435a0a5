import { expect, it } from 'vitest'
import { describeActivity, type Entry, isFullyDescribed } from './sentence.ts'

const entry = (scope: string, activity: string, detail: object = {}): Entry => ({
  ...{ id: 1, scope, activity, item_id: '1', created_at: '2026-01-01T00:00:00.000Z' },
  user: { first_name: 'Ada', email: 'ada@example.com' },
  detail: {
    ...{ name: 'Growth', changes: [], trigger: null, type: null, short_id: null },
    ...detail,
  },
})

const change = (field: string | null, before: unknown, after: unknown, action = 'changed') => ({
  ...{ type: 'x', action, field, before, after },
})

const updated = (...changes: ReturnType<typeof change>[]) =>
  entry('Dashboard', 'updated', { changes })

const tile = (insight: string) => ({ layouts: {}, color: null, insight })
const trigger = { job_type: 'Import', job_id: 'x', payload: {} }

it.each<[string, Entry]>([
  ['Ada created dashboard Growth', entry('Dashboard', 'created')],
  ['Ada moved dashboard Growth to trash', entry('Dashboard', 'deleted')],
  ['Ada deleted alert Growth', entry('Alert', 'deleted')],
  ['Alert Growth fired', entry('Alert', 'fired')],
  ['Ada created an unnamed dashboard', entry('Dashboard', 'created', { name: '' })],
  ['Ada created an unnamed insight', entry('Insight', 'created', { name: '' })],
  ['Ada renamed dashboard Growth to Growth 2026', updated(change('name', 'Growth', 'Growth 2026'))],
  ['Ada pinned dashboard Growth', updated(change('pinned', false, true))],
  ['Ada unpinned dashboard Growth', updated(change('pinned', true, false))],
  [
    'Ada updated the description, tags and 2 tiles of dashboard Growth',
    updated(
      change('description', '', 'x', 'created'),
      change('tags', [], ['a'], 'created'),
      change('tile 1', tile('a'), tile('b')),
      change('tile 2', tile('c'), tile('d')),
    ),
  ],
  [
    'Ada added tile Sign-ups to dashboard Growth',
    updated(change('tile 1', null, tile('Sign-ups'), 'created')),
  ],
  [
    'Ada removed tile Sign-ups from dashboard Growth',
    updated(change('tile 1', tile('Sign-ups'), null, 'deleted')),
  ],
  ['Ada ran Import in import app Growth', entry('PluginConfig', 'job_triggered', { trigger })],
  ['Ada canceled Import in import app Growth', entry('PluginConfig', 'job_cancelled', { trigger })],
  [
    'Ada enabled import app My CSV',
    {
      ...entry('PluginConfig', 'enabled', { name: 'CSV' }),
      item: { kind: 'import_app', id: '1', name: 'My CSV' },
    },
  ],
  [
    'Ada deleted 1,200 events of person bob',
    entry('Project', 'events_deleted', { name: 'bob', changes: [change('events', 1200, null)] }),
  ],
  ['Ada updated dashboard template Growth', entry('Project', 'template updated')],
  ['Ada did something new project Growth', entry('Project', 'did_something_new')],
])('reads: %s', (words, entry) => {
  expect(describeActivity(entry)).toBe(words)
})

it.each<[boolean, Entry]>([
  [true, updated(change('name', 'a', 'b'))],
  [true, updated(change('pinned', false, true))],
  [false, updated(change('pinned', false, true), change('name', 'a', 'b'))],
  [false, updated(change('description', 'a', 'b'))],
  [true, entry('Dashboard', 'created')],
  [false, entry('PluginConfig', 'config_updated', { changes: [change('url', 'a', 'b')] })],
])('reports whether the sentence states every change: %s', (expected, entry) => {
  expect(isFullyDescribed(entry)).toBe(expected)
})
