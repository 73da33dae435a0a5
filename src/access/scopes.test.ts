import { describe, expect, it } from 'vitest'
import { grantsScope, isKeyScope, SCOPES } from './scopes.ts'

describe('scopes', () => {
  it.each([
    [['dashboard:read'], 'dashboard:read', true],
    [['dashboard:read'], 'dashboard:write', false],
    [['dashboard:write'], 'dashboard:read', true],
    [['dashboard:write'], 'dashboard:write', true],
    [['dashboard:write'], 'plugin:read', false],
    [['sharing_configuration:write'], 'sharing_configuration:read', true],
    [['plugin:read', 'dashboard:write'], 'plugin:write', false],
    [['*'], 'plugin:write', true],
    [['*:read'], 'plugin:read', false],
    [['plugin'], 'plugin:read', false],
    [[], 'plugin:read', false],
  ] as const)('%j grant %s: %s', (held, wanted, allowed) => {
    expect(grantsScope(new Set(held), wanted)).toBe(allowed)
  })

  it('match the interface document plus our additions and *', () => {
    expect(SCOPES).toEqual([
      ...['plugin:read', 'plugin:write', 'dashboard:read', 'dashboard:write'],
      ...['dashboard_template:read', 'dashboard_template:write', 'insight:read', 'insight:write'],
      ...['alert:read', 'alert:write'],
      ...['sharing_configuration:read', 'sharing_configuration:write'],
      ...['query:read', 'activity_log:read'],
      ...['person:read', 'person:write', 'cohort:read', 'cohort:write'],
      ...['action:read', 'action:write'],
      ...[
        'annotation:read',
        'annotation:write',
        'comment:read',
        'comment:write',
        'saved_view:read',
        'saved_view:write',
        'group:read',
        'group:write',
      ],
      ...['event_definition:read', 'event_definition:write'],
      ...['property_definition:read', 'property_definition:write'],
      ...['project:write', 'organization:write'],
      ...['organization_member:read', 'organization_member:write'],
      ...['personal_api_key:read', 'personal_api_key:write'],
    ])
    expect(['*', ...SCOPES].every(isKeyScope)).toBe(true)
    expect(['', 'key', 'public', 'plugin', 'plugin:*', 'Plugin:read'].some(isKeyScope)).toBe(false)
  })
})
