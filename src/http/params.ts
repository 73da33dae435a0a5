import { Type } from 'typebox'

export const ProjectOnlyParams = Type.Object({ project_id: Type.String() })
