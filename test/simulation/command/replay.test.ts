import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { scenarioOf, startMs } from '../scenario/history.ts';
import type { Scenario } from '../scenario/plan.ts';
import type { StoryEntry } from '../story.ts';
import { StoryPrinter } from './replay.ts';
import { relativeTime, scenarioLines, storyNames } from './scenario.ts';

const workspaceId = '019ca945-0a00-70ff-88b9-48081d2f4a00';
const accountId = '019ca945-0a00-70ff-88b9-48081d2f4a01';

const scenario: Scenario = {
  world: {
    seed: 9,
    startMs,
    faults: { crash: 0.0123 },
    faultsEndMs: startMs + 60 * minuteMs,
    outages: [{ of: 'queue', fromMs: startMs, untilMs: startMs + minuteMs }],
    clockSkewMs: 2_000,
    rollout: { fromMs: startMs, untilMs: startMs + 5 * minuteMs },
  },
  deployment: { workers: 3, redelivers: false },
  workspaces: [
    {
      accounts: [
        { platform: 'instagram', rhythm: { gapMinutes: 7 } },
        { platform: 'linkedin', as: 'member' },
      ],
      hasWebhook: true,
      posts: [
        {
          name: 'post',
          atMs: startMs + 1_500,
          due: startMs + 2 * minuteMs,
          targets: [{ account: 0 }, { account: 1, hasOwnText: true, dueMs: startMs + 3 * minuteMs }],
          chain: [{ kind: 'followUp', account: 1, afterMinutes: 3 }],
          actions: [
            { kind: 'edit', atMs: startMs + minuteMs, targets: [{ account: 1 }] },
            { kind: 'delete', atMs: startMs + 2 * minuteMs },
          ],
        },
      ],
      disconnects: [{ account: 0, atMs: startMs + minuteMs, againMs: startMs + 2 * minuteMs }],
      comments: [
        {
          account: 0,
          name: 'w0 comments',
          automationAfterMs: 1_000,
          replies: true,
          writes: true,
          isGated: false,
          buttons: 'everywhere',
          comments: [],
        },
      ],
    },
    {
      accounts: [{ platform: 'instagram' }],
      hasWebhook: false,
      posts: [
        { name: 'other', atMs: startMs, due: 'auto', targets: [{ account: 0 }], chain: [], actions: [] },
      ],
      disconnects: [],
      comments: [],
    },
  ],
};
const names = storyNames(scenario);
names.learn({
  names: { [workspaceId]: 'workspace-1', [accountId]: 'instagram-1', 'urn:li:person:9': 'linkedin-1' },
});

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
      'workspace-1: instagram-1 (a slot every 7 minutes), linkedin-1 (member), a webhook endpoint',
      '+00:01.500 a client creates "post" for instagram-1, linkedin-1 (own text, due +03:00.000); due +02:00.000; ' +
        'followUp on linkedin-1 3 minutes later',
      '  +01:00.000 edit: for linkedin-1',
      '  +02:00.000 delete',
      '+01:00.000 somebody disconnects instagram-1 and connects it again at +02:00.000',
      expect.stringContaining('"w0 comments" answers 0 comments on an earlier post of instagram-1'),
      'workspace-2: instagram-2',
      '+00:00.000 a client creates "other" for instagram-2; due in the next free slot',
      'at most 3 workers for each queue',
      'the queues repeat no message',
      'the clocks of processes are off by up to 2000 ms',
      'the next release is deployed from +00:00.000 to +05:00.000',
      'faults until +1:00:00.000: crash 1.2 %',
      'outage of queue from +00:00.000 to +01:00.000',
    ]);
  });

  it('is described with fields that have no text of their own', () => {
    const more = { ...scenario, world: { ...scenario.world, windMs: 30 }, quotas: [{ of: accountId }] };
    expect(scenarioLines(more, names).slice(-2)).toEqual(['windMs 30', 'quotas [{"of":"instagram-1"}]']);
  });
});

describe('a story', () => {
  it('has the time since the start, the actor, what happened, and how it ended', () => {
    const atMs = startMs + 133_250;
    const entry = {
      atMs,
      actor: 'publish #3',
      kind: 'call',
      text: `writes ${accountId}`,
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

  it('takes the names of ids from its entries', () => {
    const id = '019ca945-0a00-70ff-88b9-48081d2f4a99';
    const commit = {
      actor: 'api',
      kind: 'commit',
      text: `the post ${id}: scheduled`,
      names: { [id]: 'w0p0' },
    } as const;
    expect(tell([commit])).toEqual(['+00:00.000 api COMMIT the post w0p0: scheduled']);
    expect(names.in('a post of urn:li:person:9')).toBe('a post of linkedin-1');
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
