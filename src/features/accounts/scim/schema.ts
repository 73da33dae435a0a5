import { Type } from 'typebox'
import { SCIM_TYPE } from './errors.ts'

const text = (maxLength: number, description?: string) => Type.String({ maxLength, description })
const Resource = { additionalProperties: true }

const UserBody = Type.Object(
  {
    userName: text(254, 'The e-mail address, unless `emails` has one.'),
    externalId: Type.Optional(text(255)),
    name: Type.Optional(
      Type.Object({ givenName: Type.Optional(text(150)), familyName: Type.Optional(text(150)) }),
    ),
    emails: Type.Optional(
      Type.Array(
        Type.Object({
          value: text(254),
          type: Type.Optional(text(50)),
          primary: Type.Optional(Type.Boolean()),
        }),
        { maxItems: 100 },
      ),
    ),
    active: Type.Optional(Type.Boolean()),
  },
  { title: 'ScimUserBody' },
)

const GroupBody = Type.Object(
  {
    displayName: text(255),
    externalId: Type.Optional(text(255)),
    members: Type.Optional(Type.Array(Type.Object({ value: text(36) }), { maxItems: 10_000 })),
  },
  { title: 'ScimGroupBody' },
)

const PatchBody = Type.Object(
  {
    Operations: Type.Array(
      Type.Object({
        op: text(20, '`add`, `replace` or `remove`, in any case.'),
        path: Type.Optional(text(1000)),
        value: Type.Optional(Type.Unknown()),
      }),
      { maxItems: 1000 },
    ),
  },
  { title: 'ScimPatch' },
)

const toContent = (schema: object) => ({ [SCIM_TYPE]: { schema } })

export const BODIES = {
  user: toContent(UserBody),
  group: toContent(GroupBody),
  patch: toContent(PatchBody),
}

export const ScimResource = {
  description: 'As RFC 7643 describes it.',
  content: toContent(
    Type.Object(
      { schemas: Type.Array(Type.String()), id: Type.Optional(Type.String()) },
      { title: 'ScimResource', ...Resource },
    ),
  ),
}

export const ScimList = {
  description: 'One page of a list.',
  content: toContent(
    Type.Object(
      {
        totalResults: Type.Integer(),
        startIndex: Type.Integer(),
        itemsPerPage: Type.Integer(),
        Resources: Type.Array(Type.Object({}, Resource)),
      },
      { title: 'ScimList', ...Resource },
    ),
  ),
}

const MAX_INDEX = 2 ** 31 - 1

const choice = {
  attributes: Type.Optional(text(2000, 'Only these attributes.')),
  excludedAttributes: Type.Optional(text(2000, 'Without these attributes, such as `members`.')),
}

export const ScimChoice = Type.Object(choice)

export const ScimListQuery = Type.Object({
  filter: Type.Optional(text(1000, 'One comparison, such as `userName eq "ada@example.com"`.')),
  startIndex: Type.Optional(
    Type.Integer({
      minimum: -MAX_INDEX,
      maximum: MAX_INDEX,
      description: 'The first result, from 1.',
    }),
  ),
  count: Type.Optional(
    Type.Integer({
      minimum: -MAX_INDEX,
      maximum: MAX_INDEX,
      description: 'Results per page. 100 by default, at most 1000.',
    }),
  ),
  ...choice,
})

export const ScimParams = Type.Object({ id: Type.String() })
