import { Type } from 'typebox'

const dictionary = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }))
const text = (description: string) => Type.Optional(Type.String({ description }))
const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }))

export const SegmentMessage = Type.Object(
  {
    type: text('`track`, `identify`, `page`, `screen`, `group` or `alias`. Required in a batch.'),
    userId: text('ID of the person. A message needs `userId` or `anonymousId`.'),
    anonymousId: text('ID of a visitor who is not signed in.'),
    previousId: text('The ID that `alias` merges into `userId`.'),
    groupId: text('The key of the group.'),
    event: text('The name of a tracked event.'),
    name: text('The name of a page or screen.'),
    properties: dictionary('Properties of a tracked event, page or screen.'),
    traits: dictionary('Properties of the person or group.'),
    context: dictionary('Page, device, app, campaign and so on, stored as `$` properties.'),
    messageId: text('Messages with a known ID are ignored.'),
    timestamp: time(
      'Time of the event. Default: now. Stored as it is if the message also has `originalTimestamp`.',
    ),
    originalTimestamp: time('Time of the event, unless the message has `timestamp`.'),
    sentAt: time("Time of sending by the sender's clock. Its skew is added to the timestamp."),
    writeKey: text('Project token: `phc_...`, unless it is the user name of Basic authentication.'),
  },
  { title: 'SegmentMessage' },
)

export const SegmentBatch = Type.Object(
  {
    batch: Type.Array(SegmentMessage),
    sentAt: SegmentMessage.properties.sentAt,
    writeKey: SegmentMessage.properties.writeKey,
  },
  { title: 'SegmentBatch' },
)

export const SegmentAccepted = Type.Object(
  { success: Type.Literal(true) },
  { title: 'SegmentAccepted', description: 'The events are stored.', additionalProperties: false },
)
