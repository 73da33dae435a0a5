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
  ['/api/eventful', '/api/eventful'],
  ['/batch/', '/batch'],
  ['/', '/'],
  ['/?next=/', '/?next=/'],
])('serves %s as %s', (url, registered) => {
  expect(toRegisteredUrl(url)).toBe(registered)
})
