import { type TSchema, Type } from 'typebox'

const closed = { additionalProperties: false } as const
/** Has exactly one of its keys. */
const oneKey = { ...closed, minProperties: 1, maxProperties: 1 } as const

const Text = (description?: string, maxLength = 1000) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }) })

const Setting = Text('The key of a setting of plugin.json.', 200)
const Path = Text('The path of a value, such as `customer.email`.')
const Optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
const MapOf = (schema: TSchema) => Type.Unsafe({ type: 'object', additionalProperties: schema })
const oneOf = (...values: readonly string[]) => Type.Unsafe({ type: 'string', enum: values })

const Named = Type.Object({ name: Text(undefined, 200), setting: Setting }, closed)
const Header = Type.Object(
  {
    name: Text(undefined, 200),
    setting: Setting,
    prefix: Optional(Text('Before the key, such as `Token ` with its space.', 100)),
  },
  closed,
)

const OAuth = Type.Object(
  {
    token_url: Text('Where access tokens are requested. `{{shop}}` stands for the setting shop.'),
    client_id: Setting,
    client_secret: Optional(Setting),
    refresh_token: Optional(
      Text('The key of a setting. Absent: the credentials of the client are used.', 200),
    ),
    credentials: Optional(oneOf('body', 'basic')),
    parameters: Optional(MapOf(Text('Sent with them, such as scope or audience.'))),
  },
  closed,
)

const Auth = Type.Object(
  {
    bearer: Optional(Setting),
    basic: Optional(Type.Object({ user: Setting, password: Optional(Setting) }, closed)),
    header: Optional(Header),
    query: Optional(Named),
    oauth: Optional(OAuth),
  },
  { ...oneKey, description: 'Where the key goes. It is sent to the origin of base_url only.' },
)

const Paginate = Type.Object(
  {
    page: Optional(
      Type.Object({ parameter: Text(), first: Optional(Type.Integer({ minimum: 0 })) }, closed),
    ),
    offset: Optional(
      Type.Object(
        {
          parameter: Text(),
          limit_parameter: Optional(Text()),
          limit: Type.Integer({ minimum: 1, maximum: 10_000 }),
        },
        closed,
      ),
    ),
    cursor: Optional(
      Type.Object(
        {
          path: Path,
          parameter: Optional(Text()),
          more: Optional(Text('The path of a flag that is true while there are more pages.')),
        },
        closed,
      ),
    ),
    link: Optional(Type.Literal(true)),
  },
  { ...oneKey, description: 'How the next page is found. Absent: there is one page.' },
)

const Incremental = Type.Object(
  {
    field: Text('The path of the time of a record.'),
    parameter: Text('The parameter of the time from which records are wanted.'),
    to_parameter: Optional(Text('That of the end. With it, the stream can be backfilled.')),
    format: Optional(
      Type.String({
        pattern: '^(iso|date|seconds|milliseconds)$|%[YmdHMSfs]',
        maxLength: 100,
        description:
          'iso, date, seconds, milliseconds, or a pattern such as %Y-%m-%d %H:%M:%S in UTC.',
      }),
    ),
    start: Optional(
      Text(
        'The time from which the first run reads: a date, or `{{start}}` for the setting start.',
      ),
    ),
    step: Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_622_400,
        description: 'Seconds that one reading covers. Needs start and to_parameter.',
      }),
    ),
    lookback: Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_622_400,
        description: 'Seconds before the latest record at which a run begins: 1 if absent.',
      }),
    ),
  },
  closed,
)

const FieldType = oneOf('string', 'number', 'boolean', 'time')
const Scalar = Type.Unsafe({ type: ['string', 'number', 'boolean'] })

const Transform = Type.Object(
  {
    add: Optional(MapOf(Scalar)),
    copy: Optional({ ...MapOf(Path), description: 'The path of the value of each new field.' }),
    remove: Optional(Type.Array(Text(), { maxItems: 100 })),
    rename: Optional(MapOf(Text())),
    cast: Optional(MapOf(FieldType)),
  },
  oneKey,
)

const Partition = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,99}$' }),
    values: Optional(Type.Array(Text(), { minItems: 1, maxItems: 1000 })),
    setting: Optional(Text('The key of a setting with values, separated by commas.', 200)),
  },
  {
    ...closed,
    description: 'The stream is read for each value, which is `{{partition.name}}` in its texts.',
  },
)

const Scalars = Type.Unsafe({
  type: ['string', 'number', 'boolean', 'array'],
  items: Scalar,
  minItems: 1,
  maxItems: 200,
})

const Condition = Type.Object(
  {
    path: Path,
    is: Optional({ ...Scalars, description: 'The value, or the list of possible values.' }),
    is_not: Optional(Scalars),
    empty: Optional(Type.Boolean()),
    truthy: Optional(
      Type.Boolean({ description: 'Whether the value is neither empty nor false nor 0.' }),
    ),
    at_least: Optional(Scalar),
    more_than: Optional(Scalar),
    at_most: Optional(Scalar),
    less_than: Optional(Scalar),
  },
  { ...closed, minProperties: 2, maxProperties: 2 },
)

const Target = Type.Object(
  {
    event: Text('The name of the events.', 200),
    person: Type.Unsafe<string | readonly string[]>({
      ...{ type: ['string', 'array'], minLength: 1, maxLength: 1000, minItems: 1, maxItems: 10 },
      items: Path,
      description: 'The path of the ID of the person, or several: the first that has an ID counts.',
    }),
    time: Optional(Text('The path of the time. Absent: the time of the import.')),
    properties: Optional(Type.Array(Path, { maxItems: 200 })),
  },
  closed,
)

const ErrorRule = Type.Object(
  {
    status: Optional(Type.Integer({ minimum: 200, maximum: 499 })),
    text: Optional(Text('A part of the response.')),
    path: Optional(Text('The path of a value in the response that is not empty.')),
    value: Optional({ ...Scalar, description: 'What the value at path must be.' }),
    action: oneOf('ignore', 'retry', 'fail'),
    message: Optional(Text('Tells people what to do.', 300)),
  },
  { ...closed, description: 'Applies to a response that meets all of its conditions.' },
)

const Stream = Type.Object(
  {
    name: Text(undefined, 100),
    parent: Optional(
      Type.Object(
        { stream: Text('A stream above, for each of whose records this one is read.', 100) },
        closed,
      ),
    ),
    partitions: Optional(Type.Array(Partition, { minItems: 1, maxItems: 5 })),
    path: Text(
      'Follows base_url. `{{shop}}` stands for the setting shop, `{{orders.id}}` for a value of the record of the stream orders above.',
    ),
    query: Optional(MapOf(Text())),
    headers: Optional({ ...MapOf(Text()), description: 'Sent to the origin of base_url only.' }),
    records: Optional(Text('The path of the list. Absent: the response is the list.')),
    single: Optional(
      Type.Literal(true, { description: 'The response may also be one record, or none.' }),
    ),
    paginate: Optional(Paginate),
    incremental: Optional(Incremental),
    primary_key: Optional(
      Type.Unsafe<string | readonly string[]>({
        ...{ type: ['string', 'array'], minLength: 1, maxLength: 1000, minItems: 1, maxItems: 10 },
        items: Path,
        description: 'The path of the ID of a record, or of its parts. A record is imported once.',
      }),
    ),
    filter: Optional(
      Type.Array(Condition, {
        maxItems: 20,
        description: 'Only records that meet all conditions are imported.',
      }),
    ),
    transform: Optional(Type.Array(Transform, { maxItems: 100 })),
    schema: Optional({
      ...MapOf(FieldType),
      description: 'The types of fields. A value of another type is imported as null.',
    }),
    to: Optional(Target),
    errors: Optional(Type.Array(ErrorRule, { maxItems: 20 })),
  },
  closed,
)

/** Describes `connector.yaml`: an app without code. `docs/connector.schema.json` has it for editors. */
export const ConnectorSchema = Type.Object(
  {
    base_url: Text('The URL before all paths. `{{shop}}` stands for the setting shop.'),
    hosts: Optional(
      Type.Array(Text('A host such as files.example.com, with its port if needed.', 300), {
        maxItems: 50,
        description:
          'Hosts of further pages and redirects, beyond those of base_url and token_url. Requests to others fail.',
      }),
    ),
    auth: Optional(Auth),
    rate_limit: Optional(
      Type.Object(
        {
          requests: Type.Integer({ minimum: 1, maximum: 10_000 }),
          seconds: Type.Number({ minimum: 0.001, maximum: 86_400 }),
        },
        closed,
      ),
    ),
    streams: Type.Array(Stream, { minItems: 1, maxItems: 100 }),
  },
  { ...closed, title: 'connector.yaml' },
)
