export { DataDialog } from './data-dialog.tsx'
export { PersonsDialog } from './persons-dialog.tsx'
