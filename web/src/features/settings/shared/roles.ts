/** Roles by access level. */
export const ROLES = [
  {
    level: 1,
    name: 'Member',
    about: 'Works in assigned projects: dashboards, insights, import apps and alerts.',
  },
  {
    level: 8,
    name: 'Admin',
    about: 'Accesses every project. Manages members, projects, installed apps and settings.',
  },
  {
    level: 15,
    name: 'Owner',
    about: 'Everything an admin can do, plus managing owners. At least one is required.',
  },
] as const
