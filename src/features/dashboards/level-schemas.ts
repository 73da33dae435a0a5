import { Type } from 'typebox'
import { CAN_EDIT, CAN_VIEW, type Level } from '#model/levels.ts'

const LEVELS = [CAN_VIEW, CAN_EDIT]

export const RestrictionLevel = Type.Unsafe<Level>({
  title: 'RestrictionLevel',
  type: 'integer',
  enum: LEVELS,
  description: '21: everyone in the project can edit. 37: only collaborators can.',
})
export const PrivilegeLevel = Type.Unsafe<Level>({
  title: 'PrivilegeLevel',
  type: 'integer',
  enum: LEVELS,
  description: '21: can view. 37: can edit.',
})
