import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { type PathsFilter, PathsQuery } from '#model/query-kinds/paths.schema.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compilePathsQuery } from './compile.ts'

const MARCH = { date_from: '2026-03-01', date_to: '2026-03-31' }

/** `ada: /home@10:00 signed_up@10:05`, all on one day; a slash makes a page view. */
const toEvents = (...lines: string[]): TestEvent[] =>
  lines.flatMap((line) => {
    const [person = '', steps = ''] = line.split(': ')
    return steps.split(' ').map((step): TestEvent => {
      const [name = '', time = ''] = step.split('@')
      const at = `2026-03-10T${time}Z`
      if (!name.startsWith('/')) return { person, event: name, at }
      return { person, event: '$pageview', at, properties: { $pathname: name } }
    })
  })

async function start(...events: (string | TestEvent)[]) {
  const stores = await startStores()
  await stores.add(events.flatMap((each) => (typeof each === 'string' ? toEvents(each) : [each])))
  await stores.add(toEvents('eve: /home@10:00 /canary@10:01'), 2)
  const run = (pathsFilter: PathsFilter = {}) =>
    stores.run(
      compilePathsQuery({ kind: 'PathsQuery', dateRange: MARCH, pathsFilter }, contextOf()),
    )
  const links = async (pathsFilter: PathsFilter = {}) =>
    (await run(pathsFilter)).map(({ source, target, value }) => `${source} ${target} ${value}`)
  return { run, links }
}

describe('paths', () => {
  it('return the links between steps with persons and times', async () => {
    const { run } = await start(
      'ada: /home@10:00 /pricing@10:01 signed_up@10:03',
      'bob: /home@10:00 /pricing@10:02',
      'cyd: /home@10:00 /about@10:00:00.500',
    )

    expect(await run()).toEqual([
      { source: '1_/home', target: '2_/pricing', value: 2, average_conversion_time: 90_000 },
      { source: '1_/home', target: '2_/about', value: 1, average_conversion_time: 500 },
      { source: '2_/pricing', target: '3_signed_up', value: 1, average_conversion_time: 120_000 },
    ])
  })

  it('start a new session after half an hour without a step', async () => {
    const { links } = await start(
      'ada: /a@10:00 /b@10:29:59.999 /c@10:59:59.999',
      'bob: /a@10:00 /b@10:30 /c@10:31',
    )

    expect(await links()).toEqual(['1_/a 2_/b 1', '1_/b 2_/c 1'])
  })

  it('merge repeated visits into one step with their whole duration', async () => {
    const { run } = await start('ada: /a@10:00 /a@10:20 /a@10:40 /b@11:00 /a@11:01')

    expect(await run()).toEqual([
      { source: '1_/a', target: '2_/b', value: 1, average_conversion_time: 3_600_000 },
      { source: '2_/b', target: '3_/a', value: 1, average_conversion_time: 60_000 },
    ])
  })

  it('name pages, screens and events', async () => {
    const at = (minute: number) => `2026-03-10T10:0${minute}:00Z`
    const { links } = await start(
      { event: '$pageview', at: at(0), properties: { $current_url: 'https://a.example' } },
      {
        event: '$pageview',
        at: at(1),
        properties: { $current_url: 'https://a.example/b/?c=/d#e' },
      },
      { event: '$pageview', at: at(2) },
      { event: '$screen', at: at(3), properties: { $screen_name: 'Main' } },
      { event: '$screen', at: at(4) },
      { event: '$autocapture', at: at(5) },
      { event: 'signed up', at: at(6) },
    )

    expect(await links()).toEqual([
      '1_/ 2_/b/ 1',
      '2_/b/ 3_$pageview 1',
      '3_$pageview 4_signed up 1',
    ])
    expect(await links({ includeEventTypes: ['$screen', 'custom_event'] })).toEqual([
      '1_Main 2_$screen 1',
      '2_$screen 3_signed up 1',
    ])
    expect(await links({ includeEventTypes: ['custom_event'] })).toEqual([])
  })

  it('respect the step limit and the edge limit', async () => {
    const { links } = await start(
      'ada: a@10:00 b@10:01 c@10:02 d@10:03 e@10:04 f@10:05',
      'bob: a@10:00 b@10:01',
    )

    expect(await links()).toEqual(['1_a 2_b 2', '2_b 3_c 1', '3_c 4_d 1', '4_d 5_e 1'])
    expect(await links({ stepLimit: 2 })).toEqual(['1_a 2_b 2'])
    expect(await links({ edgeLimit: 2 })).toEqual(['1_a 2_b 2', '2_b 3_c 1'])
    expect(await links({ minEdgeWeight: 2 })).toEqual(['1_a 2_b 2'])
    expect(await links({ maxEdgeWeight: 1, stepLimit: 3 })).toEqual(['2_b 3_c 1'])
  })

  it('lead from a start point to an end point', async () => {
    const { links } = await start(
      'ada: a@10:00 b@10:01 c@10:02 b@10:03 d@10:04 a@10:05',
      'bob: c@10:00 a@10:01',
    )

    expect(await links({ startPoint: 'b', stepLimit: 3 })).toEqual(['1_b 2_c 1', '2_c 3_b 1'])
    expect(await links({ endPoint: 'd', stepLimit: 3 })).toEqual(['1_c 2_b 1', '2_b 3_d 1'])
    expect(await links({ startPoint: 'c', endPoint: 'a' })).toEqual([
      '1_c 2_a 1',
      '1_c 2_b 1',
      '2_b 3_d 1',
      '3_d 4_a 1',
    ])
    expect(await links({ startPoint: 'c', endPoint: 'a', stepLimit: 3 })).toEqual(['1_c 2_a 1'])
    expect(await links({ endPoint: 'a' })).toEqual(['1_c 2_a 1'])
    expect(await links({ startPoint: 'nowhere' })).toEqual([])
  })

  it('exclude steps and group them by pattern', async () => {
    const { links } = await start(
      'ada: /p/1@10:00 /p/2@10:01 noise@10:02 /q_1@10:03 /q%1@10:04 /qx1@10:05',
    )

    expect(await links({ excludeEvents: ['noise'], pathGroupings: ['/p/*', '/q_*'] })).toEqual([
      '1_/p/* 2_/q_* 1',
      '2_/q_* 3_/q%1 1',
      '3_/q%1 4_/qx1 1',
    ])
  })

  it('sort simultaneous steps by name', async () => {
    const { links } = await start('ada: b@10:00 a@10:00 Z@10:00 b@10:00')

    expect(await links()).toEqual(['1_Z 2_a 1', '2_a 3_b 1'])
  })
})

describe('paths with hostile text', () => {
  it('match only that text', async () => {
    const hostile = [
      "'; drop table facts; --",
      '\u0000',
      '"$1"',
      '😀 ünï',
      'x'.repeat(300),
      '%_\\!',
    ]
    for (const text of hostile) {
      const { links } = await start(
        { event: '$pageview', at: '2026-03-10T10:00:00Z', properties: { $pathname: text } },
        { event: 'end', at: '2026-03-10T10:01:00Z' },
      )

      const found = await links({ startPoint: text, pathGroupings: [`${text}!*`], endPoint: 'end' })
      expect(found).toHaveLength(1)
      expect(await links({ excludeEvents: [text] })).toEqual([])
      const grouped = await links({ pathGroupings: [`${text}*`], stepLimit: 2 })
      expect(grouped).toEqual([`1_${text === '\u0000' ? '\uFFFD' : text}* 2_end 1`])
    }
  })
})

describe('invalid paths', () => {
  it.each([
    { includeEventTypes: ['hogql'] },
    { includeEventTypes: '$pageview' },
    { stepLimit: 1 },
    { stepLimit: 21 },
    { edgeLimit: 0 },
    { edgeLimit: 1.5 },
    { minEdgeWeight: -1 },
    { startPoint: 7 },
    { pathGroupings: [null] },
  ])('are refused by the schema: %j', (pathsFilter) => {
    expect(Value.Check(PathsQuery, { kind: 'PathsQuery', pathsFilter })).toBe(false)
  })
})
