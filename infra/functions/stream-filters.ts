import type { ItemKind } from '../../lib/table/keys.ts';

/**
 * Which records of the table's stream wake a function: those that match one of these. Every field that is named must
 * have one of the values in its list. There is no comparing of old and new images.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export type StreamFilters = readonly Readonly<Record<string, unknown>>[];

/** All that happens to items of a kind, their end included. */
export function changesOf(kind: ItemKind): StreamFilters {
  const ofKind = { kind: { S: [kind] } };
  return [{ dynamodb: { NewImage: ofKind } }, { dynamodb: { OldImage: ofKind } }];
}

/**
 * What may be news for webhooks: posts that have settled, accounts at the moment when they expire, and what people write;
 * taps on our own buttons are none.
 */
export const webhookNews: StreamFilters = [
  {
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { NewImage: { kind: { S: ['post'] }, settledResult: { S: [{ exists: true }] } } },
  },
  {
    eventName: ['MODIFY'],
    dynamodb: {
      NewImage: { kind: { S: ['account'] }, status: { S: ['expired'] } },
      OldImage: { status: { S: [{ 'anything-but': ['expired'] }] } },
    },
  },
  { eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['inboundComment'] } } } },
  {
    eventName: ['INSERT'],
    dynamodb: { NewImage: { kind: { S: ['inboundMessage'] }, payload: { S: [{ exists: false }] } } },
  },
];
