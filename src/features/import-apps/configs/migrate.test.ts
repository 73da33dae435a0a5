import { describe, expect, it } from 'vitest'
import type { ConfigField, Plugin } from '../plugins/schema.ts'
import { migrateSettings } from './migrate.ts'

const pluginWith = (field: Partial<ConfigField>): Plugin => ({
  id: 1,
  name: 'App',
  version: '1.0.0',
  description: '',
  config_schema: [{ markdown: 'Only words.' }, { key: 'key', ...field }],
  public_jobs: {},
  capabilities: {},
})

const CONVERSIONS: [what: string, before: unknown, field: Partial<ConfigField>, after: unknown][] =
  [
    ['a missing setting to its default', undefined, { default: 'x' }, 'x'],
    ['a missing secret to its default', undefined, { default: 'x', secret: true }, 'x'],
    ['a missing setting without a default to nothing', undefined, {}, undefined],
    ['null to the default', null, { default: '' }, ''],
    ['a text to itself', 'a', { default: 'x' }, 'a'],
    ['an empty text to itself', '', { default: 'x' }, ''],
    ['a number to text', 5, {}, '5'],
    ['a boolean to text', false, { type: 'string' }, 'false'],
    ['an object to its text', { a: 1 }, { type: 'string' }, '{"a":1}'],
    ['JSON text to JSON', '{"a":1}', { type: 'json' }, { a: 1 }],
    ['a list in text to a list', '[1]', { type: 'json' }, [1]],
    ['a number in text to itself', '5', { type: 'json' }, '5'],
    ['invalid JSON to itself', '{"a"', { type: 'json' }, '{"a"'],
    ['JSON to itself', { a: 1 }, { type: 'json' }, { a: 1 }],
    ['a choice to itself', 'b', { type: 'choice', choices: ['a', 'b'], default: 'a' }, 'b'],
    ['a number to its choice', 2, { type: 'choice', choices: ['1', '2'] }, '2'],
    [
      'an unknown choice to the default',
      'c',
      { type: 'choice', choices: ['a', 'b'], default: 'a' },
      'a',
    ],
    [
      'an unknown choice without a default to nothing',
      'c',
      { type: 'choice', choices: ['a'] },
      undefined,
    ],
    ['a text in place of a file to nothing', 'c', { type: 'attachment' }, undefined],
    [
      'a secret with an unknown choice to itself',
      'c',
      { type: 'choice', choices: [], secret: true },
      'c',
    ],
    ['a secret number to text', 5, { secret: true }, '5'],
  ]

describe('migrating settings', () => {
  it.each(CONVERSIONS)('converts %s', (_, before, field, after) => {
    const migrated = migrateSettings({ key: before }, pluginWith(field))

    expect(migrated).toEqual(after === undefined ? {} : { key: after })
  })

  it('drops settings that the schema does not describe', () => {
    const settings = JSON.parse('{"key": "a", "old": 1, "__proto__": 2}')

    expect(migrateSettings(settings, pluginWith({}))).toEqual({ key: 'a' })
  })

  it('does not treat inherited properties as settings', () => {
    const plugin = { ...pluginWith({}), config_schema: [{ key: 'constructor', default: 'x' }] }

    expect(migrateSettings({}, plugin)).toEqual({ constructor: 'x' })
  })
})
