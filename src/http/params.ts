import { type TSchema, Type } from 'typebox'

/**
 * A parameter of a path: text for the handler, which responds with 404 if it cannot be an ID, and its type for the
 * OpenAPI document.
 */
const parameter = (documented: TSchema) => Type.String({ documented })
export type PathParameter = ReturnType<typeof parameter>

export const ProjectId = parameter(
  Type.Union([Type.Integer(), Type.Literal('@current')], {
    title: 'ProjectId',
    description: "Project ID, or `@current`: the current project of the key's user.",
  }),
)

export const OrganizationId = parameter(
  Type.Union([Type.String({ format: 'uuid' }), Type.Literal('@current')], {
    title: 'OrganizationId',
    description: 'Organization ID, or `@current`.',
  }),
)

/** The ID of `a dashboard`. */
export const integerId = (thing: string) =>
  parameter(Type.Integer({ description: `ID of ${thing}.` }))

/** The ID of `an alert`. */
export const uuidParam = (thing: string) =>
  parameter(Type.String({ format: 'uuid', description: `ID of ${thing}.` }))

/** An ID, or text that stands for it. */
export const idOrText = (description: string) =>
  parameter(Type.Union([Type.Integer(), Type.String()], { description }))

export const ProjectOnlyParams = Type.Object({ project_id: ProjectId })
