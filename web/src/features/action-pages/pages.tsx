export { ActionPage } from './action-page.tsx'
export { ActionsPage } from './page.tsx'
