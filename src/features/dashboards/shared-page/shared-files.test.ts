import { describe, expect, it } from 'vitest'
import type { NarrowedDates } from '#server/features/results/check/narrow-dates.ts'
import type { ExportedFile } from '../exports/send-file.ts'
import type { OpenLink } from '../links/open-link.ts'
import { createSharedExports, type SharedFile } from './shared-files.ts'

const FILE: ExportedFile = { format: 'png', name: 'x', content: '' }
const dashboard = (id: number, version = 1) =>
  ({
    shown: { noun: 'dashboard', id, version: `${version}` },
    link: { shows_annotations: 1 },
  }) as OpenLink

const file = (
  format: SharedFile['format'],
  picture: SharedFile['picture'] = {},
  plan?: string,
) => ({
  format,
  picture,
  choices: {
    filters: { dates: false, properties: [], variables: [] },
    chosen: new Map(plan === undefined ? [] : [['property.plan', plan]]),
    overrides: undefined,
  },
})

/** Exports only when the test allows it. */
function start() {
  const started: (() => void)[] = []
  const files = createSharedExports(() => {
    const turn = Promise.withResolvers<ExportedFile>()
    started.push(() => turn.resolve(FILE))
    return turn.promise
  })
  return { started, files }
}

describe('exports of shared dashboards', () => {
  it('run once for concurrent requests, and again for later ones', async () => {
    const { started, files } = start()

    const both = [files(dashboard(1), file('png')), files(dashboard(1), file('png'))]
    expect(started).toHaveLength(1)
    started[0]?.()
    expect(await Promise.all(both)).toEqual([FILE, FILE])

    void files(dashboard(1), file('png'))
    expect(started).toHaveLength(2)
  })

  it('differ by dashboard, version, format, scheme, size and choices', () => {
    const { started, files } = start()

    void files(dashboard(1), file('png'))
    void files(dashboard(2), file('png'))
    void files(dashboard(1, 2), file('png'))
    void files(dashboard(1), file('pdf'))
    void files(dashboard(1), file('png', { scheme: 'dark' }))
    void files(dashboard(1), file('png', { width: 300 }))
    void files(dashboard(1), file('png', { height: 300 }))
    void files(dashboard(1), file('png', {}, 'pro'))

    expect(started).toHaveLength(8)
  })

  it('differ by the locked filters and dates of embeds', () => {
    const { started, files } = start()
    const calendar = {} as NarrowedDates['calendar']
    const lockedTo = (tenant: string, date_from?: string) => {
      const lock = { properties: [{ key: 'tenant', value: tenant }], hasDates: false }
      const { choices, ...rest } = file('csv')
      return {
        ...rest,
        choices: { ...choices, overrides: { lock, dates: { date_from, calendar } } },
      }
    }

    void files(dashboard(1), lockedTo('acme'))
    void files(dashboard(1), lockedTo('globex'))
    void files(dashboard(1), lockedTo('acme', '2026-01-01'))
    void files(dashboard(1), lockedTo('acme', '2026-01-02'))
    void files(dashboard(1), lockedTo('acme'))

    expect(started).toHaveLength(4)
  })

  it('are limited to keep members from waiting for visitors', async () => {
    const { started, files } = start()
    const pending = Array.from({ length: 8 }, (_, id) => files(dashboard(id), file('png')))

    expect(() => files(dashboard(9), file('png'))).toThrow(/Try again/)

    for (const make of started) make()
    await Promise.all(pending)
    expect(() => files(dashboard(9), file('png'))).not.toThrow()
  })
})
