/** The parts of the account menu about mentions, in one file. */
export { MentionsDrawer } from './mentions-drawer.tsx'
export { UnreadDot } from './unread-dot.tsx'
