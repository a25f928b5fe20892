import { describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { drawAccounts } from '../accounts.ts';
import { startMs } from '../scenario/history.ts';
import { type Scenario, scenarioOf } from '../simulate.ts';
import type { StoryEntry } from '../story.ts';
import { seededRandom } from '../world/random.ts';
import { entryOfLine } from './line-entry.ts';
import { scenarioLines } from './scenario-text.ts';
import { StoryPrinter } from './story-lines.ts';
import { relativeTime, storyNames } from './story-names.ts';

const accounts = drawAccounts(seededRandom(1), ['instagram', 'youtube', 'instagram'], startMs);
const [first, , third] = accounts.map(({ id }) => id);
const workspaceId = accounts[0]?.workspaceId ?? '';

const scenario: Scenario = {
  world: {
    seed: 9,
    startMs,
    faults: { crash: 0.0123 },
    faultsEndMs: startMs + 60 * minuteMs,
    outages: [{ of: 'queue', fromMs: startMs, untilMs: startMs + minuteMs }],
  },
  workspaces: [accounts],
  posts: [
    {
      workspaceId,
      name: 'post',
      content: 'post at first',
      atMs: startMs + 1_500,
      body: {
        platforms: [{ accountId: first }, { accountId: third, customContent: 'own' }],
        chain: [{ kind: 'followUp', accountIds: [third], afterMinutes: 3 }],
        scheduledFor: toTimestamp(startMs + 2 * minuteMs),
      },
      actions: [{ kind: 'edit', atMs: startMs + minuteMs, content: 'edited', patch: {} }],
    },
  ],
};
const names = storyNames(scenario);

function tell(entries: readonly (Omit<StoryEntry, 'atMs'> & { readonly atMs?: number })[], all = false) {
  const lines: string[] = [];
  const printer = new StoryPrinter({ names, all, colour: false, print: (line) => lines.push(line) });
  for (const entry of entries) printer.tell({ atMs: startMs, ...entry });
  printer.end();
  return lines.map((line) => line.trim().replaceAll(/ +/g, ' '));
}

const read = (actor: string): Omit<StoryEntry, 'atMs'> => ({ actor, kind: 'call', text: 'reads the target' });

describe('a scenario', () => {
  it('survives JSON, so that it can be saved and replayed', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const drawn = scenarioOf(seed);
      expect(JSON.parse(JSON.stringify(drawn))).toEqual(drawn);
    }
  });

  it('is described in words', () => {
    expect(scenarioLines(scenario, names)).toEqual([
      'random seed of the world: 9',
      'workspace-1: instagram-1, youtube-1, instagram-2',
      '+00:01.500 a client creates "post at first" for instagram-1, instagram-2 (customContent "own"); due +02:00.000; ' +
        'chain {"kind":"followUp","accountIds":["instagram-2"],"afterMinutes":3}',
      '  +01:00.000 edit content "edited"',
      'faults until +1:00:00.000: crash 1.2 %',
      'outage of queue from +00:00.000 to +01:00.000',
    ]);
  });

  it('is described with fields that have no text of their own', () => {
    const more = { ...scenario, world: { ...scenario.world, clockSkewMs: 30 }, quotas: [{ of: first }] };
    expect(scenarioLines(more, names).slice(-2)).toEqual(['clockSkewMs 30', 'quotas [{"of":"instagram-1"}]']);
  });
});

describe('a story', () => {
  it('has the time since the start, the actor, what happened, and how it ended', () => {
    const atMs = startMs + 133_250;
    const entry = {
      atMs,
      actor: 'publish #3',
      kind: 'call',
      text: `writes ${first}`,
      outcome: 'throttled',
    } as const;
    expect(tell([entry])).toEqual(['+02:13.250 publish #3 writes instagram-1 → throttled']);
  });

  it('folds consecutive calls that succeed', () => {
    const sends = { actor: 'publish #3', kind: 'call', text: 'sends a message' } as const;
    const live = { actor: 'platform instagram', kind: 'live', text: 'shows the post' } as const;
    expect(
      tell([read('relay'), read('relay'), read('sweep'), live, read('relay'), read('relay'), sends]),
    ).toEqual([
      '+00:00.000 … 3 reads by relay, sweep',
      '+00:00.000 platform instagram LIVE shows the post',
      '+00:00.000 … 3 calls (2 reads, 1 sends) by relay, publish #3',
    ]);
  });

  it('prints a few calls instead of folding them, and all calls if asked to', () => {
    expect(tell([read('relay'), read('relay')])).toHaveLength(2);
    expect(
      tell(
        Array.from({ length: 5 }, () => read('relay')),
        true,
      ),
    ).toHaveLength(5);
  });

  it('marks commits, live posts and violations', () => {
    const entries = (['commit', 'live', 'violation'] as const).map((kind) => ({
      actor: 'a',
      kind,
      text: 'b',
    }));
    expect(tell(entries)).toEqual([
      '+00:00.000 a COMMIT b',
      '+00:00.000 a LIVE b',
      '+00:00.000 a VIOLATION b',
    ]);
  });

  it('has colours only if the output shows them', () => {
    const lines: string[] = [];
    const printer = new StoryPrinter({ names, all: false, colour: true, print: (line) => lines.push(line) });
    printer.tell({ atMs: startMs, actor: 'a', kind: 'violation', text: 'b' });
    expect(lines.join()).toContain('\x1b[31m');
    expect(tell([{ actor: 'a', kind: 'violation', text: 'b' }]).join()).not.toContain('\x1b');
  });

  it('shortens ids that have no name', () => {
    expect(names.in(`post 019ca945-0a00-70ff-88b9-48081d2f4a3f of ${workspaceId}`)).toBe(
      'post …2f4a3f of workspace-1',
    );
  });

  it.each([
    [0, '+00:00.000'],
    [133_250.9, '+02:13.250'],
    [36_133_250, '+10:02:13.250'],
    [-1_500, '-00:01.500'],
  ])('writes %d ms as %s', (milliseconds, text) => {
    expect(relativeTime(milliseconds)).toBe(text);
  });
});

describe('a line of the trace', () => {
  it.each([
    ['#1 create: GetItem POST', { actor: 'create', kind: 'call', text: 'reads (GetItem POST)' }],
    ['#9 edit: TransactWriteItems', { kind: 'commit', text: 'writes (TransactWriteItems)' }],
    ['#9 edit: UpdateItem POST -> Error: no', { kind: 'call', outcome: 'Error: no' }],
    ['#9 publish pauses before: UpdateItem POST', { actor: 'publish', kind: 'fault' }],
    ['platform: live-1 is live for x: text', { actor: 'platform', kind: 'live' }],
    ['VIOLATION x went live twice', { kind: 'violation', text: 'x went live twice' }],
  ])('"%s" becomes an entry', (line, entry) => {
    expect(entryOfLine(`${toTimestamp(startMs)} ${line}`)).toMatchObject({ atMs: startMs, ...entry });
  });
});
