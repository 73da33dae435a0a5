import { describe, expect, it } from 'vitest'
import type { JobField, Plugin, PublicJobs } from '../plugins/schema.ts'
import { resolveJob } from './job-rules.ts'

const pluginWith = (public_jobs: PublicJobs, scheduled_tasks: string[] = []): Plugin => ({
  id: 1,
  name: 'App',
  version: '1.0.0',
  description: '',
  config_schema: [],
  public_jobs,
  capabilities: { scheduled_tasks },
})

const taking = (field: JobField) => pluginWith({ run: { payload: { value: field } } })
const sending = (value: unknown) => ({ type: 'run', payload: { value } })

const FITTING: [JobField['type'], unknown][] = [
  ['string', ''],
  ['boolean', false],
  ['number', -1.5],
  ['json', null],
  ['json', [{ a: 1 }]],
  ['date', '2024-02-29'],
  ['date', '2024-01-31T10:00:00.123Z'],
  ['date', '2024-01-31T10:00+02:00'],
  ['daterange', ['2024-01-01', '2024-01-31']],
]

const UNFIT: [JobField['type'], unknown][] = [
  ['string', 1],
  ['string', null],
  ['boolean', 'true'],
  ['boolean', 0],
  ['number', '1'],
  ['number', Number.POSITIVE_INFINITY],
  ['date', '2024-02-30'],
  ['date', '2024-13-01'],
  ['date', '31.1.2024'],
  ['date', '2024-01-31T25:00'],
  ['date', 20240131],
  ['daterange', '2024-01-01'],
  ['daterange', ['2024-01-01']],
  ['daterange', ['2024-01-01', 'x']],
  ['daterange', ['2024-01-01', '2024-01-02', '2024-01-03']],
]

describe('the payload of a job', () => {
  it.each(FITTING)('accepts as %s: %j', (type, value) => {
    expect(resolveJob(taking({ type }), sending(value), false).payload).toEqual({ value })
  })

  it.each(UNFIT)('rejects as %s: %j', (type, value) => {
    expect(() => resolveJob(taking({ type }), sending(value), false)).toThrow(
      expect.objectContaining({ attr: 'job__payload__value', statusCode: 400 }),
    )
  })

  it('is checked in the order of its schema, unknown fields last', () => {
    const plugin = pluginWith({
      run: { payload: { a: { type: 'number' }, b: { type: 'string', required: true } } },
    })
    const problem = (payload: Record<string, unknown>) => () =>
      resolveJob(plugin, { type: 'run', payload }, false)

    expect(problem({ z: 1, a: 'x' })).toThrow('a must be a number.')
    expect(problem({ z: 1, a: 1 })).toThrow('Missing required job field: b')
    expect(problem({ z: 1, b: '' })).toThrow('Unknown field for job: z')
  })

  it('accepts staff-only fields from admins only', () => {
    const plugin = taking({ type: 'number', default: 5, staff_only: true })

    expect(() => resolveJob(plugin, sending(6), false)).toThrow(
      'Field is only settable for admins: value',
    )
    expect(resolveJob(plugin, sending(6), true).payload).toEqual({ value: 6 })
    expect(resolveJob(plugin, sending(5), false).payload).toEqual({ value: 5 })
  })

  it.each(['__proto__', 'constructor', 'toString'])('rejects the inherited name %s', (name) => {
    const payload = JSON.parse(`{"${name}": 1}`)

    expect(() => resolveJob(taking({ type: 'json' }), { type: name }, true)).toThrow(
      `Unknown plugin job: '${name}'`,
    )
    expect(() => resolveJob(taking({ type: 'json' }), { type: 'run', payload }, true)).toThrow(
      `Unknown field for job: ${name}`,
    )
  })
})

describe('the default job', () => {
  it('is the only public job', () => {
    expect(resolveJob(pluginWith({ only: {} }, ['runEveryDay']), undefined, false)).toEqual({
      kind: 'job',
      name: 'only',
      payload: {},
      operation: 'start',
    })
  })

  it('is the scheduled task if there is no public job', () => {
    expect(resolveJob(pluginWith({}, ['runEveryHour']), undefined, false)).toMatchObject({
      kind: 'schedule',
      name: 'runEveryHour',
    })
  })

  it('does not exist if there are several public jobs', () => {
    expect(() => resolveJob(pluginWith({ a: {}, b: {} }), undefined, false)).toThrow("'a', 'b'")
  })

  it('does not exist without public jobs and scheduled tasks', () => {
    expect(() => resolveJob(pluginWith({}), undefined, false)).toThrow('Plugin has no public jobs')
  })

  it('still requires the fields of the job', () => {
    expect(() => resolveJob(taking({ type: 'json', required: true }), undefined, true)).toThrow(
      'Missing required job field: value',
    )
  })
})
