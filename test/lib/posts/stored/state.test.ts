import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postStatus } from '../../../../lib/posts/stored/state.ts';
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
    published: 'failed publishing',
    partial: 'failed publishing published',
    failed: 'scheduled publishing published draft',
  };

  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('%s → %s', (from, to) => {
    expect(targetLifeCycle[from].includes(to)).toBe(allowed[from].split(' ').includes(to));
  });

  it('reach every state and no unknown one', () => {
    const reached = new Set<PostStatus>(['draft']);
    for (const from of reached) for (const to of targetLifeCycle[from]) reached.add(to);
    expect([...reached].sort()).toEqual([...states].sort());
  });

  it('leave a live state only because it was a mistake, or to publish the rest of a thread', () => {
    expect(targetLifeCycle.published).toEqual(['failed', 'publishing']);
    expect(targetLifeCycle.partial).toEqual(['failed', 'publishing', 'published']);
  });

  it('go live only from publishing, where the intent is recorded, and from failed or partial, by the word of a person', () => {
    const leadingToLive = states.filter((from) =>
      targetLifeCycle[from].some((to) => to === 'published' || to === 'partial'),
    );
    expect(leadingToLive).toEqual(['publishing', 'partial', 'failed']);
  });

  it('have these settled states', () => {
    expect(states.filter(isSettled)).toEqual(['published', 'partial', 'failed']);
  });
});
