import { describe, expect, it } from 'vitest'
import { canRestrict, effectiveDashboardPrivilege } from './rights.ts'

const CREATOR = 1
const OTHER = 2

describe('rights on a dashboard', () => {
  it.each([
    // restriction, user, organization level, collaborator level -> privilege, can restrict
    [21, OTHER, 1, null, 37, false],
    [21, OTHER, 1, 21, 37, false],
    [37, OTHER, 1, null, 21, false],
    [37, OTHER, 1, 21, 21, false],
    [37, OTHER, 1, 37, 37, false],
    [37, OTHER, 8, null, 37, true],
    [37, OTHER, 15, 21, 37, true],
    [37, CREATOR, 1, null, 37, true],
    [37, CREATOR, 1, 21, 37, true],
  ])(
    'at restriction %i, user %i of level %i, collaborator level %s: privilege %i, can restrict %s',
    (restriction_level, userId, level, collaborator_level, privilege, restricts) => {
      const person = { userId, level, isViewer: false }
      const dashboard = { created_by: CREATOR, restriction_level, collaborator_level }

      expect(effectiveDashboardPrivilege(person, dashboard)).toBe(privilege)
      expect(canRestrict(person, dashboard)).toBe(restricts)
    },
  )

  it.each([
    [21, OTHER, null],
    [37, OTHER, 37],
    [21, CREATOR, null],
    [37, CREATOR, 37],
  ])(
    'of a viewer, at restriction %i, as user %i and collaborator of level %s: sees it',
    (restriction_level, userId, collaborator_level) => {
      const viewer = { userId, level: 1, isViewer: true }
      const dashboard = { created_by: CREATOR, restriction_level, collaborator_level }

      expect(effectiveDashboardPrivilege(viewer, dashboard)).toBe(21)
      expect(canRestrict(viewer, dashboard)).toBe(false)
    },
  )
})
