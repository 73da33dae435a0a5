import { screen, within } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'
import { pageOf } from './fixtures.ts'
import { openPage } from './render.tsx'
import type { Routes } from './server.ts'

export const QUERY = 'POST /api/projects/1/query'

/** Opens the dialog behind the number 2 of a query, from its data table; `queries` lists the queries of the dialog. */
export async function openNumber(query: object, kind: string, routes: Routes) {
  const q = Buffer.from(JSON.stringify(query)).toString('base64url')
  const opened = await openPage(`/project/1/insights/new?q=${q}`, {
    'GET /api/projects/1/event_definitions': pageOf(),
    'GET /api/projects/1/property_definitions': pageOf(),
    'GET /api/environments/1/dashboards': pageOf(),
    ...routes,
  })
  await opened.user.click(await screen.findByRole('tab', { name: 'Show data' }))
  await opened.user.click(await screen.findByRole('button', { name: '2' }))
  const dialog = within(await screen.findByRole('dialog'))
  const queries = () =>
    opened.server
      .bodiesOf(QUERY)
      .map(readQuery)
      .filter((one) => one.kind === kind)
  return { ...opened, dialog, queries }
}

interface RowsQuery {
  readonly kind: string
  readonly search?: string
  readonly offset?: number
  readonly limit?: number
  readonly source?: { readonly funnelStep?: number }
}

export const readQuery = (body: unknown): RowsQuery => (body as { query: RowsQuery }).query

/** Collects the files that the page saves until the test ends. */
export function recordDownloads(): readonly Blob[] {
  const files: Blob[] = []
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:saved'
  })
  const download = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  onTestFinished(() => {
    create.mockRestore()
    download.mockRestore()
  })
  return files
}
