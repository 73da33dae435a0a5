import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { pageOf } from '../../../test/fixtures.ts'
import {
  CATALOG,
  CONFIGS,
  catalogApp,
  config,
  configRoutes,
  run,
} from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem, type Routes } from '../../../test/server.ts'

const DASHBOARD = `${CONFIGS}/1/dashboard`

const routesWith = (dashboard: number | null, ...runs: ReturnType<typeof run>[]): Routes => ({
  ...configRoutes([config()], ...runs),
  [`GET ${CATALOG}`]: pageOf(catalogApp({ template: 'Shop' })),
  [`GET ${DASHBOARD}`]: { template: 'Shop', dashboard },
  [`POST ${DASHBOARD}`]: { template: 'Shop', dashboard: 3 },
  'GET /api/environments/1/dashboards/*': problem(404, 'Not found.'),
})

it('creates the dashboard of an import after its first run, and opens it', async () => {
  stubEventSource()
  const { user, server, address } = await openPage('/project/1/apps/1', routesWith(null, run()))

  await user.click(await screen.findByRole('button', { name: 'Create dashboard' }))

  await waitFor(() => expect(address()).toBe('/project/1/dashboards/3'))
  expect(server.bodiesOf(`POST ${DASHBOARD}`)).toEqual([{}])
})

it('opens the dashboard that the project has, from the list too', async () => {
  stubEventSource()
  const { user, address } = await openPage('/project/1/apps', routesWith(3))

  await user.click(await screen.findByRole('button', { name: 'Open dashboard: Mine' }))

  await waitFor(() => expect(address()).toBe('/project/1/dashboards/3'))
})

it.each([
  ['before the first run has succeeded', routesWith(null, run({ state: 'failed' }))],
  ['for an app without a template', configRoutes([config()], run())],
])('offers no dashboard %s', async (_, routes) => {
  stubEventSource()
  await openPage('/project/1/apps/1', routes)
  await screen.findByRole('button', { name: 'Save settings' }).catch(() => undefined)
  await screen.findByText(/Test app/)

  expect(screen.queryByRole('button', { name: /dashboard$/ })).toBeNull()
})
