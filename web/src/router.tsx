import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import { hasEventsQuery, meQuery, projectsQuery } from './api/session.ts'
import { toNext, toSignInSearch } from './features/account/search.ts'
import { toActivitySearch } from './features/activity/search.ts'
import { toAppSearch, toGallerySearch, toSourceSearch } from './features/apps/search.ts'
import { toCohortSearch } from './features/cohorts/search.ts'
import { toConnectSearch } from './features/connect/search.ts'
import {
  toDashboardSearch,
  toListSearch,
  toTemplatesSearch,
} from './features/dashboard-list/search.ts'
import { preloadDashboard } from './features/dashboard-page/preload.ts'
import { toDataSearch } from './features/data-management/search.ts'
import { toEventsSearch } from './features/events/search.ts'
import { toGroupSearch, toGroupsSearch } from './features/group-pages/search.ts'
import { toEditorSearch, toInsightListSearch } from './features/insights/search.ts'
import { toFindSearch, toPersonSearch, toPersonsSearch } from './features/persons/search.ts'
import { toWebSearch } from './features/web/search.ts'
import { NotFound } from './shell/not-found.tsx'
import { RouteProblem } from './shell/route-problem.tsx'
import { Shell } from './shell/shell.tsx'
import { preloadCharts } from './ui/chart/preload.ts'
import { toTrashSearch } from './ui/list/trash-search.ts'
import { Loading } from './ui/page/states.tsx'

/** Every page and its URL. */
const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const me = await context.client.ensureQueryData(meQuery)
    if (!me.team) throw redirect({ to: '/no-project' })
    throw redirect({ to: '/project/$projectId', params: { projectId: `${me.team.id}` } })
  },
})

const account = () => import('./features/account/pages.tsx')

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: toSignInSearch,
  component: lazyRouteComponent(account, 'SignInPage'),
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyRouteComponent(account, 'SetUpPage'),
})

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  component: lazyRouteComponent(account, 'InvitePage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(account, 'ResetPasswordPage'),
})

const noProject = createRoute({
  getParentRoute: () => root,
  path: '/no-project',
  component: lazyRouteComponent(account, 'NoProjectPage'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: toNext,
  loader: ({ context: { client } }) => client.ensureQueryData(meQuery),
  component: lazyRouteComponent(
    () => import('./features/settings/second-factor-page.tsx'),
    'SecondFactorPage',
  ),
})

const project = createRoute({
  getParentRoute: () => root,
  path: '/project/$projectId',
  loader: ({ context: { client } }) =>
    Promise.all([client.ensureQueryData(meQuery), client.ensureQueryData(projectsQuery)]),
  component: Shell,
  notFoundComponent: NotFound,
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: async ({ context: { client }, params }) => {
    const hasEvents = await client.fetchQuery(hasEventsQuery(params.projectId)).catch(() => true)
    const to = hasEvents ? '/project/$projectId/dashboards' : '/project/$projectId/connect'
    throw redirect({ to, params, replace: true })
  },
})

const connect = createRoute({
  getParentRoute: () => project,
  path: '/connect',
  validateSearch: toConnectSearch,
  component: lazyRouteComponent(() => import('./features/connect/page.tsx'), 'ConnectPage'),
})

const dashboards = createRoute({
  getParentRoute: () => project,
  path: '/dashboards',
  validateSearch: toListSearch,
  component: lazyRouteComponent(
    () => import('./features/dashboard-list/list-page.tsx'),
    'DashboardListPage',
  ),
})

const templates = createRoute({
  getParentRoute: () => project,
  path: '/templates',
  validateSearch: toTemplatesSearch,
  component: lazyRouteComponent(
    () => import('./features/dashboard-list/templates/page.tsx'),
    'TemplatesPage',
  ),
})

const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/dashboards/$dashboardId',
  loader: preloadDashboard,
  validateSearch: toDashboardSearch,
  component: lazyRouteComponent(
    () => import('./features/dashboard-page/page.tsx'),
    'DashboardPage',
  ),
})

const insights = createRoute({
  getParentRoute: () => project,
  path: '/insights',
  validateSearch: toInsightListSearch,
  component: lazyRouteComponent(
    () => import('./features/insights/list-page.tsx'),
    'InsightListPage',
  ),
})

const insightEditor = lazyRouteComponent(
  () => import('./features/insights/editor-page.tsx'),
  'InsightEditorPage',
)

const newInsight = createRoute({
  getParentRoute: () => project,
  path: '/insights/new',
  loader: preloadCharts,
  validateSearch: toEditorSearch,
  component: insightEditor,
})

const insight = createRoute({
  getParentRoute: () => project,
  path: '/insights/$shortId',
  loader: preloadCharts,
  validateSearch: toEditorSearch,
  component: insightEditor,
})

const apps = createRoute({
  getParentRoute: () => project,
  path: '/apps',
  component: lazyRouteComponent(() => import('./features/apps/list/page.tsx'), 'AppListPage'),
})

const gallery = createRoute({
  getParentRoute: () => project,
  path: '/apps/gallery',
  validateSearch: toGallerySearch,
  component: lazyRouteComponent(() => import('./features/apps/gallery/page.tsx'), 'AppGalleryPage'),
})

const appSource = createRoute({
  getParentRoute: () => project,
  path: '/apps/source',
  validateSearch: toSourceSearch,
  component: lazyRouteComponent(
    () => import('./features/apps/source-editor/page.tsx'),
    'AppSourcePage',
  ),
})

const connector = createRoute({
  getParentRoute: () => project,
  path: '/apps/connector',
  component: lazyRouteComponent(
    () => import('./features/apps/connector-builder/page.tsx'),
    'ConnectorBuilderPage',
  ),
})

const app = createRoute({
  getParentRoute: () => project,
  path: '/apps/$configId',
  validateSearch: toAppSearch,
  component: lazyRouteComponent(() => import('./features/apps/config/page.tsx'), 'ConfigPage'),
})

const events = createRoute({
  getParentRoute: () => project,
  path: '/events',
  validateSearch: toEventsSearch,
  component: lazyRouteComponent(() => import('./features/events/page.tsx'), 'EventsPage'),
})

const web = createRoute({
  getParentRoute: () => project,
  path: '/web',
  loader: preloadCharts,
  validateSearch: toWebSearch,
  component: lazyRouteComponent(() => import('./features/web/page.tsx'), 'WebPage'),
})

const persons = createRoute({
  getParentRoute: () => project,
  path: '/persons',
  validateSearch: toPersonsSearch,
  component: lazyRouteComponent(() => import('./features/persons/page.tsx'), 'PersonsPage'),
})

const person = createRoute({
  getParentRoute: () => project,
  path: '/persons/$personId',
  validateSearch: toPersonSearch,
  component: lazyRouteComponent(() => import('./features/persons/person/page.tsx'), 'PersonPage'),
})

const findPerson = createRoute({
  getParentRoute: () => project,
  path: '/person',
  validateSearch: toFindSearch,
  component: lazyRouteComponent(() => import('./features/persons/find-page.tsx'), 'FindPersonPage'),
})

const actionPages = () => import('./features/action-pages/pages.tsx')

const actions = createRoute({
  getParentRoute: () => project,
  path: '/actions',
  validateSearch: toTrashSearch,
  component: lazyRouteComponent(actionPages, 'ActionsPage'),
})

const action = createRoute({
  getParentRoute: () => project,
  path: '/actions/$actionId',
  component: lazyRouteComponent(actionPages, 'ActionPage'),
})

const cohorts = createRoute({
  getParentRoute: () => project,
  path: '/cohorts',
  validateSearch: toTrashSearch,
  component: lazyRouteComponent(() => import('./features/cohort-pages/page.tsx'), 'CohortsPage'),
})

const cohort = createRoute({
  getParentRoute: () => project,
  path: '/cohorts/$cohortId',
  validateSearch: toCohortSearch,
  component: lazyRouteComponent(
    () => import('./features/cohort-pages/cohort/page.tsx'),
    'CohortPage',
  ),
})

const data = createRoute({
  getParentRoute: () => project,
  path: '/data',
  validateSearch: toDataSearch,
  component: lazyRouteComponent(
    () => import('./features/data-management/page.tsx'),
    'DataManagementPage',
  ),
})

const groups = createRoute({
  getParentRoute: () => project,
  path: '/groups',
  validateSearch: toGroupsSearch,
  component: lazyRouteComponent(() => import('./features/group-pages/page.tsx'), 'GroupsPage'),
})

const group = createRoute({
  getParentRoute: () => project,
  path: '/groups/$typeIndex/$groupKey',
  validateSearch: toGroupSearch,
  component: lazyRouteComponent(() => import('./features/group-pages/group/page.tsx'), 'GroupPage'),
})

const activity = createRoute({
  getParentRoute: () => project,
  path: '/activity',
  validateSearch: toActivitySearch,
  component: lazyRouteComponent(() => import('./features/activity/page.tsx'), 'ActivityPage'),
})

const settingsHome = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  beforeLoad: ({ params }) => {
    const to = '/project/$projectId/settings/$section'
    throw redirect({ to, params: { ...params, section: 'project' }, replace: true })
  },
})

const alerts = createRoute({
  getParentRoute: () => project,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./features/notifications/page.tsx'), 'AlertsPage'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings/$section',
  beforeLoad: ({ params: { projectId, section } }) => {
    // links from before alerts had a page
    if (section !== 'alerts') return
    throw redirect({ to: '/project/$projectId/alerts', params: { projectId }, replace: true })
  },
  component: lazyRouteComponent(() => import('./features/settings/page.tsx'), 'SettingsPage'),
})

const routeTree = root.addChildren([
  ...[home, signIn, setUp, invite, resetPassword, noProject, secondFactor],
  project.addChildren([
    ...[projectHome, connect, dashboards, templates, dashboard, insights, newInsight, insight],
    ...[apps, gallery, appSource, connector, app, events, activity, alerts, settingsHome, settings],
    ...[persons, person, findPerson, groups, group, actions, action, cohorts, cohort, data, web],
  ]),
])

export const createAppRouter = (client: QueryClient, history?: RouterHistory) =>
  createRouter({
    routeTree,
    history,
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0, // TanStack Query decides what is stale
    defaultErrorComponent: RouteProblem,
    defaultPendingComponent: () => <Loading p="xl" />,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
