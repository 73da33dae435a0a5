import { describe, expect, it } from 'vitest'
import { CONFIGS } from '../../../../../test/support/app/app.ts'
import { startImportApp } from '../../../../../test/support/app/import-app.ts'

/** Captures n events with fixed IDs, and skips every second of the rest. */
const IMPORTS = `
  const toId = (i) => '00000000-0000-4000-8000-' + String(i).padStart(12, '0')
  export const jobs = {
    async work({ n }, { utils }) {
      for (let i = 0; i < n; i++) posthog.capture('imported', { i }, { uuid: toId(i) })
      for (let i = 0; i < 3; i++) utils.skip('Line ' + i + ': =no person.', 'a,"b"')
    },
  }
`

describe('the counts of a run', () => {
  it('tell new events from those already stored', { tags: 'sql' }, async () => {
    const api = await startImportApp(IMPORTS)

    const first = await api.runJob('work', { n: 4 })
    const second = await api.runJob('work', { n: 8 })

    expect(first).toMatchObject({ events: 4, new_events: 4, skipped: 3 })
    expect(second).toMatchObject({
      events: 8,
      new_events: 4,
      skipped: 3,
      message: 'Captured 8 events, 4 new.',
    })
    const { body } = await api.get(`${CONFIGS}/1/metrics`)
    expect(body.last_24_hours.at(-1)).toMatchObject({ events: 8 })
  })

  it('include large events, which another thread converts', async () => {
    const api = await startImportApp(`
      const uuid = '00000000-0000-4000-8000-000000000001'
      export const jobs = {
        async work() {
          posthog.capture('small')
          posthog.capture('large', { list: Array(20000).fill({ b: 1, a: 2 }) }, { uuid })
          posthog.capture('refused', { list: Array(120000).fill(1) })
        },
      }
    `)

    const first = await api.runJob('work')
    const second = await api.runJob('work')

    expect(first).toMatchObject({ state: 'succeeded', events: 2, new_events: 2 })
    expect(second).toMatchObject({ state: 'succeeded', events: 2, new_events: 1 })
    const [large] = await api.services.events.list(1, { event: 'large', limit: 1, offset: 0 })
    expect(JSON.parse(large?.properties ?? '').list).toHaveLength(20_000)
    expect(await api.logged()).toContain(
      'Events were refused: An event has more than 100,000 values.',
    )
  })

  it('come with the skipped rows as CSV, which a spreadsheet does not run', async () => {
    const api = await startImportApp(IMPORTS)
    const { id } = await api.runJob('work', { n: 1 })

    const { headers, text } = await api.get(`${CONFIGS}/1/runs/${id}/skipped`)

    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toContain('attachment')
    expect(text.split('\r\n')).toEqual([
      'reason,row',
      'Line 0: =no person.,"a,""b"""',
      'Line 1: =no person.,"a,""b"""',
      'Line 2: =no person.,"a,""b"""',
      '',
    ])
  })

  it('keep at most 10,000 skipped rows, and mask secrets in them', async () => {
    const api = await startImportApp(
      `export const jobs = {
        async work(payload, { config, utils }) {
          for (let i = 0; i < 10_050; i++) utils.skip('no ' + config.token, 'x'.repeat(3000))
        },
      }`,
      {
        config_schema: [{ key: 'token', type: 'string', secret: true }],
        settings: { token: 's3cret-token' },
      },
    )

    const run = await api.runJob('work')

    expect(run).toMatchObject({ state: 'succeeded', skipped: 10_050 })
    const { body } = await api.get(`${CONFIGS}/1/runs/${run.id}/preview`)
    expect(body.skipped[0].reason).not.toContain('s3cret')
    expect(body.skipped[0].row).toHaveLength(2000)
    const { text } = await api.get(`${CONFIGS}/1/runs/${run.id}/skipped`)
    expect(text.split('\r\n')).toHaveLength(10_002)
  })

  it('are not found in another config', async () => {
    const api = await startImportApp(IMPORTS)
    const { id } = await api.runJob('work', { n: 1 })

    expect((await api.get(`${CONFIGS}/2/runs/${id}/preview`)).status).toBe(404)
    expect((await api.get(`${CONFIGS}/2/runs/${id}/skipped`)).status).toBe(404)
  })
})
