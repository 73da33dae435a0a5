import { CAN_EDIT, CAN_VIEW, type Level } from '#model/levels.ts'

export const LEVEL_CHOICES = [
  { value: String(CAN_EDIT), label: 'Can edit' },
  { value: String(CAN_VIEW), label: 'Can view' },
]

export const toLevel = (value: string | null): Level =>
  value === String(CAN_VIEW) ? CAN_VIEW : CAN_EDIT
