import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import type { ConfigPreview } from '#server/features/import-apps/previews/schema.ts'
import manifest from '../../../../../apps/csv/plugin.json' with { type: 'json' }
import mysqlTable from '../../../../../apps/mysql-table/plugin.json' with { type: 'json' }
import postgresTable from '../../../../../apps/postgres-table/plugin.json' with { type: 'json' }
import { stubEventSource } from '../../../test/event-source.ts'
import { fill } from '../../../test/fill.ts'
import { CONFIGS, config, configRoutes } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem } from '../../../test/server.ts'

const PREVIEW = `POST ${CONFIGS}/1/preview`

const preview = (fields: Partial<ConfigPreview> = {}): ConfigPreview => ({
  ...{ state: 'succeeded', message: '', count: 1, skipped_count: 0, skipped: [] },
  columns: [
    { name: 'who', type: 'text', example: 'ada' },
    { name: 'amount', type: 'number', example: '5' },
  ],
  events: [
    {
      ...{ event: 'paid', distinct_id: 'ada', timestamp: '2026-01-05T10:00:00.000Z' },
      properties: { amount: 5 },
    },
  ],
  ...fields,
})

/** The form of a CSV import, after a file is chosen. */
async function chooseFile(shown: unknown, text = 'who,amount\nada,5\n') {
  stubEventSource()
  const fields = manifest.config as readonly ConfigField[]
  const page = await openPage('/project/1/apps/1', {
    ...configRoutes([config({}, { config_schema: fields })]),
    [PREVIEW]: shown,
  })
  await screen.findByRole('button', { name: 'Choose file for File' })
  await page.user.upload(screen.getByLabelText('File'), new File([text], 'sales.csv'))
  return page
}

const field = (name: string) => screen.getByRole('combobox', { name })

describe('the form of an import', () => {
  it('lists the columns of the file with types, and previews the events', async () => {
    const { user, server } = await chooseFile(preview())

    const shown = within(await screen.findByRole('region', { name: 'Preview' }))
    expect(await shown.findByText('paid')).toBeTruthy()
    expect(shown.getByText('{"amount":5}')).toBeTruthy()
    const [sent] = server.bodiesOf(PREVIEW) as [{ files: { file: { content: string } } }]
    expect(atob(sent.files.file.content)).toBe('who,amount\nada,5\n')

    await user.clear(field('Person column'))
    await user.click(field('Person column'))
    await user.click(await screen.findByRole('option', { name: /^who/ }))

    expect((field('Person column') as HTMLInputElement).value).toBe('who')
    await waitFor(() =>
      expect(server.bodiesOf(PREVIEW).at(-1)).toMatchObject({
        settings: { distinct_id_column: 'who' },
      }),
    )
  })

  it('shows a problem at its field', async () => {
    const message = 'The file has no column "distinct_id". Set "Person column" to one of them.'
    await chooseFile(preview({ state: 'failed', message, count: 0, events: [] }))

    await waitFor(() => expect(field('Person column').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getAllByText(message).length).toBeGreaterThan(0)
    expect(field('Time column').getAttribute('aria-invalid')).not.toBe('true')
  })

  it('shows a refusal at the field that it names', async () => {
    await chooseFile(problem(400, 'Not a valid string.', 'timestamp_column'))

    await waitFor(() => expect(field('Time column').getAttribute('aria-invalid')).toBe('true'))
  })

  it('sends whole lines of a large file only', async () => {
    const line = `${'x'.repeat(99)}\n`
    const { server } = await chooseFile(preview(), line.repeat(5000))

    await waitFor(() => expect(server.bodiesOf(PREVIEW)).toHaveLength(1))
    const [sent] = server.bodiesOf(PREVIEW) as [{ files: { file: { content: string } } }]
    const text = atob(sent.files.file.content)
    expect(text.length).toBeLessThan(200 * 1024)
    expect(text.length % 100).toBe(0)
  })

  it.each([
    ['PostgreSQL', postgresTable],
    ['MySQL', mysqlTable],
  ])(
    'lists the columns of a table of %s once it is named, to choose the cursor',
    async (_, app) => {
      stubEventSource()
      const message = 'Columns: id, at. Set "Cursor column" to one of them.'
      const columns = [
        { name: 'id', type: 'bigint', example: '' },
        { name: 'at', type: 'timestamp with time zone', example: '' },
      ]
      const { user, server } = await openPage('/project/1/apps/1', {
        ...configRoutes([config({}, { config_schema: app.config as readonly ConfigField[] })]),
        [PREVIEW]: preview({ ...{ state: 'failed', message, count: 0, events: [] }, columns }),
      })
      await fill(
        user,
        await screen.findByLabelText(/^Connection URL/),
        'postgres://u:p@db.test/shop',
      )
      await fill(user, screen.getByRole('textbox', { name: 'Table' }), 'orders')

      await waitFor(() => expect(field('Cursor column').getAttribute('aria-invalid')).toBe('true'))
      await user.click(field('Cursor column'))
      await user.click(await screen.findByRole('option', { name: /^id/ }))

      await waitFor(() =>
        expect(server.bodiesOf(PREVIEW).at(-1)).toMatchObject({
          settings: {
            table: 'orders',
            cursor_column: 'id',
            connection: 'postgres://u:p@db.test/shop',
          },
        }),
      )
      for (const name of ['Event name or column', 'Person column', 'Time column']) field(name)
    },
  )

  it('asks for nothing before there is a file or an address', async () => {
    stubEventSource()
    const fields = manifest.config as readonly ConfigField[]
    const { user, server } = await openPage('/project/1/apps/1', {
      ...configRoutes([config({}, { config_schema: fields })]),
      [PREVIEW]: preview(),
    })

    await fill(user, await screen.findByRole('combobox', { name: 'Person column' }), 'x')
    expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
    await fill(user, screen.getByRole('textbox', { name: 'URL' }), 'https://a.test/sales.csv')

    await screen.findByRole('region', { name: 'Preview' })
    await waitFor(() => expect(server.bodiesOf(PREVIEW)).toHaveLength(1))
  })
})
