import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Measurement } from '../../../lib/metrics/measurements.ts';
import type { Table } from '../../../lib/table/table.ts';
import { announceChanges, newsOf } from '../../../lib/webhooks/announce.ts';
import type { EventDraft } from '../../../lib/webhooks/events/store.ts';
import type { WebhookMessage } from '../../../lib/webhooks/schemas.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { anEventDraft, createFixture, type Fixture } from './fixture.ts';

let table: Table;
let fixture: Fixture;
let reported: EventDraft[];
beforeEach(async () => {
  table = await createTestTable();
  fixture = createFixture(table);
  reported = [];
});

/**
 * Announces events that each have one subscriber.
 *
 * @param lost the places of the events whose messages the queue refuses
 */
async function announcing(changes: readonly (readonly EventDraft[])[], lost: readonly number[] = []) {
  const sendAll = async (messages: readonly WebhookMessage[]) =>
    new Set(messages.filter((_, index) => lost.includes(index)));
  const report = (draft: EventDraft) => void reported.push(draft);
  const news = changes.map((drafts, index) => ({ drafts, measurements: [measured(index)] }));
  return announceChanges({ ...fixture.ports, sendAll, report }, news);
}

const measured = (value: number): Measurement => ({ name: 'AccountsExpired', value, platform: 'threads' });
const done = (index: number) => ({ status: 'fulfilled', value: [measured(index)] });
const failed = { status: 'rejected', reason: expect.any(Error) };

describe('announcing several changes together', () => {
  it('announces all their events, and returns what each change measures', async () => {
    const workspaceId = newId(startMs);
    const endpoint = await fixture.endpoint(workspaceId);
    const changes = [2, 1].map((count) => Array.from({ length: count }, () => anEventDraft(workspaceId)));
    expect(await announcing(changes)).toEqual([done(0), done(1)]);
    const announced = (await fixture.deliveries(endpoint)).map(({ eventId }) => eventId);
    expect(announced.sort()).toEqual(
      changes
        .flat()
        .map(({ id }) => id)
        .sort(),
    );
    expect(reported).toEqual([]);
  });

  it.each<[string, number[], number[]]>([
    ['the first event', [0], [0]],
    ['the last event of a change', [2], [1]],
    ['both events of a change', [1, 2], [1]],
    ['events of two changes', [0, 3], [0, 2]],
  ])(
    'fails only the changes whose events failed, and reports each event: %s',
    async (_what, lost, failures) => {
      const workspaceId = newId(startMs);
      await fixture.endpoint(workspaceId);
      const drafts = Array.from({ length: 4 }, () => anEventDraft(workspaceId));
      const [a, b, c, d] = drafts as [EventDraft, EventDraft, EventDraft, EventDraft];
      const outcomes = await announcing([[a], [b, c], [d]], lost);
      expect(outcomes).toEqual([0, 1, 2].map((index) => (failures.includes(index) ? failed : done(index))));
      expect(reported).toEqual(drafts.filter((_, index) => lost.includes(index)));
    },
  );
});

it('has no news of a change that causes no event', () => {
  const change = { before: undefined, after: { kind: 'media' }, atMs: startMs, sequenceNumber: '1' };
  const settings = { mediaBaseUrl: 'https://media.example.com', stageFeatures: {} };
  expect(newsOf(change, settings)).toBeUndefined();
});
