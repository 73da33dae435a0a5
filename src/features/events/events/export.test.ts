import { describe, expect, it } from 'vitest'
import { MAX_EXPORTED } from '#model/event-columns.ts'
import { useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing, setting } from '../../../../test/support/data/persons.ts'

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`
const text = (value: unknown) => encodeURIComponent(JSON.stringify(value))

async function start() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { email: 'ada@example.com', plan: 'pro' }, day(1)),
    doing('ada', { event: 'paid', timestamp: day(2), amount: 5, note: '=1+1' }),
    doing('bob', { event: 'paid', timestamp: day(3), amount: 9, tags: ['a', 'b'] }),
  )
  return api
}

describe('a file of events', () => {
  it('has the chosen columns of events and persons', { tags: 'sql' }, async () => {
    const api = await start()
    const columns = text(['properties.amount', 'properties.note', 'person.properties.plan'])

    const {
      status,
      headers,
      text: csv,
    } = await api.get(`events/export.csv?event=paid&columns=${columns}`)

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="events.csv"')
    expect(csv.split('\r\n')).toEqual([
      'timestamp,event,distinct_id,person,amount,note,person.plan',
      `${day(3)},paid,bob,bob,9,,`,
      `${day(2)},paid,ada,ada@example.com,5,'=1+1,pro`,
      '',
    ])
  })

  it('has all properties in one column by default', async () => {
    const api = await start()

    const { text: csv } = await api.get('events/export.csv?distinct_id=bob')

    const [, row = ''] = csv.split('\r\n')
    const quotedAt = row.indexOf(',"')
    expect(row.slice(0, quotedAt)).toBe(`${day(3)},paid,bob,bob`)
    expect(JSON.parse(row.slice(quotedAt + 2, -1).replaceAll('""', '"'))).toEqual({
      amount: 9,
      tags: ['a', 'b'],
    })
  })

  it('has the same events as the list, as JSON', { tags: 'sql' }, async () => {
    const api = await start()
    const ofAda = `person_id=ada&properties=${text([{ key: 'amount', operator: 'is_set' }])}`

    for (const query of ['', ofAda, 'event=none', `after=${day(2)}`, 'person_id=nobody']) {
      const { body, headers } = await api.get(`events/export.json?${query}`)

      expect(body, query).toEqual((await api.get(`events?${query}`)).body.results)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  it('has the newest events if there are more than it can hold', { tags: 'sql' }, async () => {
    const api = await useApp()
    const start = Date.parse(day(1))
    const times = Array.from({ length: MAX_EXPORTED + 5 }, (_, ms) => new Date(start + ms))
    await addEvents(api, ...times.map((time) => doing('ada', { timestamp: time.toISOString() })))

    const { text: csv } = await api.get(`events/export.csv?columns=${text(['properties.n'])}`)

    const rows = csv.trimEnd().split('\r\n').slice(1)
    expect(rows).toHaveLength(MAX_EXPORTED)
    expect(rows[0]).toContain(times.at(-1)?.toISOString())
    expect(rows.at(-1)).toContain(times[5]?.toISOString())
  })

  it('is empty in another project', async () => {
    const api = await start()
    const other = await api.createProject()

    expect((await api.get(api.path('events/export.json', other))).body).toEqual([])
    const { text: csv } = await api.get(api.path('events/export.csv', other))
    expect(csv).toBe('timestamp,event,distinct_id,person,properties\r\n')
  })

  it.each([
    ['columns=%7B', 'columns'],
    ['columns=7', 'columns'],
    [`columns=${text(['plan'])}`, 'columns'],
    [`columns=${text(['properties.'])}`, 'columns'],
    [`columns=${text([7])}`, 'columns'],
    [`columns=${text(Array(21).fill('properties.n'))}`, 'columns'],
    ['properties=%5B7%5D', 'properties__0'],
    ['after=tomorrow-ish', 'after'],
  ])('is refused for %s', async (query, attr) => {
    const api = await useApp()

    for (const format of ['csv', 'json']) {
      const { status, body } = await api.get(`events/export.${format}?${query}`)

      expect([status, body.attr]).toEqual([400, attr])
    }
  })
})
