/** The records of the table's stream that start a function */
export type StreamFilters = readonly Readonly<Record<string, unknown>>[];

const target = { kind: { S: ['target'] } };

/**
 * Matches changes of targets, except the first take by a worker since the target was last released: it has no effects. Only a
 * held target has `leaseUntil`. It has `takes` from its first take until a worker releases it, unless its lease was taken in the
 * write that recorded the intent: then it is `publishing`.
 */
export const targetNews: StreamFilters = [
  { dynamodb: { NewImage: { ...target, leaseUntil: { S: [{ exists: false }] } } } },
  { dynamodb: { NewImage: target, OldImage: { takes: { N: [{ exists: true }] } } } },
  { dynamodb: { NewImage: target, OldImage: { status: { S: ['publishing'] } } } },
  { eventName: ['REMOVE'], dynamodb: { OldImage: target } },
];

/**
 * Matches the records of new files that are to be imported, and changes of what waiting posts depend on: an account, a file that ends as
 * invalid, and the begin and the end of a pause. An account rarely changes: a renewal of tokens is no change of it. One filter, because a
 * function may have five.
 */
export const otherNews: StreamFilters = [
  {
    $or: [
      {
        eventName: ['INSERT'],
        dynamodb: { NewImage: { kind: { S: ['media'] }, importUrl: { S: [{ exists: true }] } } },
      },
      {
        eventName: ['MODIFY'],
        dynamodb: {
          NewImage: { kind: { S: ['media'] }, status: { S: ['invalid'] } },
          OldImage: { status: { S: [{ 'anything-but': ['invalid'] }] } },
        },
      },
      { eventName: ['MODIFY'], dynamodb: { NewImage: { kind: { S: ['account'] } } } },
      { eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['pause'] } } } },
      { eventName: ['REMOVE'], dynamodb: { OldImage: { kind: { S: ['pause'] } } } },
    ],
  },
];

/**
 * Matches changes of posts, and changes that may cause a webhook event: a post is scheduled, a target has a result, numbers are read for which somebody
 * listens, an account is connected or disconnected, expires or will expire soon, a person writes a comment or a message, or a version
 * of a platform's API ends soon. Connecting makes an account `ok`. The search follows all posts, also drafts and deleted ones.
 * Messages with a payload are taps on our own buttons and cause no event.
 */
export const webhookNews: StreamFilters = [
  {
    $or: [
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { NewImage: { kind: { S: ['post'] } } },
      },
      { eventName: ['REMOVE'], dynamodb: { OldImage: { kind: { S: ['post'] } } } },
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { NewImage: { kind: { S: ['postNumbers'] }, status: { S: ['told'] } } },
      },
    ],
  },
  {
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { NewImage: { kind: { S: ['account'] }, status: { S: ['ok', 'error'] } } },
  },
  {
    eventName: ['MODIFY'],
    dynamodb: { NewImage: { kind: { S: ['account'] }, disconnectedAt: { S: [{ exists: true }] } } },
  },
  {
    eventName: ['MODIFY'],
    dynamodb: {
      NewImage: { kind: { S: ['account'] }, status: { S: ['expired'] } },
      OldImage: { status: { S: [{ 'anything-but': ['expired'] }] } },
    },
  },
  {
    eventName: ['INSERT'],
    dynamodb: {
      NewImage: {
        kind: { S: ['inboundComment', 'inboundMessage', 'versionNotice'] },
        payload: { S: [{ exists: false }] },
      },
    },
  },
];
