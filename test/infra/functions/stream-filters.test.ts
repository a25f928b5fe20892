import { marshall } from '@aws-sdk/util-dynamodb';
import { passesFilters } from '@herald/local-cloud/event-sources/event-filter.ts';
import { describe, expect, it } from 'vitest';
import { targetNews, webhookNews } from '../../../infra/functions/stream-filters.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { effectsOf } from '../../../lib/publishing/relay/effects.ts';
import { targetFromItem, targetItem } from '../../../lib/targets/item.ts';
import { eventsFromChange } from '../../../lib/webhooks/events/events-from-changes.ts';
import type { EventDraft } from '../../../lib/webhooks/events/store.ts';
import { WebhookEventType } from '../../../lib/webhooks/schemas.ts';
import { aTarget } from '../../support/builders.ts';
import { pathsIn, withValue } from '../../support/schema-paths.ts';
import { type Item, readStoredItems, type StoredExamples } from '../../support/stored-items.ts';

const mediaBaseUrl = 'https://media.example.com';
const settings = { mediaBaseUrl, stageFeatures: {} };
const when = { atMs: Date.parse('2026-03-01T12:00:00Z'), sequenceNumber: '1' };

/** Each example of a kind of item, and the example with each value of its enums. */
function itemsOf({ examples, values = {} }: StoredExamples): Item[] {
  const changed = Object.entries(values)
    .filter(([path]) => !/[.[]/.test(path) || path === 'targets[].status')
    .flatMap(([path, each]) =>
      each.flatMap((value) =>
        examples
          .filter((example) => pathsIn(example).has(path))
          .map((example) => withValue(example, path, value)),
      ),
    );
  return [...examples, ...changed];
}

interface CausedEvent {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly cause: EventDraft;
}

/** Every change between two items of the same kind, and every creation and deletion of one, that causes an event. */
const caused = Object.values(readStoredItems()).flatMap((stored) => {
  const items = [undefined, ...itemsOf(stored)];
  return items.flatMap((before) =>
    items.flatMap((after): CausedEvent[] => {
      const causes = eventsFromChange({ before, after, ...when }, settings);
      return causes.map((cause) => ({ before, after, cause }));
    }),
  );
});

/** `webhook.test` is no change of an item: the operation itself creates it. */
const types = WebhookEventType.options.filter((type) => type !== 'webhook.test');

describe.each(types)('the event %s', (type) => {
  const changes = caused.filter(({ cause }) => cause.type === type);

  it('is caused by a change of a stored item', () => {
    expect(changes.length).toBeGreaterThan(0);
  });

  it('has the same id and data if the stream repeats the change', () => {
    for (const { before, after, cause } of changes) {
      expect(eventsFromChange({ before, after, ...when }, settings)).toContainEqual(cause);
    }
  });

  it('is caused only by changes that pass the filter of the stream', () => {
    const dropped = changes.filter(({ before, after }) => {
      const eventName = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY';
      const dynamodb = {
        ...(before && { OldImage: marshall(before) }),
        ...(after && { NewImage: marshall(after) }),
      };
      return !passesFilters(webhookNews, { eventName, dynamodb });
    });
    expect(dropped).toEqual([]);
  });
});

describe('a change of a target', () => {
  const waiting = targetItem(aTarget());
  const held = { ...waiting, attempt: 2, leaseUntil: '2026-03-01T12:00:00.000Z', takes: 1 };
  const intended = { ...held, status: 'publishing' };

  it.each<[string, Item | undefined, Item | undefined, boolean]>([
    ['is stored', undefined, waiting, true],
    ['gets another wake', waiting, { ...waiting, wakeNumber: 2 }, true],
    ['is sent again by the sweep', waiting, { ...waiting, dueAt: '2026-03-01T13:00:00.000Z' }, true],
    ['is taken for the first time', waiting, held, false],
    ['is taken for the first time, with its intent', waiting, intended, false],
    ['is taken again after a crash', held, { ...held, takes: 2 }, true],
    ['goes live and is to be finished', intended, { ...intended, status: 'published' }, true],
    ['goes live', intended, { ...waiting, status: 'published' }, true],
    ['is deleted', waiting, undefined, true],
  ])('starts the relay if something may follow: it %s', (_what, before, after, isPassed) => {
    const eventName = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY';
    const dynamodb = {
      ...(before && { OldImage: marshall(before, { removeUndefinedValues: true }) }),
      ...(after && { NewImage: marshall(after, { removeUndefinedValues: true }) }),
    };
    expect(passesFilters(targetNews, { eventName, dynamodb })).toBe(isPassed);
    if (isPassed || !before || !after) return;
    expect(effectsOf(targetFromItem(before), targetFromItem(after), {})).toEqual([]);
  });
});

describe('an entry of the audit log', () => {
  const streams = workerFunctions.flatMap(({ name, trigger }) =>
    trigger.kind === 'table-stream' ? [[name, trigger.filters] as const] : [],
  );

  it.each(streams)('does not start %s, whether it is stored or expires', (_name, filters) => {
    const entries = itemsOf(readStoredItems()['auditEntry'] as StoredExamples);
    expect(entries.length).toBeGreaterThan(1);
    for (const entry of entries) {
      const image = marshall(entry);
      expect(passesFilters(filters, { eventName: 'INSERT', dynamodb: { NewImage: image } })).toBe(false);
      expect(passesFilters(filters, { eventName: 'REMOVE', dynamodb: { OldImage: image } })).toBe(false);
    }
  });

  it('is checked against every reader of the stream', () => {
    expect(streams.length).toBeGreaterThanOrEqual(2);
  });
});
