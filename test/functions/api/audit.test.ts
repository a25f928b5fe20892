import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ActorReference } from '../../../lib/access/actor.ts';
import type { Verb } from '../../../lib/access/verbs.ts';
import { auditPart, recordRefusal } from '../../../lib/audit/record.ts';
import { type AuditEntry, auditDays } from '../../../lib/audit/schemas.ts';
import { auditPages, queryAudit } from '../../../lib/audit/store.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { keyDigestKey, workspaceKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { checkPart, transact } from '../../../lib/table/transaction.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';
import { auditLogOf, emptyAuditLog } from '../../support/audit-log.ts';
import { openWorkspace } from '../../support/builders.ts';
import { aPerson } from '../../support/members.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

interface Written {
  readonly now: number;
  readonly verb?: Verb;
  readonly actor?: ActorReference;
}

const someone: ActorReference = { kind: 'operator', id: 'someone' };
const entriesIn = ({ body }: Answer) => body['entries'] as AuditEntry[];
const subjectsIn = (answer: Answer) => entriesIn(answer).map(({ subjectId }) => subjectId);

/** A transaction may have as many items. */
const perTransaction = 100;

/** Appends entries whose subjects are their positions. */
async function append(workspaceId: string, written: readonly Written[]): Promise<void> {
  const parts = written.map(({ now, verb = 'post.create', actor = someone }, position) =>
    auditPart({ table, workspaceId, actor, verb, requestId: 'r', now }, String(position)),
  );
  for (let done = 0; done < parts.length; done += perTransaction)
    await transact(table, parts.slice(done, done + perTransaction));
}

async function openLog(written: readonly Written[]) {
  const { apiKey, context } = await openWorkspace(table);
  const { workspaceId } = context;
  await emptyAuditLog(table, workspaceId);
  await append(workspaceId, written);
  const list = (query: Readonly<Record<string, string>> = {}) =>
    call('audit-list', { apiKey, query: new URLSearchParams(query).toString() });
  return { workspaceId, apiKey, list };
}

const nowMs = Date.now();
const at = (secondsAgo: number) => nowMs - secondsAgo * 1_000;

describe('the audit log', () => {
  it('lists the newest entry first, page by page', async () => {
    const { list } = await openLog([at(50), at(40), at(30), at(20), at(10)].map((now) => ({ now })));
    const first = await list({ limit: '2' });
    expect(subjectsIn(first)).toEqual(['4', '3']);
    const second = await list({ limit: '2', cursor: String(first.body['nextCursor']) });
    expect(subjectsIn(second)).toEqual(['2', '1']);
    const third = await list({ limit: '2', cursor: String(second.body['nextCursor']) });
    expect([subjectsIn(third), third.body['nextCursor']]).toEqual([['0'], null]);
  });

  it('shows an entry as it was stored, without the attributes of the table', async () => {
    const { list } = await openLog([{ now: at(10), verb: 'post.edit' }]);
    expect(entriesIn(await list())).toEqual([
      {
        id: expect.any(String),
        at: toTimestamp(at(10)),
        actor: someone,
        verb: 'post.edit',
        subjectId: '0',
        requestId: 'r',
        outcome: 'done',
      },
    ]);
  });

  it('includes `from` and excludes `to`, to the millisecond', async () => {
    const times = [0, 1, 2, 3].map((ms) => at(60) + ms);
    const { list } = await openLog(times.map((now) => ({ now })));
    const query = { from: toTimestamp(at(60) + 1), to: toTimestamp(at(60) + 3) };
    expect(subjectsIn(await list(query))).toEqual(['2', '1']);
    expect(subjectsIn(await list({ ...query, from: '0001-01-01T00:00:00Z' }))).toEqual(['2', '1', '0']);
    expect(subjectsIn(await list({ to: '1999-01-01T00:00:00Z' }))).toEqual([]);
    expect(subjectsIn(await list({ from: '9999-12-31T23:59:59+00:00' }))).toEqual([]);
  });

  it('filters by actor and verb, and reads on until the page is full', async () => {
    const key: ActorReference = { kind: 'key', id: newId(0) };
    const written = Array.from({ length: 12 }, (_, index) => ({
      now: at(100 - index),
      ...(index % 4 === 0 && { actor: key }),
      ...(index % 3 === 0 && { verb: 'media.delete' as const }),
    }));
    const { list } = await openLog(written);
    expect(subjectsIn(await list({ actor: key.id, limit: '2' }))).toEqual(['8', '4']);
    expect(subjectsIn(await list({ verb: 'media.delete' }))).toEqual(['9', '6', '3', '0']);
    expect(subjectsIn(await list({ verb: 'media.delete', actor: key.id }))).toEqual(['0']);
    expect(subjectsIn(await list({ verb: 'key.revoke' }))).toEqual([]);
  });

  it('shows what persons did, and finds it by the id of the person, in any case', async () => {
    const ada: ActorReference = { kind: 'person', id: '5f1d7a84-09cd-8a6c-9a3e-0c4ff8f4a101' };
    const bob: ActorReference = { kind: 'person', id: '6b0e5a1c-1d2c-8f6a-bc3e-0c4ff8f4a102' };
    const { list, workspaceId } = await openLog([
      { now: at(50), verb: 'member.invite', actor: ada },
      { now: at(40), verb: 'key.create', actor: bob },
      { now: at(30), verb: 'post.create', actor: ada },
    ]);
    const actor = aPerson({ id: ada.id, role: 'member' });
    const refused = { table, workspaceId, actor, verb: 'key.create', requestId: 'r', now: at(20) } as const;
    await recordRefusal(refused, 'this needs the role "owner" (key.create)');
    for (const id of [ada.id, ada.id.toUpperCase()]) {
      const found = await list({ actor: id });
      expect(entriesIn(found)).toMatchObject([
        { verb: 'post.create', actor: ada },
        { verb: 'member.invite', actor: ada },
        // Refusals are where their hour begins.
        { verb: 'key.create', outcome: 'refused', actor: ada, count: 1, lastAt: toTimestamp(at(20)) },
      ]);
      // Nothing of the session, and no role.
      for (const entry of entriesIn(found)) expect(entry.actor).toEqual(ada);
    }
    expect(subjectsIn(await list({ actor: bob.id, verb: 'key.create' }))).toEqual(['1']);
  });

  it('reads at most ten pages, so a page may be empty although more follow', async () => {
    const written = Array.from({ length: 12 }, (_, index) => ({
      now: at(100 - index),
      ...(index === 0 && { verb: 'media.delete' as const }),
    }));
    const { list } = await openLog(written);
    const first = await list({ verb: 'media.delete', limit: '1' });
    expect([subjectsIn(first), first.body['nextCursor']]).toEqual([[], expect.any(String)]);
    const cursor = String(first.body['nextCursor']);
    expect(subjectsIn(await list({ verb: 'media.delete', limit: '1', cursor }))).toEqual(['0']);
  });

  it('hides an entry once its 400 days are over, whether or not the table has removed it', async () => {
    const { workspaceId } = await openLog([{ now: nowMs }, { now: nowMs + 5 }]);
    const later = nowMs + auditDays * dayMs;
    const seen = async (now: number) =>
      (await queryAudit(table, workspaceId, { limit: 10, now })).entries.map(({ subjectId }) => subjectId);
    expect(await seen(later - 1)).toEqual(['1', '0']);
    expect(await seen(later)).toEqual(['1']);
    expect(await seen(later + 5)).toEqual([]);
    expect(await auditLogOf(table, workspaceId)).toHaveLength(2);
  });

  it('ends, without a request, after an entry that has expired since: DynamoDB rejects a start outside the range', async () => {
    const { workspaceId } = await openLog([{ now: nowMs }, { now: nowMs + 5 }]);
    const first = await queryAudit(table, workspaceId, { limit: 1, now: nowMs });
    const refusing = { ...table, client: { send: () => Promise.reject(new Error('a request')) } };
    const query = { limit: 1, now: nowMs + 6 + auditDays * dayMs, afterEntryId: first.lastEntryId };
    const page = await queryAudit(refusing as unknown as Table, workspaceId, query);
    expect(page).toEqual({ entries: [], lastEntryId: undefined });
  });

  it.each([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-03-01' }, 'to'],
    [{ from: '2026-03-01T12:00:00Z', to: '2026-03-01T13:00:00+01:00' }, 'to'],
    [{ verb: 'post.paint' }, 'verb'],
    [{ actor: '' }, 'actor'],
    [{ limit: '501' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
  ])('rejects %j, naming the field', async (query, field) => {
    const { list } = await openLog([]);
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(Object.keys((body['details'] as { fields: object }).fields)).toEqual([field]);
  });

  it('rejects the cursor of other filters and of another workspace', async () => {
    const one = await openLog([{ now: at(2) }, { now: at(1) }]);
    const other = await openLog([]);
    const cursor = String((await one.list({ limit: '1' })).body['nextCursor']);
    expect((await one.list({ cursor, verb: 'post.create' })).status).toBe(400);
    expect((await other.list({ cursor })).status).toBe(400);
    expect(subjectsIn(await other.list())).toEqual([]);
  });

  it('is not for keys that are limited to some accounts, and asking leaves no entry', async () => {
    const { list, apiKey, workspaceId } = await openLog([]);
    const set = { accountIds: [newId(0)] };
    await updateItem(table, keyDigestKey(apiKeyDigest(apiKey)), { set, if: { pk: present } });
    expect((await list()).status).toBe(403);
    expect(await auditLogOf(table, workspaceId)).toEqual([]);
  });

  it('is exported whole, oldest first', async () => {
    const { workspaceId } = await openLog([]);
    const written = Array.from({ length: 501 }, (_, index) => ({ now: at(1_000) + index }));
    await append(workspaceId, written);
    const pages: AuditEntry[][] = [];
    for await (const page of auditPages(table, workspaceId, { now: nowMs })) pages.push(page);
    expect(pages.map(({ length }) => length)).toEqual([500, 1]);
    expect(pages.flat().map(({ subjectId }) => Number(subjectId))).toEqual([...written.keys()]);
  });
});

describe('an entry', () => {
  it('is not stored if the transaction of its change fails', async () => {
    const { context } = await openWorkspace(table);
    const impossible = checkPart(table, workspaceKey(context.workspaceId), { name: 'another name' });
    const outcome = await transact(table, [impossible, auditPart(context, 'x')]);
    expect(outcome).toMatchObject({ committed: false, failedIndex: 0 });
    expect(await auditLogOf(table, context.workspaceId)).toEqual([]);
  });
});

it('pages of any size, with any filter, show the same entries as one page', async () => {
  const actors = ['a', 'b'].map((id): ActorReference => ({ kind: 'operator', id }));
  const oneEntry = fc.record({
    now: fc.integer({ min: at(3_600), max: at(0) }),
    verb: fc.constantFrom<Verb>('post.create', 'media.delete'),
    actor: fc.constantFrom(...actors),
  });
  const filters = fc.record(
    { actor: fc.constantFrom('a', 'b'), verb: fc.constantFrom('post.create', 'media.delete') },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(oneEntry, { maxLength: 12 }),
      filters,
      fc.integer({ min: 1, max: 5 }),
      async (written, filter, limit) => {
        const { list } = await openLog(written);
        const whole = entriesIn(await list({ ...filter, limit: '500' }));
        const paged: AuditEntry[] = [];
        for (let cursor: unknown = ''; cursor !== null; ) {
          const answer = await list({
            ...filter,
            limit: String(limit),
            ...(cursor ? { cursor: String(cursor) } : {}),
          });
          expect(entriesIn(answer).length).toBeLessThanOrEqual(limit);
          paged.push(...entriesIn(answer));
          cursor = answer.body['nextCursor'];
        }
        expect(paged).toEqual(whole);
        const matching = written.filter(
          ({ actor, verb }) => (filter.actor ?? actor.id) === actor.id && (filter.verb ?? verb) === verb,
        );
        expect(whole.map(({ at: time }) => Date.parse(time))).toEqual(
          matching.map(({ now }) => now).sort((left, right) => right - left),
        );
      },
    ),
    { numRuns: 12 },
  );
});
