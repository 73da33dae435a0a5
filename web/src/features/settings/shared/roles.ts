/** Roles by access level. */
export const ROLES = [
  {
    level: 1,
    name: 'Member',
    about: 'Works in assigned projects, or only views their dashboards and insights.',
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

/** The levels of a member of the organization in a project. */
export const PROJECT_ACCESS = [
  {
    level: 'member',
    name: 'Member',
    about: 'Works in the project and changes everything in it.',
  },
  {
    level: 'viewer',
    name: 'Viewer',
    about: 'Sees dashboards and insights and comments on them. No events, persons or queries.',
  },
] as const
