import Fastify, { type FastifyInstance } from 'fastify'
import { installCookies } from './access/cookies.ts'
import { installGuard } from './access/guard.ts'
import { installReadCache } from './access/read-cache.ts'
import { API_INFO, API_TAGS } from './api-info.ts'
import type { Config } from './config.ts'
import { installDocs } from './docs/routes.ts'
import { accountRoutes } from './features/accounts/account/routes.ts'
import { secondFactorRoutes } from './features/accounts/account/second-factor-routes.ts'
import { introspectionRoutes } from './features/accounts/api-keys/introspection-routes.ts'
import { apiKeyRoutes } from './features/accounts/api-keys/routes.ts'
import { inviteRoutes } from './features/accounts/invites/routes.ts'
import {
  organizationMemberRoutes,
  projectMemberRoutes,
} from './features/accounts/members/routes.ts'
import { passkeyRoutes } from './features/accounts/passkeys/routes.ts'
import { passkeySignInRoutes } from './features/accounts/passkeys/sign-in-routes.ts'
import { organizationRoutes } from './features/accounts/projects/organization-routes.ts'
import { projectRoutes } from './features/accounts/projects/routes.ts'
import { scimRoutes } from './features/accounts/scim/routes.ts'
import { createCodeThrottle } from './features/accounts/second-factor/use-code.ts'
import { createOidcProvider } from './features/accounts/sessions/oidc/provider.ts'
import { oidcRoutes } from './features/accounts/sessions/oidc/routes.ts'
import { sessionRoutes } from './features/accounts/sessions/routes.ts'
import { createPasswordThrottle } from './features/accounts/sessions/sign-in.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { backupRoutes } from './features/backups/routes.ts'
import { annotationRoutes } from './features/dashboards/annotations/routes.ts'
import { collaboratorRoutes } from './features/dashboards/collaborators/routes.ts'
import { mentionRoutes } from './features/dashboards/comments/mention-routes.ts'
import { commentRoutes } from './features/dashboards/comments/routes.ts'
import { dashboardRoutes } from './features/dashboards/dashboards/routes.ts'
import { embedRoutes } from './features/dashboards/embeds/routes.ts'
import { exportRoutes } from './features/dashboards/exports/routes.ts'
import { importDashboardRoutes } from './features/dashboards/import-dashboards/routes.ts'
import { insightRoutes } from './features/dashboards/insights/routes.ts'
import { organizationLinkRoutes } from './features/dashboards/links/organization-routes.ts'
import { dashboardLinkRoutes, insightLinkRoutes } from './features/dashboards/links/routes.ts'
import { savedViewRoutes } from './features/dashboards/saved-views/routes.ts'
import { sharedRoutes } from './features/dashboards/shared-page/routes.ts'
import { sharingRoutes } from './features/dashboards/sharing/routes.ts'
import { templateRoutes } from './features/dashboards/templates/routes.ts'
import { actionRoutes } from './features/events/actions/routes.ts'
import { captureRoutes } from './features/events/capture/routes.ts'
import { cohortRoutes } from './features/events/cohorts/routes.ts'
import { definitionRoutes } from './features/events/definitions/routes.ts'
import { eventRoutes } from './features/events/events/routes.ts'
import { groupRoutes } from './features/events/groups/routes.ts'
import { groupTypeRoutes } from './features/events/groups/type-routes.ts'
import { ingestionWarningRoutes } from './features/events/ingestion-warnings/routes.ts'
import { personRoutes } from './features/events/persons/routes.ts'
import { backfillRoutes } from './features/import-apps/backfills/routes.ts'
import { catalogRoutes } from './features/import-apps/catalog/routes.ts'
import { pipelineConfigRoutes } from './features/import-apps/configs/routes.ts'
import { draftRoutes } from './features/import-apps/drafts/routes.ts'
import { healthRoutes } from './features/import-apps/health/routes.ts'
import { pluginRoutes } from './features/import-apps/plugins/routes.ts'
import { previewRoutes } from './features/import-apps/previews/routes.ts'
import { runRoutes } from './features/import-apps/runs/routes.ts'
import { scheduleRoutes } from './features/import-apps/runs/schedules/routes.ts'
import { createConfigMigrator } from './features/import-apps/runs/services/migrate-by-app.ts'
import { stateRoutes } from './features/import-apps/state/routes.ts'
import { webhookInRoutes } from './features/import-apps/webhooks/in-routes.ts'
import { webhookRoutes } from './features/import-apps/webhooks/routes.ts'
import { mcpRoutes } from './features/mcp/routes.ts'
import { alertSource } from './features/notifications/alerts/source.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { subscriptionSource } from './features/notifications/subscriptions/source.ts'
import { queryRoutes } from './features/results/routes.ts'
import { createMemberFinder } from './features/results/rows/actors.ts'
import { demoRoutes } from './features/setup/demo/routes.ts'
import { setUpRoutes } from './features/setup/routes.ts'
import { ENVIRONMENT_PATH, ORGANIZATION_PATH, PROJECT_PATH } from './http/aliases.ts'
import { installBodyTimeout } from './http/body-timeout.ts'
import { installBrowserClient } from './http/browser-client.ts'
import { installErrorHandler } from './http/error-handler.ts'
import { installForwardedHeaders } from './http/forwarded.ts'
import { installHeaders } from './http/headers.ts'
import { installJsonBody } from './http/json-body.ts'
import { installLargeBodies } from './http/large-bodies.ts'
import { installMethodNotAllowed, staticPathRefusals } from './http/method-not-allowed.ts'
import { installMonitoring } from './http/monitoring.ts'
import { installOpenApi } from './http/openapi.ts'
import { installRequestLog, logsReads } from './http/request-log.ts'
import { createRequestIds, serverOptions } from './http/server-options.ts'
import { installStopping } from './http/stopping.ts'
import { installTracing } from './http/tracing.ts'
import { installTurns } from './http/turns.ts'
import { installUnappliedFilters } from './http/unapplied-filters.ts'
import { installNotFoundPage, installWebApp, openWebApp } from './http/web-app.ts'
import { installMetrics } from './metrics/install.ts'
import type { Services } from './services.ts'
import { NO_TRACER } from './telemetry/tracer.ts'

export interface AppOptions {
  readonly services: Omit<Services, 'close'>
  readonly config: Pick<Config, 'logLevel' | 'trustedProxy'> &
    Partial<Pick<Config, 'url' | 'oidc' | 'groupRules' | 'githubUrl' | 'backups' | 'dataFolder'>>
}

/** Builds the service: first the hooks that every request passes, then the routes of every feature. */
export function buildApp({ services, config }: AppOptions): FastifyInstance {
  const { storage, secrets, events, runtime, wakeUps, querySlots, results } = services
  const { egress, mailer, notificationSender, pictures, converter, places } = services
  const { db } = storage
  const toRequestId = createRequestIds()
  const app = Fastify(serverOptions(config, toRequestId))
  const web = openWebApp()
  const provider = config.oidc && createOidcProvider(config.oidc, egress)

  if (config.trustedProxy) installForwardedHeaders(app)
  installStopping(app)
  installTracing(app, services.tracer)
  installErrorHandler(app)
  installJsonBody(app)
  installHeaders(app)
  installRequestLog(app)
  installBodyTimeout(app)
  const paths = installMethodNotAllowed(app)
  installNotFoundPage(app, web)
  installCookies(app, config.url)
  const guard = installGuard(app, storage)
  installLargeBodies(app)
  const readCache = installReadCache(app, guard, toRequestId)
  // traces and the log of reads come from hooks, which early responses bypass
  const isUnobserved = services.tracer === NO_TRACER && !logsReads(app)
  installTurns(app, isUnobserved ? readCache.respond : undefined)
  installUnappliedFilters(app)

  installOpenApi(app, API_INFO, API_TAGS)
  installDocs(app, { url: config.url })
  installWebApp(app, web)
  installBrowserClient(app, web)
  installMonitoring(app, storage, events)
  installMetrics(app, { services, config, readCache })

  // accounts
  const throttle = createPasswordThrottle()
  const codeThrottle = createCodeThrottle()
  const { oidc, groupRules = [] } = config
  app.register(sessionRoutes, {
    prefix: '/api',
    ...{ db, secrets, throttle, codeThrottle, oidc, mailer, url: config.url },
  })
  app.register(oidcRoutes, {
    prefix: '/sign-in/oidc',
    ...{ db, provider, settings: oidc, groupRules, url: config.url },
  })
  app.register(accountRoutes, { prefix: '/api/users/@me', db, throttle })
  app.register(secondFactorRoutes, {
    prefix: '/api/users/@me/second_factor',
    ...{ db, secrets, throttle, codeThrottle, mailer },
  })
  app.register(scimRoutes, { prefix: '/scim/v2', db, groupRules, url: config.url })
  const passkeys = { db, secrets, throttle, codeThrottle, mailer, url: config.url }
  app.register(passkeyRoutes, { prefix: '/api/users/@me/passkeys', ...passkeys })
  app.register(passkeySignInRoutes, {
    prefix: '/api/sign_in/passkey',
    db,
    oidc,
    mailer,
    url: config.url,
  })
  app.register(apiKeyRoutes, { prefix: '/api/personal_api_keys', db })
  app.register(introspectionRoutes, { prefix: '/oauth/introspect', db })
  app.register(inviteRoutes, { prefix: '/api', db, mailer, url: config.url, oidc })
  app.register(organizationMemberRoutes, { prefix: `${ORGANIZATION_PATH}/members`, db })
  app.register(projectMemberRoutes, { prefix: `${PROJECT_PATH}/members`, db })
  app.register(projectRoutes, { prefix: '/api', db, events })
  app.register(organizationRoutes, { prefix: '/api/organizations', db, events })
  const { backups } = config
  app.register(backupRoutes, { prefix: `${ORGANIZATION_PATH}/backups`, db, schedule: backups })
  app.register(setUpRoutes, { prefix: '/api', db })
  app.register(activityRoutes, { prefix: PROJECT_PATH, db })

  // events
  app.register(captureRoutes, { storage, events, converter, places, url: config.url })
  app.register(eventRoutes, { prefix: PROJECT_PATH, db, events })
  app.register(personRoutes, { prefix: `${PROJECT_PATH}/persons`, db, events })
  const findQueryMembers = createMemberFinder({ db, events, querySlots })
  app.register(actionRoutes, { prefix: `${PROJECT_PATH}/actions`, db, events })
  app.register(cohortRoutes, { prefix: `${PROJECT_PATH}/cohorts`, db, events, findQueryMembers })
  app.register(groupRoutes, { prefix: `${PROJECT_PATH}/groups`, db, events })
  app.register(groupTypeRoutes, { prefix: `${PROJECT_PATH}/groups_types`, db, events })
  app.register(ingestionWarningRoutes, { prefix: `${PROJECT_PATH}/ingestion_warnings`, events })
  app.register(definitionRoutes, { prefix: PROJECT_PATH, db, events })
  app.register(queryRoutes, { prefix: `${PROJECT_PATH}/query`, db, events, querySlots, results })

  // dashboards
  const dashboards = `${ENVIRONMENT_PATH}/dashboards`
  app.register(dashboardRoutes, { prefix: dashboards, db, results })
  app.register(collaboratorRoutes, { prefix: `${dashboards}/:dashboard_id/collaborators`, db })
  app.register(sharingRoutes, { prefix: `${dashboards}/:dashboard_id/sharing`, db })
  const links = { db, results, mailer }
  app.register(dashboardLinkRoutes, {
    prefix: `${dashboards}/:dashboard_id/sharing/links`,
    ...links,
  })
  app.register(organizationLinkRoutes, { prefix: `${ORGANIZATION_PATH}/public_links`, db })
  const insights = `${ENVIRONMENT_PATH}/insights`
  app.register(insightRoutes, { prefix: insights, db, results })
  app.register(insightLinkRoutes, { prefix: `${insights}/:insight_id/sharing/links`, ...links })
  app.register(savedViewRoutes, { prefix: `${PROJECT_PATH}/saved_views`, db })
  app.register(annotationRoutes, { prefix: `${PROJECT_PATH}/annotations`, db })
  app.register(commentRoutes, { prefix: `${PROJECT_PATH}/comments`, db, mailer, url: config.url })
  app.register(mentionRoutes, { prefix: '/api/users/@me/mentions', db })
  app.register(templateRoutes, { prefix: `${PROJECT_PATH}/dashboard_templates`, db })
  app.register(exportRoutes, { prefix: ENVIRONMENT_PATH, db, results, pictures })
  app.register(embedRoutes, { prefix: PROJECT_PATH, db, secrets, egress })
  app.register(sharedRoutes, {
    ...{ db, secrets, egress, results, pictures, throttle, mailer, url: config.url },
  })

  // notifications
  const notifications = { db, secrets, results, wakeUps, targetPolicy: notificationSender }
  app.register(notificationRoutes(alertSource), {
    prefix: `${PROJECT_PATH}/alerts`,
    ...notifications,
  })
  app.register(notificationRoutes(subscriptionSource), {
    prefix: `${PROJECT_PATH}/subscriptions`,
    ...notifications,
  })

  // import apps
  const configs = `${PROJECT_PATH}/pipeline_import_apps_configs`
  const migrateByApp = createConfigMigrator(db, secrets, runtime)
  app.register(pluginRoutes, {
    prefix: `${ORGANIZATION_PATH}/plugins`,
    ...{ db, runtime, egress, githubUrl: config.githubUrl },
  })
  app.register(draftRoutes, {
    prefix: `${ORGANIZATION_PATH}/plugin_drafts`,
    ...{ runtime, converter, egress },
  })
  app.register(catalogRoutes, { prefix: `${ORGANIZATION_PATH}/plugin_catalog`, db })
  app.register(pipelineConfigRoutes, { prefix: configs, db, secrets, migrateByApp })
  app.register(previewRoutes, { prefix: configs, db, secrets, runtime, converter })
  app.register(runRoutes, { prefix: configs, db, wakeUps })
  app.register(scheduleRoutes, { prefix: configs, db })
  app.register(backfillRoutes, { prefix: configs, db, wakeUps })
  app.register(stateRoutes, { prefix: configs, db })
  app.register(importDashboardRoutes, { prefix: configs, db, secrets })
  app.register(webhookRoutes, { prefix: configs, db, secrets, wakeUps, url: config.url })
  app.register(webhookInRoutes, { prefix: '/in', ...storage, secrets, wakeUps })
  app.register(healthRoutes, { prefix: PROJECT_PATH, db })
  app.register(demoRoutes, { prefix: `${PROJECT_PATH}/demo_data`, ...notifications, events })

  // tools for language models
  app.register(mcpRoutes, { prefix: '/mcp', url: config.url })

  app.register(staticPathRefusals, { paths })
  return app
}
