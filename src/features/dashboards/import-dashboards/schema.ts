import { type Static, Type } from 'typebox'

export const ImportDashboard = Type.Object(
  {
    template: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the template of the app, or null if it has none.',
    }),
    dashboard: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The dashboard of the project that was created from it, or null.',
    }),
  },
  { title: 'ImportDashboard', additionalProperties: false },
)
export type ImportDashboard = Static<typeof ImportDashboard>
