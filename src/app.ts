import Fastify, { type FastifyInstance } from 'fastify'
import packageJson from '../package.json' with { type: 'json' }
import { installGuard } from './access/guard.ts'
import { installReadCache } from './access/read-cache.ts'
import type { Config } from './config.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { alertSenders } from './features/alerts/alerts.ts'
import { alertRoutes } from './features/alerts/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { attachmentRoutes } from './features/attachments/routes.ts'
import { captureRoutes } from './features/capture/routes.ts'
import { dashboardRoutes } from './features/dashboards/routes.ts'
import { definitionRoutes } from './features/definitions/routes.ts'
import { deliveryRoutes } from './features/deliveries/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { exportRoutes } from './features/exports/routes.ts'
import { insightRoutes } from './features/insights/routes.ts'
import { inviteRoutes } from './features/invites/routes.ts'
import { pipelineConfigRoutes } from './features/pipeline-configs/routes.ts'
import { pluginRoutes } from './features/plugins/routes.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { queryRoutes } from './features/results/routes.ts'
import { askAppToMigrate } from './features/runs/ask-app.ts'
import { runRoutes } from './features/runs/routes.ts'
import { createOidcProvider } from './features/sessions/oidc/provider.ts'
import { oidcRoutes } from './features/sessions/oidc/routes.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { createPasswordThrottle } from './features/sessions/sign-in.ts'
import { setUpRoutes } from './features/setup/routes.ts'
import { sharedRoutes } from './features/shared-page/routes.ts'
import { subscriptionRoutes } from './features/subscriptions/routes.ts'
import { subscriptionSenders } from './features/subscriptions/subscriptions.ts'
import { templateRoutes } from './features/templates/routes.ts'
import { organizationMemberRoutes, projectMemberRoutes } from './features/users/member-routes.ts'
import { accountRoutes } from './features/users/routes.ts'
import { ENVIRONMENT, PROJECT } from './http/aliases.ts'
import { installDocsPage } from './http/docs-page.ts'
import { installErrorHandler } from './http/error-handler.ts'
import { installHeaders } from './http/headers.ts'
import { installJsonBody } from './http/json-body.ts'
import { installMethodNotAllowed, namedPathRefusals } from './http/method-not-allowed.ts'
import { installOpenApi } from './http/openapi.ts'
import { installOperations } from './http/operations.ts'
import { installRequestLog } from './http/request-log.ts'
import { serverOptions } from './http/server-options.ts'
import { installSlowSenders } from './http/slow-senders.ts'
import { installValidation } from './http/validation.ts'
import { installMissingPages, installWebApp, openWebApp } from './http/web-app.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  readonly services: Omit<Services, 'close'>
  readonly config: Pick<Config, 'logLevel' | 'trustedProxy'> & Partial<Pick<Config, 'url' | 'oidc'>>
}

const ABOUT = {
  title: 'Hedgerow',
  version: packageJson.version,
  description:
    'Import apps and dashboards of a project, over HTTP and JSON. Every path under `/api/projects/{project_id}` works under `/api/environments/{project_id}` too, and the other way round.',
}

/** The whole service: what every request passes through, then every feature and where it is mounted. */
export function buildApp({ services, config }: AppOptions): FastifyInstance {
  const { storage, secrets, events, runtime, wake, results, sender, pictures } = services
  const { db } = storage
  const app = Fastify(serverOptions(config))
  const web = openWebApp()
  const provider = config.oidc && createOidcProvider(config.oidc)

  installValidation(app)
  installErrorHandler(app)
  installJsonBody(app)
  installHeaders(app)
  installRequestLog(app)
  installSlowSenders(app)
  const paths = installMethodNotAllowed(app)
  installMissingPages(app, web)
  installGuard(app, storage)
  installReadCache(app)

  installOpenApi(app, ABOUT)
  installDocsPage(app)
  installWebApp(app, web)
  installOperations(app, storage)
  const throttle = createPasswordThrottle()
  app.register(sessionRoutes, { prefix: '/api', db, throttle, oidcName: provider?.name })
  app.register(oidcRoutes, { prefix: '/sign-in/oidc', db, provider, url: config.url })
  app.register(setUpRoutes, { prefix: '/api', db })
  app.register(accountRoutes, { prefix: '/api/users/@me', db, throttle })
  app.register(projectRoutes, { prefix: '/api', db, events })
  app.register(apiKeyRoutes, { prefix: '/api/personal_api_keys', db })
  app.register(inviteRoutes, { prefix: '/api', db, sender, url: config.url })
  app.register(organizationMemberRoutes, {
    prefix: '/api/organizations/:organization_id/members',
    db,
  })
  app.register(projectMemberRoutes, { prefix: `${PROJECT}/members`, db })
  app.register(pluginRoutes, {
    prefix: '/api/organizations/:organization_id/plugins',
    db,
    runtime,
  })
  app.register(activityRoutes, { prefix: PROJECT, db })
  app.register(eventRoutes, { prefix: PROJECT, db, events })
  app.register(definitionRoutes, { prefix: PROJECT, events })
  app.register(dashboardRoutes, { prefix: `${ENVIRONMENT}/dashboards`, db, results })
  app.register(exportRoutes, { prefix: ENVIRONMENT, db, results, pictures })
  app.register(queryRoutes, { prefix: `${PROJECT}/query`, results })
  app.register(templateRoutes, { prefix: `${PROJECT}/dashboard_templates`, db })
  app.register(insightRoutes, { prefix: `${ENVIRONMENT}/insights`, db, results })
  app.register(alertRoutes, { prefix: `${PROJECT}/alerts`, db, secrets, reach: sender })
  app.register(deliveryRoutes, {
    prefix: `${PROJECT}/alerts`,
    ...{ db, secrets, wake, senders: alertSenders(db) },
  })
  app.register(subscriptionRoutes, {
    prefix: `${PROJECT}/subscriptions`,
    ...{ db, secrets, reach: sender },
  })
  app.register(deliveryRoutes, {
    prefix: `${PROJECT}/subscriptions`,
    ...{ db, secrets, wake, senders: subscriptionSenders(db, results) },
  })
  app.register(pipelineConfigRoutes, {
    prefix: `${PROJECT}/pipeline_import_apps_configs`,
    db,
    secrets,
    askApp: askAppToMigrate(db, secrets, runtime),
  })
  app.register(attachmentRoutes, { prefix: `${PROJECT}/pipeline_import_apps_configs`, db, secrets })
  app.register(runRoutes, { prefix: `${PROJECT}/pipeline_import_apps_configs`, db, wake })
  app.register(captureRoutes, { storage, events })
  app.register(sharedRoutes, { db, results, pictures })
  app.register(namedPathRefusals, { paths })
  return app
}
