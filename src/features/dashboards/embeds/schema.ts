import { type Static, Type } from 'typebox'
import { integerId, ProjectId } from '#server/http/params.ts'
import { secretResource, settingsResource } from './fields.ts'

export const EmbedSecret = Type.Object(secretResource.item, {
  title: 'EmbedSecret',
  additionalProperties: false,
})
export type EmbedSecret = Static<typeof EmbedSecret>

export const NewEmbedSecret = Type.Object(
  {
    ...secretResource.item,
    secret: Type.String({ description: 'The value that signs tokens with HS256. Shown once.' }),
  },
  { title: 'NewEmbedSecret', additionalProperties: false },
)
export type NewEmbedSecret = Static<typeof NewEmbedSecret>

export const EmbedSettings = Type.Object(settingsResource.item, {
  title: 'EmbedSettings',
  additionalProperties: false,
})
export type EmbedSettings = Static<typeof EmbedSettings>

export const EmbedSettingsPatch = Type.Partial(Type.Object(settingsResource.write), {
  title: 'EmbedSettingsPatch',
})
export type EmbedSettingsPatch = Static<typeof EmbedSettingsPatch>

export const EmbedSecretParams = Type.Object({
  project_id: ProjectId,
  id: integerId('a secret of embeds'),
})
