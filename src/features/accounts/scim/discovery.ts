import { MAX_LIMIT } from '#server/http/page.ts'
import { GROUP, USER } from './resources.ts'

/** Says what this server supports. */
export const SERVICE_PROVIDER_CONFIG = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_LIMIT },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token from `hedgerow scim create-token`.',
      primary: true,
    },
  ],
}

const toType = (name: string, endpoint: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  schema,
})

export const RESOURCE_TYPES = [toType('User', '/Users', USER), toType('Group', '/Groups', GROUP)]

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex'
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly uniqueness?: 'none' | 'server'
  readonly subAttributes?: readonly object[]
}

const attribute = (name: string, options: AttributeOptions = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
})

const toSchema = (id: string, name: string, attributes: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  attributes,
})

export const SCHEMAS = [
  toSchema(USER, 'User', [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('externalId', { caseExact: true }),
    attribute('name', {
      type: 'complex',
      subAttributes: [attribute('givenName'), attribute('familyName')],
    }),
    attribute('emails', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value'),
        attribute('type'),
        attribute('primary', { type: 'boolean' }),
      ],
    }),
    attribute('active', { type: 'boolean' }),
  ]),
  toSchema(GROUP, 'Group', [
    attribute('displayName', { required: true, caseExact: true }),
    attribute('externalId', { caseExact: true }),
    attribute('members', {
      type: 'complex',
      multiValued: true,
      subAttributes: [attribute('value')],
    }),
  ]),
]
