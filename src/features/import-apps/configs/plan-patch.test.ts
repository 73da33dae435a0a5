import { describe, expect, it } from 'vitest'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import type { AttachmentRow } from '../attachments/store.ts'
import type { ConfigField, Plugin } from '../plugins/schema.ts'
import { type FormContent, NO_FORM, type PatchContext, planPatch } from './plan-patch.ts'
import type { PipelineConfigPatch } from './schema.ts'
import type { ConfigWithSettings } from './store.ts'

const AT = '2026-01-01T00:00:00.000Z'

const plugin = (id: number, ...config_schema: ConfigField[]): Plugin => ({
  id,
  name: `App ${id}`,
  version: '1.0.0',
  description: '',
  config_schema,
  public_jobs: {},
  capabilities: {},
})

const APP = plugin(
  1,
  { key: 'host' },
  { key: 'token', secret: true },
  { key: 'file', type: 'attachment' },
  { key: 'key_file', type: 'attachment', secret: true },
)
const OTHER = plugin(2, { key: 'host' }, { key: 'file', type: 'attachment' })

const BEFORE: ConfigWithSettings = {
  id: 7,
  project_id: 1,
  plugin_id: 1,
  enabled: 1,
  position: 3,
  name: 'Mine',
  description: null,
  settings: { host: 'a', token: 's' },
  deleted: 0,
  created_at: AT,
  updated_at: AT,
  scheduled_from: AT,
  schedule: null,
  expected_every: null,
  retry: null,
  event_shape: null,
  intake: null,
}
const UPLOAD = { key: 'file' } as AttachmentRow

interface Case {
  readonly before?: Partial<ConfigWithSettings>
  readonly patch?: PipelineConfigPatch
  readonly form?: Partial<FormContent>
  readonly context?: Partial<PatchContext>
}

const plan = ({ before, patch = {}, form, context }: Case) =>
  planPatch(
    { ...BEFORE, ...before },
    patch,
    { ...NO_FORM, ...form },
    { plugin: APP, next: APP, attached: [], level: ADMIN_LEVEL, ...context },
  )

const QUIET = {
  isChanged: true,
  hasOtherApp: false,
  isRescheduled: false,
  needsSetUp: false,
  trashed: 0,
}

describe('the plan of a patch', () => {
  it.each<[string, Case, object]>([
    ['no field', {}, { ...QUIET, isChanged: false }],
    [
      'the fields as they are',
      { patch: { order: 3, name: 'Mine', description: '' } },
      { ...QUIET, isChanged: false },
    ],
    ['an order', { patch: { order: 4 } }, QUIET],
    ['settings', { form: { settings: { host: 'b' } } }, { ...QUIET, needsSetUp: true }],
    ['a file', { form: { uploads: [UPLOAD] } }, { ...QUIET, needsSetUp: true }],
    [
      'enabled',
      { before: { enabled: 0 }, patch: { enabled: true } },
      { ...QUIET, isRescheduled: true, needsSetUp: true },
    ],
    ['disabled', { patch: { enabled: false } }, QUIET],
    ['the trash', { patch: { deleted: true } }, { ...QUIET, trashed: 1 }],
    [
      'out of the trash',
      { before: { deleted: 1, enabled: 0 }, patch: { deleted: false } },
      { ...QUIET, trashed: -1 },
    ],
    [
      'another app',
      { patch: { plugin: 2 }, context: { next: OTHER } },
      { ...QUIET, hasOtherApp: true, isRescheduled: true, needsSetUp: true },
    ],
  ])('has the effects of %s', (_, change, effects) => {
    expect(plan(change).effects).toEqual(effects)
  })

  it.each<[string, Case, object]>([
    [
      'disables a config that goes into the trash',
      { patch: { deleted: true } },
      { deleted: 1, enabled: 0 },
    ],
    [
      'keeps a text that is sent back as shown',
      { before: { name: null }, patch: { name: 'App 1' } },
      { name: null },
    ],
    [
      'deletes settings that are missing, but no secret',
      { form: { settings: {} } },
      { settings: { token: 's' } },
    ],
    [
      'keeps the other settings of a partial form',
      { form: { settings: { token: 't' }, isPartial: true } },
      { settings: { host: 'a', token: 't' } },
    ],
    [
      'gives another app no secrets',
      { patch: { plugin: 2 }, context: { next: OTHER } },
      { plugin_id: 2, settings: { host: 'a' } },
    ],
  ])('%s', (_, change, columns) => {
    expect(plan(change).columns).toMatchObject(columns)
  })

  it('removes the private files of the earlier app', () => {
    const attached = ['file', 'key_file', 'unknown']
    const change = { patch: { plugin: 2 }, context: { next: OTHER, attached } }

    expect(plan(change).removals).toEqual(['key_file', 'unknown'])
  })

  it('logs fields, settings and states apart', () => {
    const change = { patch: { order: 4, enabled: false }, form: { settings: { host: 'b' } } }

    const activities = plan(change).entries.map(([activity]) => activity)

    expect(activities).toEqual(['updated', 'config_updated', 'disabled'])
  })

  it.each<[string, Case, string]>([
    [
      'enabling a config in the trash',
      { before: { deleted: 1 }, patch: { enabled: true } },
      'conflict',
    ],
    [
      'settings of an app that is not installed',
      { form: { settings: { host: 'b' } }, context: { next: undefined } },
      'conflict',
    ],
    [
      'a partial form without settings for it',
      { form: { settings: {}, isPartial: true }, context: { next: undefined } },
      'conflict',
    ],
    [
      'a new address without the secret',
      { form: { settings: { host: 'b' } }, context: { level: 0 } },
      'secrets_required',
    ],
  ])('refuses %s', (_, change, code) => {
    expect(() => plan(change)).toThrow(expect.objectContaining({ code }))
  })
})
