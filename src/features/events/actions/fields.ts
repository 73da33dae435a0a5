import { Type } from 'typebox'
import { ActionStep } from '#model/action-step.schema.ts'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { Time } from '#server/http/schemas.ts'
import { defineResource, trashField } from '#server/resource/resource.ts'
import { tagsField } from '#server/resource/tags.ts'

const MAX_STEPS = 50

export const actionResource = defineResource('actions', {
  id: { schema: Type.Integer() },
  name: {
    schema: Type.String(),
    write: Type.String({ description: 'At most 400 characters. No other action has it.' }),
    log: true,
  },
  description: { schema: Type.String(), write: Type.String({ maxLength: 1000 }), log: true },
  tags: tagsField,
  steps: {
    schema: Type.Array(ActionStep, { description: 'An event matches if it matches any step.' }),
    write: Type.Array(ActionStep, { maxItems: MAX_STEPS }),
    log: true,
  },
  created_at: { schema: Time },
  created_by: userField('created_by'),
  deleted: trashField,
  is_calculating: {
    schema: Type.Boolean({ description: 'Always false: computed when read.' }),
    read: () => false,
  },
  is_action: { schema: Type.Boolean({ description: 'Always true.' }), read: () => true },
  post_to_slack: {
    schema: Type.Boolean({ description: 'Always false: alerts send messages.' }),
    read: () => false,
    write: Type.Literal(false),
  },
})
