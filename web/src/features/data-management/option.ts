import { toEventOption, toPropertyOption } from '../definitions/name-option.ts'
import { type Definition, isEvent } from './api.ts'

/** The label and description of a definition. */
export const toOption = (definition: Definition) =>
  isEvent(definition)
    ? toEventOption(definition.name, definition)
    : toPropertyOption(definition.name, definition)

export const TYPE_NAMES = {
  String: 'Text',
  Numeric: 'Number',
  Boolean: 'Yes or no',
  DateTime: 'Date and time',
} as const
