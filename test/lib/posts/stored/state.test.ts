import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postLifeCycle, postStatus } from '../../../../lib/posts/stored/state.ts';
import { isSettled, PostStatus, targetLifeCycle } from '../../../../lib/targets/state.ts';

const states = PostStatus.options;
const targets = fc.array(fc.constantFrom(...states), { minLength: 1, maxLength: 6 });

describe('a post’s status follows from its targets:', () => {
  it.each<[PostStatus[], PostStatus]>([
    [[], 'draft'],
    [['draft'], 'draft'],
    [['draft', 'draft'], 'draft'],
    [['scheduled', 'scheduled'], 'scheduled'],
    [['publishing'], 'publishing'],
    [['scheduled', 'publishing'], 'publishing'],
    [['published', 'publishing'], 'publishing'],
    [['failed', 'publishing'], 'publishing'],
    [['scheduled', 'published'], 'publishing'],
    [['scheduled', 'failed'], 'publishing'],
    [['scheduled', 'partial'], 'publishing'],
    [['published', 'published'], 'published'],
    [['published', 'failed'], 'partial'],
    [['partial'], 'partial'],
    [['partial', 'published'], 'partial'],
    [['partial', 'failed'], 'partial'],
    [['failed'], 'failed'],
    [['failed', 'failed'], 'failed'],
  ])('%j makes %s', (statuses, status) => {
    expect(postStatus(statuses)).toBe(status);
  });

  /** The rules as the product decision states them, one by one. */
  function byTheRules(statuses: readonly PostStatus[]): PostStatus {
    const some = (...wanted: PostStatus[]) => statuses.some((status) => wanted.includes(status));
    const only = (wanted: PostStatus) => statuses.every((status) => status === wanted);
    if (only('draft')) return 'draft';
    if (only('scheduled')) return 'scheduled';
    if (some('publishing')) return 'publishing';
    if (some('scheduled', 'draft')) return 'publishing';
    if (only('published')) return 'published';
    if (some('partial') || (some('published') && some('failed'))) return 'partial';
    return 'failed';
  }

  it('by these rules for every combination', () => {
    fc.assert(
      fc.property(targets, (statuses) => {
        expect(postStatus(statuses)).toBe(byTheRules(statuses));
      }),
    );
  });

  it('whatever the order and number of targets', () => {
    fc.assert(
      fc.property(targets, fc.nat(5), (statuses, place) => {
        const shuffled = [...statuses.slice(place), ...statuses.slice(0, place)].reverse();
        expect(postStatus([...shuffled, ...statuses])).toBe(postStatus(statuses));
      }),
    );
  });
});

describe('the moves of a target', () => {
  const allowed: Readonly<Record<PostStatus, string>> = {
    draft: 'scheduled',
    scheduled: 'draft publishing failed',
    publishing: 'scheduled published partial failed',
    published: '',
    partial: '',
    failed: 'scheduled publishing published',
  };

  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('%s → %s', (from, to) => {
    expect(targetLifeCycle[from].includes(to)).toBe(allowed[from].split(' ').includes(to));
  });

  it('reach every state and no unknown one', () => {
    const reached = new Set<PostStatus>(['draft']);
    for (const from of reached) for (const to of targetLifeCycle[from]) reached.add(to);
    expect([...reached].sort()).toEqual([...states].sort());
  });

  it('never leave a live state', () => {
    const walk = fc.array(fc.nat(10), { maxLength: 30 });
    fc.assert(
      fc.property(walk, (choices) => {
        let state: PostStatus = 'draft';
        let isLive = false;
        for (const choice of choices) {
          const moves: readonly PostStatus[] = targetLifeCycle[state];
          if (moves.length === 0) break;
          state = moves[choice % moves.length] ?? state;
          expect(isLive).toBe(false);
          isLive = state === 'published' || state === 'partial';
        }
        expect(isLive).toBe(targetLifeCycle[state].length === 0);
      }),
    );
  });

  it('go live only from publishing, where the intent is recorded, and from failed, by the word of a person', () => {
    const leadingToLive = states.filter((from) =>
      targetLifeCycle[from].some((to) => to === 'published' || to === 'partial'),
    );
    expect(leadingToLive).toEqual(['publishing', 'failed']);
  });

  it('have these settled states', () => {
    expect(states.filter(isSettled)).toEqual(['published', 'partial', 'failed']);
  });
});

describe('the moves of a post', () => {
  type Pair = readonly [PostStatus, PostStatus];
  const ofDrafts: Pair = ['draft', 'draft'];
  const ofScheduled: Pair = ['scheduled', 'scheduled'];

  /** The states that two targets may reach before the next roll-up. Only an edit makes drafts, of both together. */
  function following(pair: Pair): Pair[] {
    const seen = new Map<string, Pair>([[pair.join(), pair]]);
    for (const [first, second] of seen.values()) {
      const next: Pair[] = [
        ...targetLifeCycle[first].map((to): Pair => [to, second]),
        ...targetLifeCycle[second].map((to): Pair => [first, to]),
      ].filter((moved) => !moved.includes('draft'));
      for (const moved of next) seen.set(moved.join(), moved);
    }
    const isEditable = seen.has(ofDrafts.join()) || seen.has(ofScheduled.join());
    return [...seen.values(), ...(isEditable ? [ofDrafts, ofScheduled] : [])];
  }

  it.each(states)('cover all moves of its targets, even if a roll-up skips some: %s', (from) => {
    const pairs = states.flatMap((first) => states.map((second): Pair => [first, second]));
    const stored = [ofDrafts, ...pairs.filter((pair) => !pair.includes('draft'))].filter(
      (pair) => postStatus(pair) === from,
    );
    const reached = new Set(stored.flatMap(following).map(postStatus));
    reached.delete(from);
    // A roll-up during an edit may store `draft` by mistake, and the next one must be able to correct it.
    if (from === 'draft') for (const state of states) if (state !== from) reached.add(state);
    expect([...postLifeCycle[from]].sort()).toEqual([...reached].sort());
  });
});
