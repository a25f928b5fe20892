import { beforeAll, describe, expect, it } from 'vitest';
import { readDay } from '../../../lib/daily-limits/read.ts';
import { settlePlace } from '../../../lib/daily-limits/settle.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { deleteItem } from '../../../lib/table/items.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { TargetChanges } from '../../../lib/targets/store.ts';
import { changeTarget, startMs, storePost } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const [first, second] = ['2026-03-02', '2026-03-03'] as const;
const noon = (day: string) => `${day}T12:00:00.000Z`;
const timeZone = 'UTC';

/** A target that is planned for the first day, and what the table says about it. */
async function openTarget() {
  const { targets } = await storePost(table, newId(startMs), [
    { platform: 'youtube', accountId: newId(startMs), scheduledFor: noon(first), wakeAt: noon(first) },
  ]);
  let target = targets[0] as Target;
  const settle = async (days: readonly string[] = [first, second], on = table) => {
    for (const day of days) await settlePlace(on, { ...target, day, timeZone });
  };
  /** The days in which it has a place; `used` after those that are. */
  const places = async () => {
    const found: string[] = [];
    for (const day of [first, second]) {
      const listed = await readDay(table, { platform: 'youtube', day, posts: 100 }, target.workspaceId);
      const own = listed.filter(({ postId }) => postId === target.postId);
      found.push(...own.map(({ isUsed }) => (isUsed ? `${day} used` : day)));
    }
    return found;
  };
  const change = async (changes: TargetChanges) => {
    target = await changeTarget(table, target, changes);
  };
  const moveTo = (day: string) => change({ scheduledFor: noon(day), wakeAt: noon(day) });
  const remove = () => deleteItem(table, targetKey(target.workspaceId, target.postId, target.accountId), {});
  return { settle, places, change, moveTo, remove };
}

describe('the place of a destination', () => {
  it('is taken, used, and kept once it is used, however often this is settled', async () => {
    const { settle, places, change, remove } = await openTarget();
    for (const _time of [1, 2]) await settle();
    expect(await places()).toEqual([first]);
    await change({ preparation: { session: 'x' } });
    for (const _time of [1, 2]) await settle();
    expect(await places()).toEqual([`${first} used`]);
    await change({ status: 'failed', wakeAt: null, problem: { code: 'platform_rejected', text: 'no' } });
    await settle();
    expect(await places()).toEqual([`${first} used`]);
    await remove();
    await settle();
    expect(await places()).toEqual([`${first} used`]);
  });

  it('moves with its destination', async () => {
    const { settle, places, moveTo } = await openTarget();
    await settle();
    await moveTo(second);
    await settle();
    expect(await places()).toEqual([second]);
    await moveTo(first);
    await settle([second, first]);
    expect(await places()).toEqual([first]);
  });

  it('stays used if its destination moves to another day, where it takes another', async () => {
    const { settle, places, change, moveTo } = await openTarget();
    await change({ preparation: { session: 'x' } });
    await settle();
    await change({ preparation: null });
    await moveTo(second);
    await settle();
    expect(await places()).toEqual([`${first} used`, second]);
    await moveTo(first);
    await settle();
    expect(await places()).toEqual([`${first} used`]);
  });

  it.each<[string, (opened: Awaited<ReturnType<typeof openTarget>>) => Promise<unknown>]>([
    [
      'fails before it begins',
      ({ change }) =>
        change({ status: 'failed', wakeAt: null, problem: { code: 'platform_rejected', text: 'no' } }),
    ],
    ['becomes a draft', ({ change }) => change({ status: 'draft', wakeAt: null })],
    ['is deleted', ({ remove }) => remove()],
  ])('goes when its destination %s', async (_what, end) => {
    const opened = await openTarget();
    await opened.settle();
    await end(opened);
    await opened.settle();
    expect(await opened.places()).toEqual([]);
  });
});

type Opened = Awaited<ReturnType<typeof openTarget>>;
const prepare = ({ change }: Opened) => change({ preparation: { session: 'x' } });
const startAgain = ({ change }: Opened) => change({ preparation: null, scheduledFor: noon(first) });
const leave = ({ moveTo }: Opened) => moveTo(second);
const back = ({ moveTo }: Opened) => moveTo(first);

/** Races: the events before, the events in between with their own settling, and the expected places at the end. */
const races: [
  string,
  ((opened: Opened) => Promise<unknown>)[],
  ((opened: Opened) => Promise<unknown>)[],
  string[],
][] = [
  ['the destination leaves the day', [], [leave], [second]],
  ['the destination comes to the day', [leave], [back], [first]],
  ['the destination leaves and comes back', [], [leave, back], [first]],
  ['the destination is deleted', [], [({ remove }) => remove()], []],
  ['the destination begins', [], [prepare], [`${first} used`]],
  ['the destination begins and is edited', [], [prepare, startAgain], [`${first} used`]],
];

describe('an old request to settle a place', () => {
  it.each(races)(
    'changes nothing that is newer if, in the middle of it, %s',
    async (_what, before, during, end) => {
      for (const settled of ['never', 'first', 'last']) {
        for (let moment = 1; moment <= 3; moment += 1) {
          const opened = await openTarget();
          if (settled === 'first') await opened.settle();
          for (const step of before) await step(opened);
          if (settled === 'last') await opened.settle();
          let requests = 0;
          const { counted } = countRequests({ table } as Parameters<typeof countRequests>[0], async () => {
            requests += 1;
            if (requests !== moment) return;
            for (const step of during) {
              await step(opened);
              await opened.settle();
            }
          });
          await opened.settle([first], counted.table);
          if (requests < moment) {
            for (const step of during) await step(opened);
            await opened.settle();
          }
          expect(await opened.places(), `before request ${moment}, settled ${settled}`).toEqual(end);
        }
      }
    },
  );
});
