import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { fill } from '../../../test/fill.ts'
import { ME, pageOf } from '../../../test/fixtures.ts'
import {
  CATALOG,
  CONFIGS,
  catalogApp,
  config,
  configRoutes,
  PLUGINS,
  plugin,
} from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem } from '../../../test/server.ts'

const GALLERY = '/project/1/apps/gallery'
const APPS = [
  plugin({ id: 2, name: 'CSV', description: 'Reads a file.', built_in: true }),
  plugin({ id: 3, name: 'PostgreSQL table', description: 'Reads rows of a table.' }),
  plugin(),
]
const MEMBER = { ...ME, organization: { ...ME.organization, membership_level: 1 } }
const ENTRIES = [
  catalogApp({ plugin: 2, category: 'Files', docs: '/docs/import-csv' }),
  catalogApp({ plugin: 3, category: 'Databases', streams: ['orders'] }),
  catalogApp(),
]
const routes = {
  ...configRoutes([]),
  [`GET ${PLUGINS}`]: pageOf(...APPS),
  [`GET ${CATALOG}`]: pageOf(...ENTRIES),
}

describe('app gallery', () => {
  it('finds an app by its description and keeps the search in the URL', async () => {
    const { user, address } = await openPage(GALLERY, routes)
    await screen.findByRole('heading', { name: 'CSV' })

    await fill(user, screen.getByLabelText('Search apps'), 'rows of a')

    await waitFor(() => expect(screen.queryByRole('heading', { name: 'CSV' })).toBeNull())
    expect(screen.getByRole('heading', { name: 'PostgreSQL table' })).toBeTruthy()
    expect(new URL(address(), 'http://x').searchParams.get('search')).toBe('rows of a')
  })

  it('shows the apps of a category, which the URL keeps, and what they import', async () => {
    const { user, address } = await openPage(GALLERY, routes)
    await screen.findAllByText('Imports orders.')
    expect(screen.getByRole('link', { name: 'Guide: CSV' }).getAttribute('href')).toBe(
      '/docs/import-csv',
    )

    await user.click(await screen.findByRole('radio', { name: 'Databases' }))

    await waitFor(() => expect(screen.queryByRole('heading', { name: 'CSV' })).toBeNull())
    expect(screen.getByRole('heading', { name: 'PostgreSQL table' })).toBeTruthy()
    expect(new URL(address(), 'http://x').searchParams.get('category')).toBe('Databases')
    await user.click(screen.getByRole('radio', { name: 'All' }))
    expect(await screen.findByRole('heading', { name: 'CSV' })).toBeTruthy()
    expect(new URL(address(), 'http://x').searchParams.get('category')).toBeNull()
  })

  it('explains at the field why a package cannot be installed', async () => {
    const detail = 'The URL must be npm:<name>'
    const { user, server } = await openPage(GALLERY, {
      ...routes,
      [`POST ${PLUGINS}`]: problem(400, detail, 'url'),
    })
    await user.click(await screen.findByRole('button', { name: 'Install app' }))
    await user.click(await screen.findByRole('menuitem', { name: 'From npm or GitHub' }))

    await user.type(await screen.findByLabelText('Package or URL'), 'not a name{Enter}')

    expect(await screen.findByText(detail)).toBeTruthy()
    expect(server.bodiesOf(`POST ${PLUGINS}`)).toEqual([{ url: 'npm:not a name' }])
  })

  it('says which folders and archives can be installed', async () => {
    const { user } = await openPage(GALLERY, routes)
    await user.click(await screen.findByRole('button', { name: 'Install app' }))
    await user.click(await screen.findByRole('menuitem', { name: 'From folder or .tgz file' }))

    const dialog = await screen.findByRole('dialog', { name: 'Install from folder or .tgz file' })
    expect(dialog.textContent).toContain('created by hedgerow app new, or its npm pack archive.')
  })

  it('installs from GitHub and tells what the app cannot do', async () => {
    const limitation = 'This app only transforms events (processEvent).'
    const url = 'https://github.com/a/b'
    const app = plugin({ id: 9, plugin_type: 'custom', url, limitation, name: 'GeoIP' })
    const { user, server } = await openPage(GALLERY, {
      ...routes,
      [`GET ${PLUGINS}`]: pageOf(...APPS, app),
      [`POST ${PLUGINS}`]: app,
    })
    await user.click(await screen.findByRole('button', { name: 'Install app' }))
    await user.click(await screen.findByRole('menuitem', { name: 'From npm or GitHub' }))

    await user.type(await screen.findByLabelText('Package or URL'), `${url}{Enter}`)

    expect(await screen.findByText(`GeoIP installed. ${limitation}`)).toBeTruthy()
    expect(server.bodiesOf(`POST ${PLUGINS}`)).toEqual([{ url }])
    expect(screen.getByText('GitHub')).toBeTruthy()
    expect(screen.getByText(limitation)).toBeTruthy()
  })

  it('lists the import apps that will stop before an app is uninstalled', async () => {
    const uses = [
      { project_id: 1, project_name: 'Default', configs: 1 },
      { project_id: 2, project_name: 'Shop', configs: 1 },
    ]
    const { user, server } = await openPage(GALLERY, {
      ...routes,
      [`GET ${PLUGINS}/7/uses`]: uses,
      [`DELETE ${PLUGINS}/7`]: null,
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Test app' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Uninstall app…' }))

    await screen.findByText(/^2 import apps in 2 projects \(Default, Shop\) will stop running/)
    expect(server.bodiesOf(`DELETE ${PLUGINS}/7`)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Uninstall app' }))

    await waitFor(() => expect(server.bodiesOf(`DELETE ${PLUGINS}/7`)).toHaveLength(1))
  })

  it('lets members add apps, but not install or edit them', async () => {
    stubEventSource()
    const { user, server } = await openPage(GALLERY, {
      ...routes,
      ...configRoutes([config()]),
      'GET /api/users/@me': MEMBER,
      [`GET ${PLUGINS}`]: pageOf(plugin()),
      [`POST ${CONFIGS}`]: config(),
    })

    expect(await screen.findByText('Only admins can install apps.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Actions for Test app' })).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Add to project: Test app' }))

    await screen.findByRole('heading', { name: 'Mine', level: 1 })
    expect(server.bodiesOf(`POST ${CONFIGS}`)).toEqual([{ plugin: 7, enabled: false }])
  })

  it('does not open the source editor for members', async () => {
    await openPage('/project/1/apps/source', { ...routes, 'GET /api/users/@me': MEMBER })

    await screen.findByText('Only admins can install apps and edit their source.')
  })
})
