import { expect, it } from 'vitest'
import { toRegisteredUrl } from './aliases.ts'

it.each([
  ['/api/projects/1/dashboards', '/api/environments/1/dashboards'],
  ['/api/projects/@current/insights/5/?a=/', '/api/environments/@current/insights/5?a=/'],
  ['/api/environments/1/events/?x=1', '/api/projects/1/events?x=1'],
  ['/api/environments/1/dashboards_of_mine', '/api/projects/1/dashboards_of_mine'],
  ['/api/environments/1/dashboards', '/api/environments/1/dashboards'],
  ['/api/projects/dashboards', '/api/projects/dashboards'],
  ['/api/projects/1/', '/api/projects/1'],
  ['/api/environments/1', '/api/projects/1'],
  ['/api/environments/@current/?a=1', '/api/projects/@current?a=1'],
  ['/api/environments/', '/api/projects'],
  ['/api/environments?limit=1', '/api/projects?limit=1'],
  ['/api/environments_of_mine', '/api/environments_of_mine'],
  ['/api/event/?after=2026-01-01', '/api/projects/@current/events?after=2026-01-01'],
  ['/api/event/01a1e76d', '/api/projects/@current/events/01a1e76d'],
  ['/api/action/5/', '/api/projects/@current/actions/5'],
  ['/api/annotation/?scope=organization', '/api/projects/@current/annotations?scope=organization'],
  ['/api/annotation/5/', '/api/projects/@current/annotations/5'],
  ['/api/person?distinct_id=a', '/api/projects/@current/persons?distinct_id=a'],
  ['/api/cohort/', '/api/projects/@current/cohorts'],
  ['/api/insight/?short_id=a', '/api/environments/@current/insights?short_id=a'],
  ['/api/dashboard_item/1', '/api/environments/@current/insights/1'],
  ['/api/dashboard/', '/api/environments/@current/dashboards'],
  ['/api/user/', '/api/users/@me'],
  ['/api/users/@me', '/api/users/@me'],
  ['/api/feature_flag/local_evaluation', '/api/feature_flag/local_evaluation'],
  ['/api/users/%40me/', '/api/users/@me'],
  ['/api/projects/%40current/events?a=/%40me', '/api/projects/@current/events?a=/%40me'],
  ['/api/organizations/%40current/plugins', '/api/organizations/@current/plugins'],
  ['/api/eventful', '/api/eventful'],
  ['/batch/', '/batch'],
  ['/', '/'],
  ['/?next=/', '/?next=/'],
])('serves %s as %s', (url, registered) => {
  expect(toRegisteredUrl(url)).toBe(registered)
})
