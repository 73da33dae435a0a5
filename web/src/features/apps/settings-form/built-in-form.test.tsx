import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import manifest from '../../../../../apps/http-json/plugin.json' with { type: 'json' }
import { stubEventSource } from '../../../test/event-source.ts'
import { config, configRoutes } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'

const PAGING = ['Paging parameter', 'Cursor path', 'Order']

async function openForm() {
  stubEventSource()
  const fields = manifest.config as readonly ConfigField[]
  const page = await openPage(
    '/project/1/apps/1',
    configRoutes([config({}, { config_schema: fields })]),
  )
  await screen.findByRole('combobox', { name: 'Paging' })
  return page
}

const shown = () =>
  PAGING.filter((label) => screen.queryAllByLabelText(new RegExp(`^${label}`)).length > 0)

describe('settings of the HTTP JSON app', () => {
  it('have no fields of paging while there is none', async () => {
    const { user } = await openForm()
    expect(shown()).toEqual([])

    await user.click(screen.getByRole('combobox', { name: 'Paging' }))
    await user.click(await screen.findByRole('option', { name: 'cursor' }))

    expect(shown()).toEqual(PAGING)
  })

  it('show code in the field of the headers, but not in its label', async () => {
    await openForm()

    const field = screen.getByRole('textbox', { name: 'Headers' })
    const isCode = (element: Element | null | undefined) =>
      /code/.test(element?.classList.value ?? '')
    expect(isCode(field)).toBe(true)
    for (let at = field.parentElement; at && !at.matches('form'); at = at.parentElement) {
      expect(isCode(at)).toBe(false)
    }
  })
})
