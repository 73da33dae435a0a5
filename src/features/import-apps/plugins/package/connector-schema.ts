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

const Auth = Type.Object(
  {
    bearer: Optional(Setting),
    basic: Optional(Type.Object({ user: Setting, password: Setting }, closed)),
    header: Optional(Named),
    query: Optional(Named),
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
          limit_parameter: Text(),
          limit: Type.Integer({ minimum: 1, maximum: 10_000 }),
        },
        closed,
      ),
    ),
    cursor: Optional(Type.Object({ path: Path, parameter: Optional(Text()) }, closed)),
    link: Optional(Type.Literal(true)),
  },
  { ...oneKey, description: 'How the next page is found. Absent: there is one page.' },
)

const Incremental = Type.Object(
  {
    field: Text('The path of the time of a record.'),
    parameter: Text('The parameter of the time from which records are wanted.'),
    to_parameter: Optional(Text('That of the end. With it, the stream can be backfilled.')),
    format: Optional(oneOf('iso', 'date', 'seconds', 'milliseconds')),
    lookback: Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_622_400,
        description: 'Seconds before the latest record at which a run begins.',
      }),
    ),
  },
  closed,
)

const Scalar = Type.Unsafe({ type: ['string', 'number', 'boolean'] })

const Transform = Type.Object(
  {
    add: Optional(MapOf(Scalar)),
    remove: Optional(Type.Array(Text(), { maxItems: 100 })),
    rename: Optional(MapOf(Text())),
    cast: Optional(MapOf(oneOf('string', 'number', 'boolean', 'time'))),
  },
  oneKey,
)

const Target = Type.Object(
  {
    event: Text('The name of the events.', 200),
    person: Text('The path of the ID of the person.'),
    time: Optional(Text('The path of the time. Absent: the time of the import.')),
    properties: Optional(Type.Array(Path, { maxItems: 200 })),
  },
  closed,
)

const Stream = Type.Object(
  {
    name: Text(undefined, 100),
    path: Text('Follows base_url. `{{shop}}` stands for the setting shop.'),
    query: Optional(MapOf(Text())),
    records: Optional(Text('The path of the list. Absent: the response is the list.')),
    paginate: Optional(Paginate),
    incremental: Optional(Incremental),
    primary_key: Optional(Text('The path of the ID of a record, which is imported once.')),
    transform: Optional(Type.Array(Transform, { maxItems: 100 })),
    to: Target,
    errors: Optional(
      Type.Array(
        Type.Object(
          { status: Type.Integer({ minimum: 400, maximum: 499 }), action: oneOf('ignore') },
          closed,
        ),
        { maxItems: 20 },
      ),
    ),
  },
  closed,
)

/** Describes `connector.yaml`: an app without code. `docs/connector.schema.json` has it for editors. */
export const ConnectorSchema = Type.Object(
  {
    base_url: Text('The URL before all paths. `{{shop}}` stands for the setting shop.'),
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
