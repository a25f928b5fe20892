import { beforeEach, describe, expect, it } from 'vitest';
import { endConnection } from '../../../lib/accounts/connection-store.ts';
import { dayMs } from '../../../lib/kernel/clock.ts';
import type { ApiVersion } from '../../../lib/platforms/contract/api-versions.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { getItem } from '../../../lib/table/items.ts';
import { versionNoticeKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { eventsFromChange } from '../../../lib/webhooks/events/events-from-changes.ts';
import { tellOfEndingVersions } from '../../../lib/webhooks/version-notices.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture, platform } from '../../support/connecting.ts';

const sunsetOn = '2027-09-15';
const endMs = Date.parse(sunsetOn);

let fixture: ConnectingFixture;
let table: Table;
let reported: string[];
let versions: Partial<Record<Platform, ApiVersion>>;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  ({ table } = fixture.context());
  fixture.authorization.answers.exchange = async () => [connectable('UC1', fixture.clock.time)];
  reported = [];
  versions = { [platform]: { name: 'v3', sunsetOn } };
});

const tell = (deadlineMs = Number.POSITIVE_INFINITY) =>
  tellOfEndingVersions(
    {
      table,
      now: () => fixture.clock.time,
      versionOf: async (of) => versions[of],
      report: (message) => reported.push(message),
    },
    deadlineMs,
  );
const at = (daysBefore: number) => {
  fixture.clock.time = endMs - daysBefore * dayMs;
};
const noticeOf = (workspaceId: string) => getItem(table, versionNoticeKey(workspaceId, platform, 'v3'));

describe('the end of a version', () => {
  it('is told sixty days before, once to each workspace with accounts of the platform', async () => {
    const { id, workspaceId } = await fixture.connect();
    const other = await fixture.addWorkspace('other');
    const theirs = await fixture.connect(other);
    const without = await fixture.addWorkspace('without');
    at(60.5);
    expect(await tell()).toBe(0);
    at(60);
    expect(await tell()).toBe(2);
    expect(await noticeOf(workspaceId)).toMatchObject({ endsOn: sunsetOn, accountIds: [id] });
    expect(await noticeOf(other)).toMatchObject({ accountIds: [theirs.id] });
    expect(await noticeOf(without)).toBeUndefined();
    for (const days of [60, 59, 30, 1]) {
      at(days);
      expect(await tell()).toBe(0);
    }
    expect(reported).toEqual([]);
  });

  it('is told later to a workspace that connects an account later, on the next day', async () => {
    at(50);
    expect(await tell()).toBe(0);
    const { workspaceId } = await fixture.connect();
    expect(await tell()).toBe(0);
    at(49);
    expect(await tell()).toBe(1);
    expect(await noticeOf(workspaceId)).toBeDefined();
  });

  it.each<[string, Partial<Record<Platform, ApiVersion>>]>([
    ['the operator has moved the stage to a version without a known end', { [platform]: { name: 'v4' } }],
    ['the operator’s version ends later', { [platform]: { name: 'v4', sunsetOn: '2028-09-15' } }],
    ['the stage does not offer the platform', {}],
    ['it has come already', { [platform]: { name: 'v3', sunsetOn: '2027-06-01' } }],
  ])('is not told if %s', async (_when, chosen) => {
    await fixture.connect();
    versions = chosen;
    at(30);
    expect(await tell()).toBe(0);
  });

  it('is not told about accounts that are disconnected', async () => {
    const account = await fixture.connect();
    await endConnection(table, account, noon);
    at(30);
    expect(await tell()).toBe(0);
  });

  it('is told by a later run, on the same day, if the time of one has ended', async () => {
    await fixture.connect();
    at(30);
    expect(await tell(fixture.clock.time)).toBe(0);
    expect(await tell()).toBe(1);
  });

  it('is told once by two runs at the same time', async () => {
    await fixture.connect();
    at(30);
    const told = await Promise.all([tell(), tell()]);
    expect(told.toSorted()).toEqual([0, 1]);
  });

  it('is an event about these accounts, the same each time that the stream delivers the notice', async () => {
    const { id, workspaceId } = await fixture.connect();
    at(30);
    await tell();
    const after = await noticeOf(workspaceId);
    const settings = { mediaBaseUrl: 'https://media', stageFeatures: {} };
    const change = { before: undefined, after, atMs: fixture.clock.time, sequenceNumber: '1' };
    const [event, ...others] = eventsFromChange(change, settings);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      workspaceId,
      type: 'platform.version.ending',
      accountIds: [id],
      data: { platform, version: 'v3', endsOn: sunsetOn, accountIds: [id] },
    });
    expect(eventsFromChange({ ...change, sequenceNumber: '2' }, settings)).toEqual([event]);
    expect(eventsFromChange({ ...change, before: after }, settings)).toEqual([]);
  });
});
