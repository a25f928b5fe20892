import type { TestedBug } from '../planted-bug.ts';

/** Bugs of webhooks: their events, deliveries and endpoints. */
export const deliveryBugs = {
  'an attempt is recorded whatever its number is': {
    patches: [
      {
        file: 'lib/webhooks/deliveries/store.ts',
        replace: 'const asRead = ({ status, attemptNumber }: Delivery) => ({ status, attemptNumber });',
        with: 'const asRead = ({ status }: Delivery) => ({ status });',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/record-together.test.ts',
      'are recorded although the response was lost and the SDK has repeated the write',
    ],
  },
  'a known event counts as delivered': {
    patches: [
      {
        file: 'lib/webhooks/announce.ts',
        replace:
          'return (await Promise.all(deliveries.map((delivery) => storeIfAbsent(table, delivery)))).flat();',
        with: 'return [];',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/announce.test.ts',
      'loses nothing if the process crashes at any step and it is repeated',
    ],
  },
  'the lost message of the next attempt is not sent again': {
    patches: [
      {
        file: 'lib/webhooks/deliveries/deliver.ts',
        replace: "return wasLost && (await sendNext(ports, delivery)) ? 'message resent' : 'dropped';",
        with: "return wasLost ? 'dropped' : 'dropped';",
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/deliver.test.ts',
      'between its write and the next message has that message sent by the redelivered one',
    ],
  },
  'a former secret signs for ever': {
    patches: [
      {
        file: 'lib/webhooks/deliveries/deliver.ts',
        replace:
          'const isOverlap = previousSecretUntil !== undefined && now() < Date.parse(previousSecretUntil);',
        with: 'const isOverlap = previousSecretUntil !== undefined && now() > 0;',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/deliver.test.ts',
      'signs together with the new one until its time is over',
    ],
  },
  'a duplicate message of an attempt multiplies all later ones': {
    patches: [
      {
        file: 'lib/webhooks/deliveries/deliver.ts',
        replace: 'const wasLost = isAgain && message.attemptNumber < delivery.attemptNumber;',
        with: 'const wasLost = message.attemptNumber < delivery.attemptNumber;',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/deliver.test.ts',
      'is not assumed for a duplicate message that comes after the attempt',
    ],
  },
  'an unfinished attempt in the main lane counts as failed': {
    patches: [
      {
        file: 'lib/webhooks/deliveries/deliver.ts',
        replace: "if (lane === 'main' && isUnfinished(outcome))",
        with: "if (lane === 'slow' && isUnfinished(outcome) && false)",
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/lanes.test.ts',
      'an endpoint of a batch that hangs does not keep the others of later batches waiting',
    ],
  },
  'an endpoint of some accounts gets the events of all': {
    patches: [
      {
        file: 'lib/webhooks/announce.ts',
        replace:
          'return accountIds === undefined || draft.accountIds.some((accountId) => accountIds.includes(accountId));',
        with: 'return accountIds === undefined || draft.accountIds.length > 0;',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/announce.test.ts',
      'sends an event about two accounts to an endpoint that asks for',
    ],
  },
  'an endpoint that was edited during a failing attempt is disabled': {
    patches: [
      {
        file: 'lib/webhooks/endpoints/health.ts',
        replace:
          'const asRead = { isActive: true, version: endpoint.version, ...(failingSince && { failingSince }) };',
        with: 'const asRead = { isActive: true };',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/deliver.test.ts',
      'is not disabled by a response to its old URL if the owner changes it during the attempt',
    ],
  },
  'a receiver that asks for a pause is called as usual': {
    patches: [
      {
        file: 'lib/webhooks/deliveries/retry-schedule.ts',
        replace: 'return Math.round(Math.max(jitteredMs, askedMs));',
        with: 'return Math.round(Math.max(jitteredMs, 0 * askedMs));',
      },
    ],
    caughtBy: [
      'test/lib/webhooks/deliveries/retry-schedule.test.ts',
      'is never shorter than the receiver asks, nor more than a tenth off its gap',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
