/** What each level may do, in words. */
export const ROLES = [
  {
    level: 1,
    name: 'Member',
    about: 'Works in the projects they were added to: dashboards, insights, import apps, alerts.',
  },
  {
    level: 8,
    name: 'Admin',
    about:
      'Reaches every project. Invites people, adds and deletes projects, installs import apps, changes settings.',
  },
  {
    level: 15,
    name: 'Owner',
    about: 'Everything an admin may, and makes or removes other owners. There is always one.',
  },
] as const

export const nameOf = (user: { first_name: string; last_name: string; email: string }): string =>
  `${user.first_name} ${user.last_name}`.trim() || user.email
