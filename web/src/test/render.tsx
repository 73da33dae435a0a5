import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import { createQueryClient } from '../query-client.ts'
import { createAppRouter } from '../router.tsx'
import { theme } from '../theme.ts'
import { OnDemand } from '../ui/dialog/on-demand.tsx'
import { ME, NO_BACKUPS, PROJECT } from './fixtures.ts'
import { type FakeServer, type Routes, startServer } from './server.ts'

export interface Rendered {
  readonly user: UserEvent
  readonly server: FakeServer
  /** Returns the current path and query. */
  address(): string
}

export interface RenderOptions {
  /** Responses of the server, beside the signed-in user, a project without groups, persons, actions, annotations and comments, and no backups. */
  readonly routes?: Routes
  /** Address of the page that holds the component. */
  readonly at?: string
}

const SIGNED_IN: Routes = {
  'GET /api/users/@me': ME,
  'GET /api/projects': { count: 1, next: null, previous: null, results: [PROJECT] },
  'GET /api/projects/1/groups_types': [],
  'GET /api/projects/1/groups/property_definitions': {},
  'POST /api/projects/1/persons/batch_by_distinct_ids': { results: {} },
  'GET /api/projects/1/actions': { count: 0, next: null, previous: null, results: [] },
  'GET /api/projects/1/annotations': { count: 0, next: null, previous: null, results: [] },
  'GET /api/projects/1/alerts': { count: 0, next: null, previous: null, results: [] },
  'GET /api/projects/1/saved_views': { count: 0, next: null, previous: null, results: [] },
  'GET /api/projects/1/import_health': { count: 0, next: null, previous: null, results: [] },
  'GET /api/projects/1/comments/count': { count: 0 },
  'GET /api/projects/1/embed_secrets': { count: 0, next: null, previous: null, results: [] },
  'GET /api/projects/1/embed_settings': { jwks_url: null, embed_origins: null },
  'GET /api/users/@me/mentions': { count: 0, next: null, previous: null, results: [] },
  'GET /api/organizations/@current/backups': NO_BACKUPS,
}

/** Renders one component in project 1, inside the app's providers. */
export async function renderInApp(
  component: ReactNode,
  { at = '/project/1/page', ...options }: RenderOptions = {},
): Promise<Rendered> {
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/project/$projectId/$',
    component: () => component,
  })
  const history = createMemoryHistory({ initialEntries: [at] })
  const router = createRouter({ routeTree: root.addChildren([page]), history })
  return mount(() => router, options)
}

/** Opens a page of the app by its address, with the shell around it, and waits until it is loaded. */
export async function openPage(at: string, routes: Routes = {}): Promise<Rendered> {
  const page = await mount(
    (client) => createAppRouter(client, createMemoryHistory({ initialEntries: [at] })),
    {
      routes,
    },
  )
  await waitFor(() => expect(screen.queryByLabelText('Loading')).toBeNull())
  return page
}

async function mount(
  toRouter: (client: QueryClient) => AnyRouter,
  { routes = {} }: RenderOptions,
): Promise<Rendered> {
  const server = startServer(SIGNED_IN, routes)
  const client = createQueryClient(() => undefined)
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const router = toRouter(client)
  await router.load()
  render(
    <MantineProvider env="test" theme={theme} withCssVariables={false}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <OnDemand />
      </QueryClientProvider>
    </MantineProvider>,
  )
  onTestFinished(async () => {
    await vi.dynamicImportSettled() // the environment is torn down after the last test
    cleanup()
    client.clear()
    notifications.clean()
  })
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  return { user, server, address: () => router.state.location.href }
}
